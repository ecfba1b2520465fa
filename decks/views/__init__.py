"""Pages about cards and decklists outside events."""
