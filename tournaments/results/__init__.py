"""Results of matches, standings and the bracket of a cut."""
