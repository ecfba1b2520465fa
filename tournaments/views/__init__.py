"""Pages of the events: fetch, ask, act, answer."""
