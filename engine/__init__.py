"""The rules of an event: it pairs, ranks and plays brackets. Plain Python, without a framework."""
