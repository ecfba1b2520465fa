"""A fourth game, Mainframe, and an evening of it. Its folder is all that a real one would bring."""
