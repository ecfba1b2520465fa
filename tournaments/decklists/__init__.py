"""Decklists of an event: submission, legality, locks, visibility and deck checks."""
