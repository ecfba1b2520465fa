"""Rules of seasons in plain Python: table, qualification and dates of evenings."""
