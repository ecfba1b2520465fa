"""Rulings in use, and judges at the tables."""

from rulings.services.calls import CallIsOver, CallIsTaken, answer, raise_call, take, withdraw
from rulings.services.notes import EmptyNote, attach

__all__ = [
    "CallIsOver",
    "CallIsTaken",
    "EmptyNote",
    "answer",
    "attach",
    "raise_call",
    "take",
    "withdraw",
]
