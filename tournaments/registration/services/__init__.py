"""Use cases of registration, each one transaction."""
