"""Shared parts of every event slice: actors, permissions, the log, queries."""
