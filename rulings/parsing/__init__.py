"""Readers of lists of rulings: text in, records out, no database."""
