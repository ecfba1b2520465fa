"""Results that players still need to reach the cut."""
