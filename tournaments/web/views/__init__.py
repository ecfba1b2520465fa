"""Views: fetch, check, call one service or page function, respond."""
