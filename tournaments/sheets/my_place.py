"""What a phone asks for every few seconds: its player's place in an event, in one query."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Subquery

from players.models import Player
from rulings.models import JudgeCall
from tournaments import queries, visibility
from tournaments.models import Registration


class MyPlace(NamedTuple):
    """A player's place with its event, and the call that waits at a table of theirs, if any."""

    registration: Registration
    call: int | None
    taken_at: datetime | None


def my_place(player: Player | None, slug: str) -> MyPlace | None:
    """None for who is not registered. Whoever is may read the event (visibility.can_see)."""
    if player is None:
        return None
    calls = JudgeCall.objects.filter(match__seats__player=player, **queries.OPEN).order_by("-pk")
    places = Registration.objects.filter(tournament__slug=slug, player=player).select_related(
        "tournament", "player"
    )
    place = (
        visibility.with_moments(places, "tournament")
        .annotate(
            call=Subquery(calls.values("pk")[:1]), taken_at=Subquery(calls.values("taken_at")[:1])
        )
        .order_by("pk")
        .first()
    )
    if place is None:
        return None
    visibility.keep_moments(place.tournament, place.moments_passed)
    return MyPlace(place, place.call, place.taken_at)
