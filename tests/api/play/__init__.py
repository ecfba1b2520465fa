"""Rounds, tables, results, clocks and cuts over the API."""
