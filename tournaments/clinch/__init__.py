"""Clinch scenarios and chances: results that a player needs to make the cut."""
