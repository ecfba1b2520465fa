"""Factions of a table without a result."""

from collections.abc import Mapping

from django.db import transaction

from core.errors import Refusal
from matches import queries
from matches.models import GameSeat, Match, MatchState
from matches.scoring import faction_clashes
from matches.services.seats import AlreadySettled, locked


class FactionRefused(Refusal):
    """The faction does not exist, or its colour is already at the table."""


@transaction.atomic
def set_factions(match: Match, chosen: Mapping[int, str]) -> Match:
    """Set factions by position, "" for none; the factions of other seats are unchanged.

    Raises FactionRefused, and AlreadySettled after a report, which contains the factions.
    """
    match = locked(match)
    if match.state != MatchState.OPEN:
        raise AlreadySettled("This table has a result. Change the factions with the result.")
    seats = list(GameSeat.objects.filter(game__match=match).select_related("seat"))
    for played in seats:
        played.faction = chosen.get(played.seat.position, played.faction)
    clashes = faction_clashes([played.faction for played in seats], queries.factions())
    if reasons := " ".join(message[0].upper() + message[1:] for _, message in clashes):
        raise FactionRefused(reasons)
    GameSeat.objects.bulk_update(seats, ["faction"])
    return match
