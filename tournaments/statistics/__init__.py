"""Statistics of events: games, wins, ends of games, lengths of rounds and cuts."""
