"""Who plays."""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from core.confusables import first_like
from core.form_fields import whole_number
from core.text import comparison_key
from engine.systems import CUTS
from players.models import Player
from players.names import MAX_KEY_LENGTH
from tournaments.models import (
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    RegistrationState,
    StageEntry,
    Standing,
    Tournament,
    log_actions,
)

MOST_MEANT = 8
"""Names that are offered for what was typed."""


def registration_of(player: Player | None, tournament: Tournament) -> Registration | None:
    """This player's place in the event."""
    if player is None:
        return None
    mine = tournament.registrations.filter(player=player).select_related("player")
    return mine.order_by("pk").first()


def place_at(slug: str, player: Player | None) -> Registration | None:
    """This player's place in the event of an address. Who has one may read the event."""
    if player is None:
        return None
    places = Registration.objects.select_related("tournament").order_by()
    place = places.filter(tournament__slug=slug, player=player).first()
    if place is not None:
        place.player = player
    return place


def is_past_closing_time(tournament: Tournament) -> bool:
    """Registration closes by time alone: no log entry and no new version tells of it."""
    closes = tournament.registration_closes_at
    return closes is not None and closes <= timezone.now()


def name_taken(tournament: Tournament, name: str) -> str:
    """The name on the roster that is spelt or looks like this one; "" if there is none."""
    names = tournament.registrations.order_by("number").values_list("player__name", flat=True)
    return first_like(name, names)


class OnRoster(NamedTuple):
    """Somebody on the roster, in short."""

    number: int
    name: str
    state: str


def everybody_on_roster(tournament: Tournament) -> list[OnRoster]:
    """All of them in any state, by number."""
    rows = tournament.registrations.order_by("number")
    return [OnRoster(*row) for row in rows.values_list("number", "player__name", "state")]


def removable_sign_ups(
    tournament: Tournament, since: datetime | None = None, until: datetime | None = None
) -> QuerySet[Registration]:
    """Who signed up themselves, in this stretch of time, and has left no trace yet."""
    joined = LogEntry.objects.filter(
        tournament=tournament, action__in=log_actions.JOINED, player=F("registration__player")
    )
    if since is not None:
        joined = joined.filter(at__gte=since)
    if until is not None:
        joined = joined.filter(at__lte=until)
    paired = Pairing.objects.filter(round__stage__tournament=tournament)
    at_tables = paired.filter(match__isnull=False).values("match__seats__player")
    places = StageEntry.objects.filter(stage__tournament=tournament, stage__system__in=CUTS)
    return (
        tournament.registrations.select_related("player")
        .filter(pk__in=joined.values("registration"))
        .exclude(player__in=at_tables)
        .exclude(pk__in=paired.filter(bye__isnull=False).values("bye"))
        .exclude(pk__in=places.values("registration"))
        .exclude(
            pk__in=Standing.objects.filter(snapshot__tournament=tournament).values("registration")
        )
        .exclude(pk__in=tournament.penalties.values("registration"))
        .exclude(deck_submissions__checks__isnull=False)
        .order_by("number")
    )


def roster(tournament: Tournament) -> QuerySet[Registration]:
    """All registrations by name, with their players and deck submissions."""
    return tournament.registrations.select_related("player").prefetch_related(
        "deck_submissions__version"
    )


def found_on_roster(
    tournament: Tournament, typed: str = "", state: str = ""
) -> QuerySet[Registration]:
    """The roster by name; only names that hold the text, or that number; only one state."""
    rows = roster(tournament)
    if state in RegistrationState.values:
        rows = rows.filter(state=state)
    if typed:
        # No name is longer, and no database compares with a book.
        key = comparison_key(typed)[: MAX_KEY_LENGTH + 1]
        hit = Q(player__name_key__contains=key)
        number = whole_number(typed, 5)
        if number is not None:
            hit |= Q(number=number)
        rows = rows.filter(hit)
    return rows


def meant_on_roster(tournament: Tournament, typed: str) -> list[Registration]:
    """The player of exactly this number or name; without one, all whose names hold it."""
    found = list(found_on_roster(tournament, typed)[:MOST_MEANT])
    key = comparison_key(typed)
    exact = [one for one in found if str(one.number) == typed or one.player.name_key == key]
    return exact if len(exact) == 1 else found


def count_by_state(tournament: Tournament) -> dict[str, int]:
    """How many registrations are in each state; states nobody is in count 0."""
    counted = tournament.registrations.order_by().values_list("state").annotate(n=Count("pk"))
    return {**dict.fromkeys(RegistrationState.values, 0), **dict(counted)}


def active_registrations(tournament: Tournament) -> QuerySet[Registration]:
    """Who is paired next: checked in and not dropped, in order of number."""
    return (
        tournament.registrations.filter(state=RegistrationState.CHECKED_IN)
        .select_related("player")
        .order_by("number")
    )


def next_entrant_number(tournament: Tournament) -> int:
    """A number no player of this event has had, removed players among them."""
    highest = tournament.registrations.aggregate(highest=Max("number"))["highest"]
    removed = tournament.log.filter(action=LogAction.PLAYER_REMOVED).values_list(
        "before", flat=True
    )
    return max([highest or 0, *(int(entry.get("number", 0)) for entry in removed)]) + 1
