"""Use cases of the desk, each one transaction."""
