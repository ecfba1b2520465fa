"""Penalties of an event, and the guide it goes by; for judges only."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Prefetch, Q, QuerySet

from rulings.guide import Guide, GuideChange, PenaltyKind, shipped_guide
from rulings.queries.notes import cited_versions
from tournaments.models import InfractionChange, Pairing, Penalty, Registration, Tournament

STANDING = Q(withdrawn_at=None)
WAITING_KINDS = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)
"""What costs games of a later round where there was no table; who is disqualified has none."""
WAITING = STANDING & Q(pairing=None, kind__in=WAITING_KINDS)


@dataclass(frozen=True)
class InfractionCount:
    """How often something was penalised at an event."""

    code: str
    name: str
    given: int
    withdrawn: int


def guide_of(tournament: Tournament) -> Guide:
    """The infraction guide as this event has changed it; one query."""
    return shipped_guide().with_changes(map(as_change, changes_of(tournament)))


def changes_of(tournament: Tournament) -> QuerySet[InfractionChange]:
    """What the event does otherwise, by code."""
    return tournament.infraction_changes.order_by("code")


def as_change(row: InfractionChange) -> GuideChange:
    """A stored change as the guide wants it."""
    ladder = tuple(map(PenaltyKind, row.ladder))
    return GuideChange(row.code, row.name, row.description, ladder, row.is_off)


def of_event(tournament: Tournament) -> QuerySet[Penalty]:
    """Every penalty, oldest first, with player, table, note and what it cites; fixed queries."""
    rows = tournament.penalties.select_related(
        *("registration__player", "pairing__round"),
        *("note__author__player", "withdrawn_by__player"),
    )
    return rows.prefetch_related(Prefetch("note__citations", cited_versions())).order_by("pk")


def of_player(place: Registration) -> QuerySet[Penalty]:
    """As `of_event`, of one player."""
    return of_event(place.tournament).filter(registration=place)


def shown_to(place: Registration) -> QuerySet[Penalty]:
    """The penalties in force against a player, as their own page lists them; one query."""
    rows = place.penalties.filter(STANDING)
    return rows.select_related("note", "pairing").order_by("-pk")


def waiting(tournament: Tournament) -> QuerySet[Penalty]:
    """As `of_event`: those that will cost a game or a match of a round to come."""
    return of_event(tournament).filter(WAITING)


def without_table(tournament: Tournament) -> QuerySet[Penalty]:
    """As `waiting`, with what disqualified somebody: a bracket may hold a table for them yet."""
    costly = [kind for kind in PenaltyKind if kind.costs_games]
    return of_event(tournament).filter(STANDING, pairing=None, kind__in=costly)


def counts(tournament: Tournament) -> list[InfractionCount]:
    """How often each infraction was penalised, the most frequent first; one query.

    Each has the name it was given with last.
    """
    rows = (
        Penalty.objects.filter(tournament=tournament)
        .order_by()
        .values_list("infraction", "infraction_name")
        .annotate(given=Count("pk"), withdrawn=Count("pk", filter=~STANDING), last=Max("pk"))
    )
    return _by_code(rows.order_by("last"))


def _by_code(rows: Iterable[tuple[str, str, int, int, int]]) -> list[InfractionCount]:
    found: dict[str, InfractionCount] = {}
    for code, name, given, withdrawn, _last in rows:
        before = found.get(code, InfractionCount(code, name, 0, 0))
        found[code] = InfractionCount(
            code, name, before.given + given, before.withdrawn + withdrawn
        )
    return sorted(found.values(), key=lambda one: (-one.given, one.name))


def times_penalised(place: Registration, infraction: str) -> int:
    """How many penalties for it stand against the player at this event."""
    return place.penalties.filter(STANDING, infraction=infraction).count()


def is_disqualified(place: Registration) -> bool:
    """Whether a disqualification stands; the player does not come back while it does."""
    return place.penalties.filter(STANDING, kind=PenaltyKind.DISQUALIFICATION).exists()


def at_table(pairing: Pairing) -> QuerySet[Penalty]:
    """The penalties that stand and work on the result of this table."""
    costly = [kind for kind in PenaltyKind if kind.costs_games]
    rows = pairing.penalties.filter(STANDING, kind__in=costly)
    return rows.select_related("registration").order_by("pk")
