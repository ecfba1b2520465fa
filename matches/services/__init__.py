"""A match from the first seat to a settled result."""

from matches.services.factions import FactionRefused, set_factions
from matches.services.reports import (
    ImpossibleResult,
    NothingToConfirm,
    confirm,
    contradictions,
    decide,
    dispute,
    propose,
)
from matches.services.seats import (
    AlreadySettled,
    NewMatch,
    WrongSeats,
    create_matches,
    delete_matches,
    reseat,
)

__all__ = [
    "AlreadySettled",
    "FactionRefused",
    "ImpossibleResult",
    "NewMatch",
    "NothingToConfirm",
    "WrongSeats",
    "confirm",
    "contradictions",
    "create_matches",
    "decide",
    "delete_matches",
    "dispute",
    "propose",
    "reseat",
    "set_factions",
]
