"""The tables of a round with all that was told about them, for the staff."""

from collections.abc import Iterator
from dataclasses import dataclass

from matches import records
from matches.comparison import ComparedField, compare
from matches.models import SPOKEN, Match, MatchState, ReportState, ResultReport
from matches.queries import factions as factions_kept
from matches.scoring import FACTIONS, MatchResult
from tournaments.event import queries
from tournaments.models import Pairing, Round

RESULT_ROWS = (
    "match__games__seats",
    "match__reports__seat__player",
    "match__reports__user",
)
STILL_STANDING = (*SPOKEN, ReportState.CONFIRMED)


@dataclass(frozen=True)
class Dispute:
    """What each player says now, field by field; `reports` and the values go together."""

    reports: tuple[ResultReport, ...]
    fields: tuple[ComparedField, ...]

    @property
    def rows(self) -> Iterator[tuple[ComparedField, list[tuple[str, str]]]]:
        """Each field with (who says so, what is said) for every report."""
        names = [report.seat.player.name for report in self.reports if report.seat]
        for field in self.fields:
            yield field, list(zip(names, field.values, strict=True))


def tables_with_reports(round_: Round) -> list[Pairing]:
    """Tables in order with all that a form for the result asks; a constant number of queries."""
    tables = queries.pairings_by_table(round_).exclude(match=None)
    found = list(tables.prefetch_related(*RESULT_ROWS))
    for pairing in found:
        pairing.round = round_
    return found


def last_told(match: Match) -> MatchResult:
    """What was told of a settled match, else what a player reported undisputed, else nothing.

    What a judge took is left out: a form that is saved as it is tells the same once more.
    """
    if match.is_settled:
        return records.told_result(match)
    if match.state == MatchState.DISPUTED:
        # Neither report may come before the other: who decides chooses.
        return MatchResult()
    report = max(_spoken(match), key=lambda entry: entry.pk, default=None)
    return records.from_document(report.result) if report else MatchResult()


def dispute_of(match: Match) -> Dispute:
    """The newest word of each player, the first seat first."""
    newest = {report.seat_id: report for report in _spoken(match)}
    reports = sorted(newest.values(), key=lambda report: report.seat.position)  # type: ignore[union-attr]
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    told = [records.from_document(report.result) for report in reports]
    factions = factions_kept() if any(result.factions for result in told) else FACTIONS
    return Dispute(tuple(reports), tuple(compare(told, names, factions)))


def _spoken(match: Match) -> list[ResultReport]:
    """Reports of players that still stand, oldest first."""
    return [
        report
        for report in sorted(match.reports.all(), key=lambda report: report.pk)
        if report.seat_id is not None and report.state in STILL_STANDING
    ]
