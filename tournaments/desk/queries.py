"""Counts for the desk."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from matches.models import Match, ResultReport
from tournaments.models import Absence, DeckCheck, ImportedFile, LogEntry, Penalty, Tournament
from tournaments.models.penalties import IN_FORCE


@dataclass(frozen=True)
class DeskCounts:
    # Primary key of the newest log entry: grows with every change of the event.
    newest_entry: int
    # Decks still to be checked.
    checks: int
    # In force.
    penalties: int
    is_imported: bool
    # True if a player is reported missing at any table.
    has_absences: bool


def desk_counts(tournament: Tournament) -> DeskCounts:
    """Load all counts in one query."""
    event = OuterRef("pk")
    newest = LogEntry.objects.filter(tournament=event).order_by("-pk").values("pk")[:1]
    open_checks = DeckCheck.objects.filter(draw__tournament=event, checked_at=None).order_by()
    in_force = Penalty.objects.filter(IN_FORCE, tournament=event).order_by()
    checks = open_checks.values("draw__tournament").annotate(n=Count("pk")).values("n")
    penalties = in_force.values("tournament").annotate(n=Count("pk")).values("n")
    counts = Tournament.objects.filter(pk=tournament.pk).values_list(
        Coalesce(Subquery(newest), 0),
        Coalesce(Subquery(checks), 0),
        Coalesce(Subquery(penalties), 0),
        Exists(ImportedFile.objects.filter(tournament=event)),
        Exists(Absence.objects.filter(pairing__round__stage__tournament=event, applied_at=None)),
    )
    return DeskCounts(*counts.get())


def newest_reports(matches: Iterable[Match]) -> dict[int, ResultReport]:
    """Return the newest report of a player for each match; at most one query."""
    ids = [match.pk for match in matches]
    if not ids:
        return {}
    by_players = ResultReport.objects.filter(match__in=ids, seat__isnull=False)
    reports = by_players.select_related("seat__player").order_by("pk")
    return {report.match_id: report for report in reports}
