"""Ratings: estimates of players' strength from their events, with their uncertainty."""
