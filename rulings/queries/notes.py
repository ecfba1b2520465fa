"""What judges wrote, and how often a ruling is cited."""

from django.db.models import QuerySet

from matches.models import Match
from rulings.models import JudgeNote, NoteCitation, Ruling


def notes_of(match: Match) -> QuerySet[JudgeNote]:
    """The notes of a match, oldest first, with authors and cited versions."""
    return with_citations(JudgeNote.objects.filter(match=match).order_by("pk"))


def with_citations(notes: QuerySet[JudgeNote]) -> QuerySet[JudgeNote]:
    """The notes with all that a page prints of them, in a fixed number of queries."""
    return notes.select_related("author").prefetch_related("citations__version__ruling")


def times_cited(ruling: Ruling) -> int:
    """How many notes cite any version of the ruling."""
    return NoteCitation.objects.filter(version__ruling=ruling).count()
