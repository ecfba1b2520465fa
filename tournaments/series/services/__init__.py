"""One use case, one function, one transaction."""
