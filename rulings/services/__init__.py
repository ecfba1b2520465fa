"""Rulings in use, and judges at the tables."""

from rulings.services.calls import CallIsOver, CallIsTaken, answer, raise_call, take, withdraw
from rulings.services.notes import EmptyNote, write_note

__all__ = [
    "CallIsOver",
    "CallIsTaken",
    "EmptyNote",
    "answer",
    "raise_call",
    "take",
    "withdraw",
    "write_note",
]
