"""Read-only data of the desk and player pages."""
