"""Rulings to read, as JSON or as plain text."""
