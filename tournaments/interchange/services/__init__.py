"""Import and export services."""
