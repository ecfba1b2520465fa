"""Rounds: drafted, changed by hand, published, timed, closed."""
