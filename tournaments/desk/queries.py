"""Queries on the event log, earlier standings and pairings, and the judges' work."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import (
    Absence,
    DeckCheck,
    ImportedFile,
    LogEntry,
    Penalty,
    Tournament,
)
from tournaments.models.penalties import IN_FORCE


@dataclass(frozen=True)
class DeskCounts:
    """Newest log entry, decks still to be checked, and penalties in force.

    `has_absences` is True while a player is reported missing at any table.
    """

    newest_entry: int
    checks: int
    penalties: int
    is_imported: bool
    has_absences: bool


def desk_counts(tournament: Tournament) -> DeskCounts:
    """Load the work in one query; `newest_entry` grows with every change of the event."""
    here = OuterRef("pk")
    newest = LogEntry.objects.filter(tournament=here).order_by("-pk").values("pk")[:1]
    to_check = DeckCheck.objects.filter(draw__tournament=here, checked_at=None).order_by()
    given = Penalty.objects.filter(IN_FORCE, tournament=here).order_by()
    checks = to_check.values("draw__tournament").annotate(n=Count("pk")).values("n")
    penalties = given.values("tournament").annotate(n=Count("pk")).values("n")
    found = Tournament.objects.filter(pk=tournament.pk).values_list(
        Coalesce(Subquery(newest), 0),
        Coalesce(Subquery(checks), 0),
        Coalesce(Subquery(penalties), 0),
        Exists(ImportedFile.objects.filter(tournament=here)),
        Exists(Absence.objects.filter(pairing__round__stage__tournament=here, applied_at=None)),
    )
    return DeskCounts(*found.get())
