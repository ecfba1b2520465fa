"""Services for events and their staff; each function is one transaction."""
