"""Template tags for all pages."""
