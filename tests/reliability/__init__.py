"""Checks and goals of docs/dev/reliability.csv: the tests that show them, and the last figures."""
