"""Queries on the event log, earlier standings and pairings, and the judges' work."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from players.models import Player, User
from tournaments.event.queries.penalties import STANDING
from tournaments.models import (
    Absence,
    DeckCheck,
    ImportedFile,
    LogAction,
    LogEntry,
    Penalty,
    Standing,
    StandingSnapshot,
    Topic,
    Tournament,
)
from tournaments.models.log_actions import stored_for

PAIRINGS = Q(after__has_key="pairings") | Q(before__has_key="pairings")


@dataclass(frozen=True)
class Wanted:
    """Filters of the event log; an empty field filters nothing."""

    words: str = ""
    round_number: int | None = None
    # Player number in the event.
    player: int | None = None
    user: int | None = None
    by_player: int | None = None
    kind: Topic | None = None


def log_for(
    entries: QuerySet[LogEntry], tournament: Tournament, wanted: Wanted
) -> QuerySet[LogEntry]:
    """Filter the entries, and load what a line of the page shows."""
    fitting = _about(wanted, tournament) & _by(wanted)
    if wanted.kind:
        of_topic = (action for action in LogAction if action.topic == wanted.kind)
        fitting &= Q(action__in=stored_for(of_topic))
    for word in wanted.words.split():
        fitting &= (
            Q(action__icontains=word) | Q(subject__icontains=word) | Q(reason__icontains=word)
        )
    return entries.filter(fitting).select_related("round", "undoes", "undone_by")


def _about(wanted: Wanted, tournament: Tournament) -> Q:
    about = Q()
    if wanted.round_number is not None:
        about &= Q(round__number=wanted.round_number)
    if wanted.player is not None:
        place = tournament.registrations.filter(number=wanted.player)
        tables = Q(pairing__match__seats__player__in=place.values("player"))
        about &= Q(registration__in=place) | Q(pk__in=tournament.log.filter(tables).values("pk"))
    return about


def _by(wanted: Wanted) -> Q:
    if wanted.user is not None:
        return Q(user=wanted.user)
    if wanted.by_player is not None:
        return Q(user=None, player=wanted.by_player)
    return Q()


def log_actors(tournament: Tournament) -> tuple[list[User], list[Player]]:
    """Accounts and guests with an entry in the log; two queries."""
    users = User.objects.filter(pk__in=tournament.log.exclude(user=None).values("user"))
    guests = tournament.log.filter(user=None).exclude(player=None)
    players = Player.objects.filter(pk__in=guests.values("player"))
    return list(users.order_by("username")), list(players.order_by("sort_key"))


def entries_with_pairings(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Entries with seatings, oldest first."""
    return entries.filter(PAIRINGS).order_by("pk")


def snapshots(tournament: Tournament) -> QuerySet[StandingSnapshot]:
    """All computed standings, by round, then by time."""
    rows = tournament.snapshots.select_related("round")
    return rows.order_by("round__stage__number", "round__number", "pk")


def snapshot_before(snapshot: StandingSnapshot) -> StandingSnapshot | None:
    """The previous version of the same round's standings."""
    older = StandingSnapshot.objects.filter(round=snapshot.round_id, pk__lt=snapshot.pk)
    return older.order_by("-pk").first()


def places_in(snapshot: StandingSnapshot) -> dict[int, Standing]:
    """Standings rows by player number."""
    rows = snapshot.rows.select_related("registration__player")
    return {row.registration.number: row for row in rows}


@dataclass(frozen=True)
class Work:
    """Newest log entry, decks still to be checked, and penalties in force.

    `has_absences` is True while a player is reported missing at any table.
    """

    newest_entry: int
    checks: int
    penalties: int
    is_imported: bool
    has_absences: bool


def work_of(tournament: Tournament) -> Work:
    """Load the work in one query; `newest_entry` grows with every change of the event."""
    here = OuterRef("pk")
    newest = LogEntry.objects.filter(tournament=here).order_by("-pk").values("pk")[:1]
    to_check = DeckCheck.objects.filter(draw__tournament=here, checked_at=None).order_by()
    given = Penalty.objects.filter(STANDING, tournament=here).order_by()
    checks = to_check.values("draw__tournament").annotate(n=Count("pk")).values("n")
    penalties = given.values("tournament").annotate(n=Count("pk")).values("n")
    found = Tournament.objects.filter(pk=tournament.pk).values_list(
        Coalesce(Subquery(newest), 0),
        Coalesce(Subquery(checks), 0),
        Coalesce(Subquery(penalties), 0),
        Exists(ImportedFile.objects.filter(tournament=here)),
        Exists(Absence.objects.filter(pairing__round__stage__tournament=here, applied_at=None)),
    )
    return Work(*found.get())
