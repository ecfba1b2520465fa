"""Earlier versions of the standings, and their differences."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import LogEntry, Standing, StandingSnapshot, Tournament
from tournaments.undo import queries


@dataclass(frozen=True)
class StandingsVersion:
    """A computation of the standings after a round; the newest per round is in force."""

    snapshot: StandingSnapshot
    number: int
    is_in_force: bool


@dataclass(frozen=True)
class StandingsDifference:
    """A player's old and new rank and points; None if missing from that version."""

    name: str
    rank_before: int | None
    rank_now: int | None
    points_before: object
    points_now: object


def standings_versions_by_round(tournament: Tournament) -> dict[int, list[StandingsVersion]]:
    """All versions by round number, oldest first; one query."""
    by_round: dict[int, list[StandingSnapshot]] = {}
    for snapshot in queries.standings_snapshots(tournament):
        by_round.setdefault(snapshot.round.number, []).append(snapshot)
    return {
        number: [
            StandingsVersion(snapshot, place, is_in_force=place == len(found))
            for place, snapshot in enumerate(found, start=1)
        ]
        for number, found in by_round.items()
    }


def pairings_by_round(entries: Iterable[LogEntry]) -> dict[int, list[LogEntry]]:
    """Group log entries with pairings by round number."""
    by_round: dict[int, list[LogEntry]] = {}
    for entry in entries:
        number = entry.round.number if entry.round else _number_in_subject(entry)
        if number is not None:
            by_round.setdefault(number, []).append(entry)
    return by_round


def _number_in_subject(entry: LogEntry) -> int | None:
    """A discarded draft leaves only its subject in the log, such as "round 3"."""
    word, _, number = entry.subject.partition(" ")
    return int(number) if word == "round" and number.isdigit() else None


def standings_differences(snapshot: StandingSnapshot) -> list[StandingsDifference] | None:
    """Players whose rank or points differ from the previous version; None for the first."""
    before = queries.previous_snapshot(snapshot)
    if before is None:
        return None
    had, now = queries.standings_by_number(before), queries.standings_by_number(snapshot)
    numbers = sorted(had.keys() | now.keys(), key=lambda number: _rank_order(now.get(number)))
    lines = (_standings_difference(had.get(number), now.get(number)) for number in numbers)
    return [line for line in lines if line is not None]


def _rank_order(row: Standing | None) -> tuple[bool, int]:
    return (row is None, 0 if row is None else row.rank)


def _standings_difference(had: Standing | None, now: Standing | None) -> StandingsDifference | None:
    row = now or had
    assert row is not None
    before = (had.rank, had.match_points) if had else (None, None)
    after = (now.rank, now.match_points) if now else (None, None)
    if before == after:
        return None
    return StandingsDifference(
        row.registration.player.name, before[0], after[0], before[1], after[1]
    )
