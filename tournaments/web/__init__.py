"""What every page and every view of the API needs."""
