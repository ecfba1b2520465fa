"""Decks of real cards by title, and snapshots and ban lists of the shipped formats."""

import datetime
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardSlot, FormatFacts, RestrictionFacts, SnapshotFacts
from tests.factories.decks import card, shipped_formats


def deck_of(identity: str, cards: Mapping[str, int]) -> AnrDeck:
    """A deck with the identity on line 1 and a title on each further line."""
    slots = tuple(
        CardSlot(card(title, "anr"), quantity, line)
        for line, (title, quantity) in enumerate(cards.items(), start=2)
    )
    leader = card(identity, "anr")
    return AnrDeck(leader.side, leader, slots, identity_line=1)


def format_of(format_id: str) -> FormatFacts:
    format_ = shipped_formats().find(format_id)
    assert format_ is not None, format_id
    return format_


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def snapshot_on(format_id: str, text: str) -> SnapshotFacts:
    snapshot = format_of(format_id).on(day(text))
    assert snapshot is not None, text
    return snapshot


def with_list(snapshot: SnapshotFacts, **changes: object) -> SnapshotFacts:
    """The snapshot with an invented list, or with changes to its own list."""
    old_list = snapshot.restriction or RestrictionFacts("new", "New List", snapshot.effective_from)
    return replace(snapshot, restriction=replace(old_list, **changes))  # type: ignore[arg-type]


# Core Set cards that two boxes hold; legal by the basic rules, 45 cards and 15 influence.
CORE_RUNNER = {
    "Account Siphon": 2,
    "Déjà Vu": 3,
    "Diesel": 3,
    "Sure Gamble": 3,
    "Stimhack": 3,
    "Wyldside": 3,
    "Parasite": 3,
    "Yog.0": 2,
    "Corroder": 3,
    "Mimic": 3,
    "Medium": 3,
    "Datasucker": 3,
    "Djinn": 3,
    "Ice Carver": 3,
    "Grimoire": 2,
    "Infiltration": 3,
}
CORE_LEADER = "Noise: Hacker Extraordinaire"


def list_on(format_id: str, text: str) -> RestrictionFacts:
    restriction = snapshot_on(format_id, text).restriction
    assert restriction is not None, text
    return restriction


@cache
def ban_list(list_id: str) -> RestrictionFacts:
    """A shipped list that belongs to a snapshot."""
    lists = (
        snapshot.restriction for format_ in shipped_formats() for snapshot in format_.snapshots
    )
    return next(list_ for list_ in lists if list_ is not None and list_.id == list_id)
