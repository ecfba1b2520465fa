"""What a page shows, laid out for it: records out of queries, nothing changed."""
