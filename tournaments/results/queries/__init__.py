"""Reads rows."""
