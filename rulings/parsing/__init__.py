"""Parsers for rulings files: text to records, without a database."""
