"""Penalties of an event and its infraction guide, for judges only."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Prefetch, Q, QuerySet

from rulings.guide import Guide, GuideChange, PenaltyKind, shipped_guide
from rulings.queries import cited_versions
from tournaments.models import InfractionChange, Pairing, Penalty, Registration, Tournament

STANDING = Q(withdrawn_at=None)
# Penalties that cost games of a later round if there was no table. A disqualified player has no
# later round.
WAITING_KINDS = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)
WAITING = STANDING & Q(pairing=None, kind__in=WAITING_KINDS)


@dataclass(frozen=True)
class InfractionCount:
    """Number of penalties for an infraction at an event."""

    code: str
    name: str
    given: int
    withdrawn: int


def guide_of(tournament: Tournament) -> Guide:
    """The infraction guide with this event's changes; one query."""
    return shipped_guide().with_changes(map(as_change, changes_of(tournament)))


def changes_of(tournament: Tournament) -> QuerySet[InfractionChange]:
    """The event's changes to the infraction guide, by code."""
    return tournament.infraction_changes.order_by("code")


def as_change(row: InfractionChange) -> GuideChange:
    ladder = tuple(map(PenaltyKind, row.ladder))
    return GuideChange(row.code, row.name, row.description, ladder, row.is_off)


def of_event(tournament: Tournament) -> QuerySet[Penalty]:
    """All penalties, oldest first, with related objects and citations; constant queries."""
    rows = tournament.penalties.select_related(
        *("registration__player", "pairing__round"),
        *("note__author__player", "withdrawn_by__player"),
    )
    return rows.prefetch_related(Prefetch("note__citations", cited_versions())).order_by("pk")


def of_player(place: Registration) -> QuerySet[Penalty]:
    """Like `of_event`, for one player."""
    return of_event(place.tournament).filter(registration=place)


def shown_to(place: Registration) -> QuerySet[Penalty]:
    """Penalties in force against a player, for their own page; one query."""
    rows = place.penalties.filter(STANDING)
    return rows.select_related("note", "pairing").order_by("-pk")


def waiting(tournament: Tournament) -> QuerySet[Penalty]:
    """Like `of_event`, for penalties that will cost a game or match of a later round."""
    return of_event(tournament).filter(WAITING)


def without_table(tournament: Tournament) -> QuerySet[Penalty]:
    """Like `waiting`, plus disqualifications: a bracket may still seat the player."""
    costly = [kind for kind in PenaltyKind if kind.costs_games]
    return of_event(tournament).filter(STANDING, pairing=None, kind__in=costly)


def counts(tournament: Tournament) -> list[InfractionCount]:
    """Number of penalties per infraction, most frequent first; one query.

    Each infraction has its most recent name.
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
    """Number of penalties in force for this infraction against the player."""
    return place.penalties.filter(STANDING, infraction=infraction).count()


def is_disqualified(place: Registration) -> bool:
    """Return True if a disqualification is in force. The player cannot return until it ends."""
    return place.penalties.filter(STANDING, kind=PenaltyKind.DISQUALIFICATION).exists()


def at_table(pairing: Pairing) -> QuerySet[Penalty]:
    """Penalties in force that affect the result of this table."""
    costly = [kind for kind in PenaltyKind if kind.costs_games]
    rows = pairing.penalties.filter(STANDING, kind__in=costly)
    return rows.select_related("registration").order_by("pk")
