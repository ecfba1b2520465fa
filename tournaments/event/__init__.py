"""Shared ground of an event: actors, permissions, visibility, log and stored standings."""
