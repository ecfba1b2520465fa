"""What people type about events."""
