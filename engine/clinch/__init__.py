"""What players still need to reach the cut."""
