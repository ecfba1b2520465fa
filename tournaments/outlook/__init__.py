"""Clinch scenarios: results that a player needs to make the cut, and their chances."""
