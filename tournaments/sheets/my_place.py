"""What a phone asks for every few seconds: its player's place in an event, in one query."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from players.models import Player
from rulings.models import JudgeCall
from tournaments import visibility
from tournaments.models import Pairing, Registration


class MyPlace(NamedTuple):
    """A player's place with its event, and the newest judge call at a table of theirs, if any.

    `results` moves with everything that is told or decided at a table of theirs. `call_moved_at`
    is the moment of the last step of the call: left to the head judge, taken, or over.
    """

    registration: Registration
    results: int | None
    call: int | None
    call_moved_at: datetime | None


def my_place(player: Player | None, slug: str) -> MyPlace | None:
    """None for who is not registered. Whoever is may read the event (visibility.can_see)."""
    if player is None:
        return None
    calls = JudgeCall.objects.filter(match__seats__player=player).order_by("-pk")
    moved_at = Coalesce("answered_at", "withdrawn_at", "taken_at", "escalated_at")
    tables = Pairing.objects.filter(
        match__seats__player=player, round__stage__tournament=OuterRef("tournament")
    ).order_by()
    told = tables.values("round__stage__tournament").annotate(n=Sum("match__version"))
    places = Registration.objects.filter(tournament__slug=slug, player=player).select_related(
        "tournament", "player"
    )
    place = (
        visibility.with_moments(places, "tournament")
        .annotate(
            results=Subquery(told.values("n")),
            call=Subquery(calls.values("pk")[:1]),
            call_moved_at=Subquery(calls.values_list(moved_at)[:1]),
        )
        .order_by("pk")
        .first()
    )
    if place is None:
        return None
    visibility.keep_moments(place.tournament, place.moments_passed)
    return MyPlace(place, place.results, place.call, place.call_moved_at)
