"""Readers of deck lists: text in, records out. They know no cards and no rules."""
