"""Figures of statistics: tallies of games in, charts of exact counts and rates out."""
