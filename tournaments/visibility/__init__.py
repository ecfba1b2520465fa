"""Who may see what of an event: permissions say who may do what. Call as `visibility.name()`."""

from tournaments.visibility.decks import (
    can_see_deck,
    can_see_identities,
    can_see_identity,
    shows_all_decks,
    visible_decks,
    visible_identities,
)
from tournaments.visibility.events import can_see, can_see_notes, can_see_round

__all__ = [
    "can_see",
    "can_see_deck",
    "can_see_identities",
    "can_see_identity",
    "can_see_notes",
    "can_see_round",
    "shows_all_decks",
    "visible_decks",
    "visible_identities",
]
