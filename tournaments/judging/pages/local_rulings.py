"""The local rulings of an event, each as it holds there."""

from dataclasses import dataclass

from django.utils import timezone

from rulings.models import RulingVersion
from rulings.queries import standing_on
from tournaments.judging import queries as judging_queries
from tournaments.models import LocalRuling, Tournament


@dataclass(frozen=True)
class LocalLine:
    """A local ruling and the words that hold, or held, at the event."""

    local: LocalRuling
    version: RulingVersion | None
    has_ended: bool


def local_lines(tournament: Tournament) -> list[LocalLine]:
    """In the order they were made; those of a finished event as they read at its end."""
    ended = tournament.finished_at
    day = timezone.localdate(ended) if ended else timezone.localdate()
    lines = []
    for local in judging_queries.of_event(tournament):
        standing = standing_on(local.ruling, day)
        lines.append(LocalLine(local, standing.version, standing.has_ended))
    return lines
