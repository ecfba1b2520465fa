"""Views of the desk, event log, and public pages."""
