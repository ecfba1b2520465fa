"""Byes in round 1 that a file counts and does not list.

Cobra gives a player a first-round bye by leaving them out of round 1 and adding the points.
"""

from collections.abc import Sequence
from dataclasses import replace

from tournaments.interchange.formats import computing
from tournaments.interchange.formats.records import FileBye, FileEvent, FileRound


def unlisted_byes(event: FileEvent, usual_points: int) -> tuple[FileBye, ...]:
    """The byes that explain the stated points of players absent from round 1.

    The points of such a player are higher than those of their games by exactly one bye: of
    `usual_points`, or of what another bye of the file is worth.
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
    """The event with these byes in round 1."""
    first, *others = event.rounds
    return replace(event, rounds=(replace(first, byes=(*first.byes, *byes)), *others))


def _players_of(round_: FileRound) -> set[int | str]:
    seated = {seat.id for table in round_.tables for seat in table.seats}
    return seated | {bye.id for bye in round_.byes}
