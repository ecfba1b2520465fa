"""Scoring of matches."""
