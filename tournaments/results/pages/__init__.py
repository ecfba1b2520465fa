"""Read-only data for pages."""
