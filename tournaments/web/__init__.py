"""Shared ground of pages and API views."""
