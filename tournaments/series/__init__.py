"""Series and seasons: their events, table, qualification and recurring evenings."""
