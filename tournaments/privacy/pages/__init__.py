"""What one page shows, read only."""
