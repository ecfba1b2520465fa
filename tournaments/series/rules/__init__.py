"""What a season says, in plain Python: its table, who qualifies, when its evenings are."""
