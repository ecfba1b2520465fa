"""Factions of a table that has no result yet."""

from collections.abc import Mapping

from django.db import transaction

from core.errors import Refusal
from matches import queries
from matches.models import GameSeat, Match, MatchState
from matches.scoring import faction_clashes
from matches.services.seats import AlreadySettled, locked


class FactionRefused(Refusal):
    """A faction that is not there, or of a colour that sits at the table already."""


@transaction.atomic
def set_factions(match: Match, chosen: Mapping[int, str]) -> Match:
    """Give the seats in these positions their factions, an empty one for none; others keep theirs.

    Raises FactionRefused; AlreadySettled once somebody reported a result, which holds the factions.
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
