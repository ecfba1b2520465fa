"""Views of the judges' pages."""
