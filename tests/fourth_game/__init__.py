"""A fourth game, Mainframe, complete in this folder, and an event of it."""
