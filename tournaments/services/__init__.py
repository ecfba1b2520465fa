"""What changes an event: one use case, one function, one transaction."""
