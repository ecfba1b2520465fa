"""Pages: fetch, ask, call one service or page function, answer."""
