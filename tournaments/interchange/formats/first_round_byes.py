"""Find first-round byes that a file counts but does not list.

Cobra omits a player with a bye from round 1 but adds the points.
"""

from collections.abc import Sequence
from dataclasses import replace

from tournaments.interchange.formats import computing
from tournaments.interchange.formats.records import FileBye, FileEvent, FileRound


def unlisted_byes(event: FileEvent, usual_points: int) -> tuple[FileBye, ...]:
    """Return the byes that explain the stated points of players absent from round 1.

    The stated points of such a player exceed those of their games by exactly one bye. It is worth
    `usual_points` or as much as another bye in the file.
    """
    if not event.rounds or not event.rounds[0].counts:
        return ()
    worth = {usual_points, *(bye.points for one in event.rounds for bye in one.byes)} - {0}
    present = _players_of(event.rounds[0])
    made = computing.match_points(event)
    missing = {
        player.id: player.stated.match_points - made[player.id]
        for player in event.players
        if player.id not in present and player.stated.match_points is not None
    }
    return tuple(FileBye(id_, int(points)) for id_, points in missing.items() if points in worth)


def with_byes(event: FileEvent, byes: Sequence[FileBye]) -> FileEvent:
    """Add these byes to round 1."""
    first, *others = event.rounds
    return replace(event, rounds=(replace(first, byes=(*first.byes, *byes)), *others))


def _players_of(round_: FileRound) -> set[int | str]:
    seated = {seat.id for table in round_.tables for seat in table.seats}
    return seated | {bye.id for bye in round_.byes}
