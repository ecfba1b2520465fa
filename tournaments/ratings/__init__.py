"""Ratings: how strong players are by the results of their events, and how sure that is."""
