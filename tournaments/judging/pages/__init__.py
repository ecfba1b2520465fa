"""Read-only data of the judges' pages."""
