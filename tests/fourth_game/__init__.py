"""A fourth game, Mainframe, and an event of it. Its folder has everything that a real game
needs.
"""
