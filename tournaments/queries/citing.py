"""Which rulings judges have cited at an event, and where; for judges only."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from rulings.models import JudgeNote, NoteCitation, RulingVersion
from rulings.queries import cited_versions
from tournaments.models import LocalRuling, Pairing, Penalty, Tournament


@dataclass(frozen=True)
class CitedAt:
    """A note that cites a ruling: at a table, with a penalty, or for a ruling of this event."""

    note: JudgeNote
    at: datetime
    pairing: Pairing | None = None
    penalty: Penalty | None = None
    local: LocalRuling | None = None


@dataclass(frozen=True)
class CitedHere:
    """A version of a ruling as it was cited; `newest` is the number of the newest one by now."""

    version: RulingVersion
    newest: int
    places: Sequence[CitedAt]


def cited_at(tournament: Tournament) -> list[CitedHere]:
    """What was cited at the event, the most first, each with its places; five queries."""
    tables = Pairing.objects.filter(round__stage__tournament=tournament, match__isnull=False)
    by_match = {table.match_id: table for table in tables.select_related("round__stage")}
    given = tournament.penalties.select_related("registration__player", "pairing__round")
    made = tournament.local_rulings.filter(basis__isnull=False).select_related("ruling")
    places: dict[int | None, dict[str, Any]] = {
        penalty.note_id: {"penalty": penalty, "pairing": penalty.pairing} for penalty in given
    }
    places |= {local.basis_id: {"local": local} for local in made}
    here = Q(note__match__in=tables.values("match")) | Q(note__in=list(places))
    cited = cited_versions().filter(here).select_related("note__author")
    found: dict[tuple[int, int], list[NoteCitation]] = defaultdict(list)
    for citation in cited.order_by("note", "position"):
        found[citation.version.ruling_id, citation.version.number].append(citation)
    rows = [
        CitedHere(
            version=citations[0].version,
            newest=citations[0].newest,  # type: ignore[attr-defined]
            places=[_place(one.note, by_match, places) for one in citations],
        )
        for citations in found.values()
    ]
    return sorted(rows, key=lambda row: (-len(row.places), row.version.ruling.short_code))


def _place(
    note: JudgeNote,
    by_match: Mapping[int | None, Pairing],
    places: Mapping[int | None, dict[str, Any]],
) -> CitedAt:
    where = places.get(note.pk) or {"pairing": by_match.get(note.match_id)}
    return CitedAt(note, note.created_at, **where)
