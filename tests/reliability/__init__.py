"""Checks and goals of docs/dev/reliability.md: the tests that show them, and the last figures."""
