"""Views of the registration pages."""
