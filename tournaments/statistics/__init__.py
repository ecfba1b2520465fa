"""Statistics: what was played, what won, how games ended, how long rounds took, who made a cut."""
