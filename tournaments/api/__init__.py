"""Events to read: each answer asks the same permissions as its page."""
