"""Brackets: seeds and results in, the games that can be played next and the placings out."""
