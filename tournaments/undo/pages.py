"""Earlier versions of pairings and standings, and their differences."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.event import visibility
from tournaments.event.pages import LoggedTable, logged_tables
from tournaments.event.permissions import Actor
from tournaments.models import LogAction, LogEntry, StandingSnapshot, Tournament
from tournaments.undo import queries


def visible_tables(entry: LogEntry, actor: Actor, tournament: Tournament) -> list[LoggedTable]:
    is_public = entry.action == LogAction.ROUND_PUBLISHED
    return logged_tables(entry) if is_public or visibility.can_see_drafts(actor, tournament) else []


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
    """Return all versions by round number, oldest first; one query."""
    by_round: dict[int, list[StandingSnapshot]] = {}
    rows = tournament.snapshots.select_related("round")
    for snapshot in rows.order_by("round__stage__number", "round__number", "pk"):
        by_round.setdefault(snapshot.round.number, []).append(snapshot)
    return {
        number: [
            StandingsVersion(snapshot, place, is_in_force=place == len(snapshots))
            for place, snapshot in enumerate(snapshots, start=1)
        ]
        for number, snapshots in by_round.items()
    }


def pairings_by_round(entries: Iterable[LogEntry]) -> dict[int, list[LogEntry]]:
    by_round: dict[int, list[LogEntry]] = {}
    for entry in entries:
        # A discarded draft leaves only its subject in the log, such as "round 3".
        word, _, number = entry.subject.partition(" ")
        if entry.round:
            by_round.setdefault(entry.round.number, []).append(entry)
        elif word == "round" and number.isdigit():
            by_round.setdefault(int(number), []).append(entry)
    return by_round


def standings_differences(snapshot: StandingSnapshot) -> list[StandingsDifference] | None:
    """Return players whose rank or points differ from the previous version; None for the first."""
    older = StandingSnapshot.objects.filter(round=snapshot.round_id, pk__lt=snapshot.pk)
    before = older.order_by("-pk").first()
    if before is None:
        return None
    old_rows, new_rows = queries.standings_by_number(before), queries.standings_by_number(snapshot)
    numbers = sorted(new_rows, key=lambda number: new_rows[number].rank)
    # Players who are missing from the new version come last.
    numbers += sorted(old_rows.keys() - new_rows.keys())
    differences = []
    for number in numbers:
        old, new = old_rows.get(number), new_rows.get(number)
        row = new or old
        assert row is not None
        difference = StandingsDifference(
            row.registration.player.name,
            rank_before=old.rank if old else None,
            rank_now=new.rank if new else None,
            points_before=old.match_points if old else None,
            points_now=new.match_points if new else None,
        )
        had = difference.rank_before, difference.points_before
        if had != (difference.rank_now, difference.points_now):
            differences.append(difference)
    return differences
