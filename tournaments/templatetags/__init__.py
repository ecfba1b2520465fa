"""What templates look up."""
