"""What a phone asks for every few seconds: its player's place in an event.

One query, and one more where a judge was ever called to a table of theirs.
"""

from datetime import datetime
from typing import NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from players.models import Player
from rulings.models import JudgeCall
from tournaments.models import Registration
from tournaments.sheets.days import moves


class MyPlace(NamedTuple):
    """A player's place with its event, and the newest judge call at a table of theirs, if any.

    `moves` are those of sheets.days. `call_moved_at` is the moment of the last step of the call:
    left to the head judge, taken, or over.
    """

    registration: Registration
    moves: int
    call: int | None
    call_moved_at: datetime | None


def _places(player: Player, slug: str) -> QuerySet[Registration]:
    """The place of the player in the event at `slug`."""
    at_my_tables = {"match__seats__player": player}
    calls = JudgeCall.objects.filter(**at_my_tables).order_by("-pk")
    moved = moves(OuterRef("tournament"), **at_my_tables).values("moves")
    return (
        Registration.objects.filter(tournament__slug=slug, player=player)
        .select_related("tournament")
        .annotate(
            moves=Coalesce(Subquery(moved), 0),
            call=Subquery(calls.values("pk")[:1]),
        )
    )


def my_place(player: Player | None, slug: str) -> MyPlace | None:
    """None for who is not registered. Whoever is may read the event (visibility.can_see)."""
    if player is None:
        return None
    place = _places(player, slug).first()
    if place is None:
        return None
    place.player = player
    moved, call = place.moves, place.call  # type: ignore[attr-defined]
    return MyPlace(place, moved, call, _moved_at(call))


def _moved_at(call: int | None) -> datetime | None:
    if call is None:
        return None
    moved = Coalesce("answered_at", "withdrawn_at", "taken_at", "escalated_at")
    return JudgeCall.objects.filter(pk=call).values_list(moved, flat=True).first()
