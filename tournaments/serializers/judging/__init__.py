"""Calls, penalties, notes and rulings of an event as the API tells them."""
