"""Judge notes, and statistics on cited rulings."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Prefetch, QuerySet

from matches.models import Match
from rulings.models import DocumentKind, JudgeNote, NoteCitation, Ruling
from rulings.queries.reading import in_order


@dataclass(frozen=True)
class CitedRuling:
    """A ruling with the number of notes that cite it and the time of the last."""

    ruling: Ruling
    times: int
    last_at: datetime


def notes_of(match: Match) -> QuerySet[JudgeNote]:
    """Return the notes of a match, oldest first, with authors and cited versions."""
    return with_citations(JudgeNote.objects.filter(match=match).order_by("pk"))


def with_citations(notes: QuerySet[JudgeNote]) -> QuerySet[JudgeNote]:
    """Prefetch the data for a page of notes in a fixed number of queries."""
    return notes.select_related("author__player").prefetch_related(
        Prefetch("citations", cited_versions())
    )


def cited_versions() -> QuerySet[NoteCitation]:
    """Return citations with versions; `newest` is the number of the ruling's newest version."""
    cited = NoteCitation.objects.annotate(newest=Max("version__ruling__versions__number"))
    return cited.select_related("version__ruling__document").order_by("note", "position")


def times_cited(ruling: Ruling) -> int:
    """Count the notes that cite any version of the ruling, excluding practice events."""
    return _counted().filter(version__ruling=ruling).count()


def citation_counts(game: str = "") -> QuerySet[Any, Any]:
    """Return rows of `ruling_id`, `times` and `last_at` for all cited rulings, most cited first.

    Includes all kinds of notes and all versions. Local rulings are excluded, because they apply
    only to their event. `game` filters by game.
    """
    cited = _counted().exclude(version__ruling__document__kind=DocumentKind.LOCAL)
    if game:
        cited = cited.filter(version__ruling__document__game=game)
    rows = cited.order_by().values(ruling_id=F("version__ruling"))
    counted = rows.annotate(times=Count("pk"), last_at=Max("note__created_at"))
    return counted.order_by("-times", "-last_at", "ruling_id")


def most_cited(rows: Iterable[dict[str, Any]]) -> list[CitedRuling]:
    """Load the rulings of rows from `citation_counts`, in a fixed number of queries."""
    counted = {row["ruling_id"]: row for row in rows}
    return [
        CitedRuling(ruling, counted[ruling.pk]["times"], counted[ruling.pk]["last_at"])
        for ruling in in_order(counted)
    ]


def _counted() -> QuerySet[NoteCitation]:
    return NoteCitation.objects.filter(note__is_practice=False)
