"""Parsers for decklists: text to records, without knowledge of cards or rules."""
