"""Elimination brackets."""
