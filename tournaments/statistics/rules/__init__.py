"""Rules of statistics: charts of exact counts and rates from tallies of games."""
