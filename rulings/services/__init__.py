"""Services for rulings and judge notes."""

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
    WrittenMeanwhile,
    local_document,
    new_ruling,
    write_version,
)
