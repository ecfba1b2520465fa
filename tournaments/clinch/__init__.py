"""What do I need? Who is in or out of the cut before the last round is over."""
