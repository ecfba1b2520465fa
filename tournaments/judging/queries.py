"""Queries on judge calls, cited rulings and local rulings of an event."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Prefetch, Q, QuerySet
from django.utils import timezone

from core.text import comparison_key
from decks.models import Card
from matches.models import Match
from players.models import User
from rulings import queries as rulings_queries
from rulings.models import JudgeCall, JudgeNote, NoteCitation, Ruling, RulingVersion
from rulings.queries import cited_versions, standing_on
from tournaments.models import LocalRuling, Pairing, Penalty, Tournament
from tournaments.models.rounds import SEATS

# Filter for calls still to be answered.
OPEN_CALL = {"answered_at": None, "withdrawn_at": None}
# Filters for calls that reached the head judge, by their name in the form.
CALL_KIND_FILTERS = {
    "appeal": {"appeals__isnull": False},
    "escalated": {"escalated_at__isnull": False},
}


@dataclass(frozen=True)
class TableCall:
    call: JudgeCall
    pairing: Pairing


def has_calls(match: Match) -> bool:
    return JudgeCall.objects.filter(match=match).exists()


def calls_of_match(match: Match) -> QuerySet[JudgeCall]:
    newest_first = F("answered_at").desc(nulls_last=True)
    return _calls_with_relations().filter(match=match).order_by(newest_first)


def open_calls(tournament: Tournament, known_tables: Iterable[Pairing] = ()) -> list[TableCall]:
    """Unanswered calls with their tables, oldest first.

    `known_tables` are not loaded again.
    """
    return _with_pairings(calls_of_event(tournament).filter(**OPEN_CALL), known_tables)


def past_calls(
    tournament: Tournament,
    *,
    round_number: int | None = None,
    judges: Collection[int] | None = None,
    kind: str = "",
) -> list[TableCall]:
    """Return the closed calls with their tables, newest first.

    `judges` are pks of the answering accounts, `kind` is a key of CALL_KIND_FILTERS.
    """
    calls = calls_of_event(tournament).exclude(**OPEN_CALL)
    calls = calls.filter(**CALL_KIND_FILTERS.get(kind, {}))
    if judges is not None:
        calls = calls.filter(answered_by__in=judges)
    if round_number is not None:
        tables = Pairing.objects.of_event(tournament).filter(round__number=round_number).tables()
        calls = calls.filter(match__in=tables.values("match"))
    return _with_pairings(calls.order_by("-pk"))


def rounds_with_calls(tournament: Tournament) -> list[int]:
    matches = calls_of_event(tournament).order_by().values("match")
    tables = Pairing.objects.filter(match__in=matches)
    return sorted(set(tables.values_list("round__number", flat=True)))


def judges_of_calls(tournament: Tournament) -> list[User]:
    answered = calls_of_event(tournament).exclude(answered_by=None).order_by().values("answered_by")
    judges = User.objects.filter(pk__in=answered).select_related("player")
    return sorted(judges, key=lambda judge: judge.staff_name.casefold())


def all_calls(tournament: Tournament) -> list[TableCall]:
    return _with_pairings(calls_of_event(tournament).order_by("pk"))


def public_judge_name(judge: User | None) -> str | None:
    return None if judge is None else judge.public_name or "Judge"


def judges_by_name(judges: Iterable[User], name: str) -> list[int]:
    return [judge.pk for judge in judges if name in (judge.username, judge.staff_name)]


def find_call(tournament: Tournament, pk: int) -> TableCall | None:
    """Return a call of the event with its table; None if the pk belongs to a different event."""
    return next(iter(_with_pairings(calls_of_event(tournament).filter(pk=pk))), None)


def previous_calls(tournament: Tournament, call: JudgeCall) -> list[TableCall]:
    """Previous calls of this table, and of its players at any table, newest first."""
    players = call.match.seats.values("player")
    calls = calls_of_event(tournament).filter(match__seats__player__in=players).exclude(pk=call.pk)
    return _with_pairings(calls.distinct().order_by("-pk"))


def pairing_of_match(match: Match) -> Pairing:
    return Pairing.objects.select_related("round__stage__tournament").get(match=match)


def _calls_with_relations() -> QuerySet[JudgeCall]:
    calls = JudgeCall.objects.select_related(
        *("player", "user__player", "taken_by__player", "answered_by__player"),
        *("escalated_by__player", "note", "appeal", "appeals__note"),
        "appeals__answered_by__player",
    )
    return calls.prefetch_related(
        Prefetch("note__citations", cited_versions()),
        Prefetch("appeals__note__citations", cited_versions()),
    )


def calls_of_event(tournament: Tournament) -> QuerySet[JudgeCall]:
    tables = Pairing.objects.of_event(tournament).tables()
    return _calls_with_relations().filter(match__in=tables.values("match"))


def _with_pairings(
    calls: QuerySet[JudgeCall], known_tables: Iterable[Pairing] = ()
) -> list[TableCall]:
    loaded = list(calls)
    by_match = {table.match_id: table for table in known_tables}
    if missing := [call.match_id for call in loaded if call.match_id not in by_match]:
        tables = Pairing.objects.filter(match__in=missing).prefetch_related(SEATS)
        tables = tables.select_related("match", "round__stage__tournament")
        by_match.update((table.match_id, table) for table in tables)
    return [TableCall(call, by_match[call.match_id]) for call in loaded]


@dataclass(frozen=True)
class CitationPlace:
    """A note that cites a ruling: at a table, on a penalty, or as basis of a local ruling."""

    note: JudgeNote
    at: datetime
    pairing: Pairing | None = None
    penalty: Penalty | None = None
    local: LocalRuling | None = None


@dataclass(frozen=True)
class RulingCitations:
    """A cited version of a ruling; `newest` is the number of its current version."""

    version: RulingVersion
    newest: int
    places: Sequence[CitationPlace]


def cited_rulings(tournament: Tournament) -> list[RulingCitations]:
    """Rulings cited at the event, most cited first, with their places; five queries."""
    tables = Pairing.objects.of_event(tournament).tables()
    by_match = {table.match_id: table for table in tables.select_related("round__stage")}
    penalties = tournament.penalties.select_related("registration__player", "pairing__round")
    local_rulings = tournament.local_rulings.filter(basis__isnull=False).select_related("ruling")
    subjects: dict[int | None, dict[str, Any]] = {
        penalty.note_id: {"penalty": penalty, "pairing": penalty.pairing} for penalty in penalties
    }
    subjects |= {local.basis_id: {"local": local} for local in local_rulings}
    at_event = Q(note__match__in=tables.values("match")) | Q(note__in=list(subjects))
    cited = cited_versions().filter(at_event).select_related("note__author__player")
    by_version: dict[tuple[int, int], list[NoteCitation]] = defaultdict(list)
    for citation in cited.order_by("note", "position"):
        by_version[citation.version.ruling_id, citation.version.number].append(citation)
    rows = [
        RulingCitations(
            version=citations[0].version,
            newest=citations[0].newest,  # type: ignore[attr-defined]
            places=[_citation_place(citation.note, by_match, subjects) for citation in citations],
        )
        for citations in by_version.values()
    ]
    return sorted(rows, key=lambda row: (-len(row.places), row.version.ruling.short_code))


def _citation_place(
    note: JudgeNote,
    by_match: Mapping[int | None, Pairing],
    subjects: Mapping[int | None, dict[str, Any]],
) -> CitationPlace:
    subject = subjects.get(note.pk) or {"pairing": by_match.get(note.match_id)}
    return CitationPlace(note, note.created_at, **subject)


def local_rulings_of(tournament: Tournament) -> QuerySet[LocalRuling]:
    basis = rulings_queries.with_citations(JudgeNote.objects.all())
    rulings = rulings_queries.rulings_in_full(Ruling.objects.all())
    return tournament.local_rulings.prefetch_related(
        Prefetch("ruling", rulings), Prefetch("basis", basis)
    )


@dataclass(frozen=True)
class LocalRulingLine:
    local: LocalRuling
    version: RulingVersion | None
    has_ended: bool


def local_ruling_lines(tournament: Tournament) -> list[LocalRulingLine]:
    """Local rulings, oldest first; for a finished event, as of its end."""
    ended = tournament.finished_at
    day = timezone.localdate(ended) if ended else timezone.localdate()
    lines = []
    for local in local_rulings_of(tournament):
        standing = standing_on(local.ruling, day)
        lines.append(LocalRulingLine(local, standing.version, standing.has_ended))
    return lines


def has_local_rulings(tournament: Tournament) -> bool:
    return tournament.local_rulings.exists()


def usable_rulings(user: User | None, tournament: Tournament) -> QuerySet[Ruling]:
    """Local rulings of this event, and of events where the account had a role."""
    # Rulings of earlier events must not be withdrawn.
    own_events = LocalRuling.objects.filter(
        made_here=True, tournament__staff__user=user, tournament__game=tournament.game
    )
    in_use = Q(pk__in=tournament.local_rulings.values("ruling"))
    earlier = Q(pk__in=own_events.values("ruling"), withdrawn_on=None)
    return Ruling.objects.filter(in_use | earlier)


def offered_rulings(user: User | None, tournament: Tournament) -> list[Ruling]:
    in_use = tournament.local_rulings.values("ruling")
    offered = usable_rulings(user, tournament).exclude(pk__in=in_use)
    return list(rulings_queries.rulings_in_full(offered).order_by("-pk"))


def card_by_title(title: str, game: str) -> Card | None:
    key = comparison_key(title)
    named = Q(title_key=key) | Q(aliases__alias_key=key)
    return Card.objects.filter(named, game=game).distinct().first() if key else None
