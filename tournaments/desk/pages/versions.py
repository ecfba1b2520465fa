"""Earlier versions of the standings, and their differences."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.desk import queries as desk_queries
from tournaments.models import LogEntry, Standing, StandingSnapshot, Tournament


@dataclass(frozen=True)
class Version:
    """A computation of the standings after a round; the newest per round is in force."""

    snapshot: StandingSnapshot
    number: int
    is_in_force: bool


@dataclass(frozen=True)
class Moved:
    """A player's old and new rank and points; None if missing from that version."""

    name: str
    rank_before: int | None
    rank_now: int | None
    points_before: object
    points_now: object


def standings_by_round(tournament: Tournament) -> dict[int, list[Version]]:
    """All versions by round number, oldest first; one query."""
    by_round: dict[int, list[StandingSnapshot]] = {}
    for snapshot in desk_queries.snapshots(tournament):
        by_round.setdefault(snapshot.round.number, []).append(snapshot)
    return {
        number: [
            Version(snapshot, place, is_in_force=place == len(found))
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


def moved(snapshot: StandingSnapshot) -> list[Moved] | None:
    """Players whose rank or points differ from the previous version; None for the first."""
    before = desk_queries.snapshot_before(snapshot)
    if before is None:
        return None
    had, now = desk_queries.places_in(before), desk_queries.places_in(snapshot)
    numbers = sorted(had.keys() | now.keys(), key=lambda number: _order(now.get(number)))
    lines = (_moved(had.get(number), now.get(number)) for number in numbers)
    return [line for line in lines if line is not None]


def _order(row: Standing | None) -> tuple[bool, int]:
    return (row is None, 0 if row is None else row.rank)


def _moved(had: Standing | None, now: Standing | None) -> Moved | None:
    row = now or had
    assert row is not None
    before = (had.rank, had.match_points) if had else (None, None)
    after = (now.rank, now.match_points) if now else (None, None)
    if before == after:
        return None
    return Moved(row.registration.player.name, before[0], after[0], before[1], after[1])
