"""Processes that are killed in the middle of their work, and the state they leave behind."""
