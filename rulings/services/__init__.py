"""Rulings in use, and judges at the tables."""

from rulings.services.calls import CallIsOver, CallIsTaken, answer, raise_call, take, withdraw
from rulings.services.notes import EmptyNote, write_note
from rulings.services.superseding import (
    CannotSupersede,
    adopt,
    set_standing,
    supersede,
    withdraw_ruling,
)
from rulings.services.writing import (
    NothingChanged,
    NotYet,
    NoWords,
    ReasonMissing,
    WrittenMeanwhile,
    local_document,
    new_ruling,
    write_version,
)
