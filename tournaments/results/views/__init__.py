"""Pages for results, standings and cuts."""
