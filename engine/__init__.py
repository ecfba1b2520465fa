"""Rules of an event: pairing, standings and brackets. Plain Python, without a framework."""
