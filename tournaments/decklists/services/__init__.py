"""Use cases of decklists, each one transaction."""
