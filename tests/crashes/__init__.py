"""Processes that are killed in the middle of their work, and what they leave behind."""
