"""Write operations on rounds, each in one transaction."""
