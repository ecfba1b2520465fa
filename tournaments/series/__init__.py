"""Series and seasons: events, table, qualification and recurring evenings."""
