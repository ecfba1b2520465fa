"""Figures about judge calls for the head judge: what is counted is plain records."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from tournaments.judging import queries as judging_queries
from tournaments.judging.queries import TableCall
from tournaments.models import Tournament

MOST_LISTED = 10
"""Tables and rulings in a list of the most."""


@dataclass(frozen=True)
class CallRecord:
    """One call. `judge` is who answered it, "" for nobody; `cited` are codes and names of rulings.

    `overturned` says of the answer to an appeal whether the first answer was wrong.
    """

    round_number: int
    table: int
    raised_at: datetime
    taken_at: datetime | None = None
    answered_at: datetime | None = None
    is_withdrawn: bool = False
    judge: str = ""
    is_appeal: bool = False
    was_escalated: bool = False
    overturned: bool | None = None
    minutes: int = 0
    cited: tuple[tuple[str, str], ...] = ()

    @property
    def until_taken(self) -> timedelta | None:
        """From the call until a judge was on the way; None where nobody said so."""
        return None if self.taken_at is None else self.taken_at - self.raised_at

    @property
    def until_answered(self) -> timedelta | None:
        """From the call until it was answered."""
        return None if self.answered_at is None else self.answered_at - self.raised_at


@dataclass(frozen=True)
class Waits:
    """The median and the longest of some waits."""

    median: timedelta
    longest: timedelta

    @property
    def in_words(self) -> tuple[str, str]:
        """Both in minutes and seconds: 1:30."""
        return _minutes(self.median), _minutes(self.longest)


def _minutes(span: timedelta) -> str:
    minutes, seconds = divmod(round(span.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"


@dataclass(frozen=True)
class JudgeFigures:
    """What one judge answered, and how long these tables waited."""

    judge: str
    answered: int
    until_taken: Waits | None
    until_answered: Waits | None


@dataclass(frozen=True)
class Appeals:
    """Appeals raised; those answered upheld or overturned the first answer."""

    raised: int
    upheld: int
    overturned: int

    @property
    def waiting(self) -> int:
        """Not answered, or taken back."""
        return self.raised - self.upheld - self.overturned


@dataclass(frozen=True)
class CallFigures:
    """All that is counted of the calls of an event; lists are in the order they are shown in.

    `by_round` are (round, calls), `tables` (round, table, calls), `cited` (code, name, times).
    """

    calls: int
    answered: int
    withdrawn: int
    escalated: int
    minutes: int
    appeals: Appeals
    until_taken: Waits | None
    until_answered: Waits | None
    by_round: list[tuple[int, int]]
    judges: list[JudgeFigures]
    tables: list[tuple[int, int, int]]
    cited: list[tuple[str, str, int]]

    @property
    def open(self) -> int:
        """Calls that wait for an answer."""
        return self.calls - self.answered - self.withdrawn


def call_figures(calls: Sequence[CallRecord]) -> CallFigures:
    """The figures of an event; a call taken back counts as raised, and in no wait for an answer."""
    answered = [call for call in calls if call.answered_at is not None]
    appeals = [call for call in calls if call.is_appeal]
    return CallFigures(
        calls=len(calls),
        answered=len(answered),
        withdrawn=sum(call.is_withdrawn for call in calls),
        escalated=sum(call.was_escalated for call in calls),
        minutes=sum(call.minutes for call in answered),
        appeals=Appeals(
            raised=len(appeals),
            upheld=sum(call.overturned is False for call in appeals),
            overturned=sum(call.overturned is True for call in appeals),
        ),
        until_taken=_waits(call.until_taken for call in calls),
        until_answered=_waits(call.until_answered for call in answered),
        by_round=sorted(Counter(call.round_number for call in calls).items()),
        judges=_judges(answered),
        tables=_tables(calls),
        cited=_cited(answered),
    )


def _waits(spans: Iterable[timedelta | None]) -> Waits | None:
    known = [span for span in spans if span is not None]
    if not known:
        return None
    middle = median(span.total_seconds() for span in known)
    return Waits(timedelta(seconds=middle), max(known))


def _judges(answered: Sequence[CallRecord]) -> list[JudgeFigures]:
    """Whoever answered most comes first; equal ones by name."""
    names = Counter(call.judge for call in answered if call.judge)
    ranked = sorted(names.items(), key=lambda item: (-item[1], item[0].casefold(), item[0]))
    return [_judge(name, [call for call in answered if call.judge == name]) for name, _ in ranked]


def _judge(name: str, answered: Sequence[CallRecord]) -> JudgeFigures:
    return JudgeFigures(
        judge=name,
        answered=len(answered),
        until_taken=_waits(call.until_taken for call in answered),
        until_answered=_waits(call.until_answered for call in answered),
    )


def _tables(calls: Sequence[CallRecord]) -> list[tuple[int, int, int]]:
    """Tables that called more than once, the most calls first."""
    counts = Counter((call.round_number, call.table) for call in calls)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(number, table, times) for (number, table), times in ranked if times > 1][:MOST_LISTED]


def _cited(answered: Sequence[CallRecord]) -> list[tuple[str, str, int]]:
    counts = Counter(one for call in answered for one in call.cited)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(code, name, times) for (code, name), times in ranked][:MOST_LISTED]


def figures_of(tournament: Tournament) -> CallFigures:
    """The figures of all calls of the event, open ones too; a constant number of queries."""
    lines = [*judging_queries.past_calls(tournament), *judging_queries.open_calls(tournament)]
    return call_figures([_record(line) for line in lines])


def _record(line: TableCall) -> CallRecord:
    call = line.call
    citations = call.note.citations.all() if call.note else ()
    rulings = [citation.version.ruling for citation in citations]
    return CallRecord(
        round_number=line.pairing.round.number,
        table=line.pairing.table_number or 0,
        raised_at=call.raised_at,
        taken_at=call.taken_at,
        answered_at=call.answered_at,
        is_withdrawn=call.withdrawn_at is not None,
        judge=str(call.answered_by or ""),
        is_appeal=call.appeals_id is not None,
        was_escalated=call.escalated_at is not None,
        overturned=call.overturned,
        minutes=call.minutes,
        cited=tuple((ruling.short_code, ruling.subject) for ruling in rulings),
    )
