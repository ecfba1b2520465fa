"""What can be read of cards and formats by programs."""
