"""Which rounds of a file count: those that were played.

Programs write rounds that are paired and not played, and rounds that were not closed yet; the
points that a file states tell whether its last round was.
"""

from collections.abc import Sequence
from dataclasses import replace

from tournaments.interchange.formats import computing
from tournaments.interchange.formats.records import FileEvent, FileRound


def counted(event: FileEvent) -> FileEvent:
    """The event with each round marked, and a notice where that was not plain."""
    rounds = [replace(round_, counts=_is_played(round_)) for round_ in event.rounds]
    notices = [
        f"Round {number} was paired and not played. It does not count."
        for number, round_ in enumerate(rounds, start=1)
        if not round_.counts
    ]
    event = replace(event, rounds=tuple(rounds), notices=(*event.notices, *notices))
    played = [place for place, round_ in enumerate(rounds) if round_.counts]
    return _with_last_decided(event, played[-1]) if played else event


def _is_played(round_: FileRound) -> bool:
    # Byes have their points as soon as a round is paired.
    if not round_.tables:
        return bool(round_.byes)
    return any(table.is_played for table in round_.tables)


def _with_last_decided(event: FileEvent, last: int) -> FileEvent:
    without = _without(event, last)
    open_tables = sum(not table.is_played for table in event.rounds[last].tables)
    if not open_tables:
        return _noted(without, _closed_late(last)) if _is_not_closed(event, without) else event
    leave = _disagreement(without) < _disagreement(event)
    said = "does not count" if leave else "counts"
    notice = (
        f"Round {last + 1} has tables without a result: {open_tables}. By the points that the "
        f"file states it {said}."
    )
    return _noted(without if leave else event, notice)


def _closed_late(last: int) -> str:
    return (
        f"Round {last + 1} has all its results, and the points that the file states are those "
        "before it. It does not count."
    )


def _is_not_closed(event: FileEvent, without: FileEvent) -> bool:
    """Whether the points stated are exactly those before a round that has all its results."""
    if not any(player.stated.match_points for player in event.players):
        return False
    return _wrong_points(event) > 0 and _wrong_points(without) == 0


def _disagreement(event: FileEvent) -> tuple[int, int]:
    """How many players have other points than stated; how many strengths differ besides."""
    told = [one.field for one in computing.compute(event).differences]
    return _wrong_points(event), sum(field in computing.STRENGTHS for field in told)


def _wrong_points(event: FileEvent) -> int:
    made = computing.match_points(event)
    stated = {player.id: player.stated.match_points for player in event.players}
    return sum(said is not None and said != made[id_] for id_, said in stated.items())


def _without(event: FileEvent, place: int) -> FileEvent:
    rounds: Sequence[FileRound] = event.rounds
    left_out = replace(rounds[place], counts=False)
    return replace(event, rounds=(*rounds[:place], left_out, *rounds[place + 1 :]))


def _noted(event: FileEvent, notice: str) -> FileEvent:
    return replace(event, notices=(*event.notices, notice))
