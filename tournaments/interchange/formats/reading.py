"""Read a whole file into an event, and compute its standings.

This also decides which rounds count. Programs export rounds that were paired but not played, or not
closed; the stated points show if the last round was closed.
"""

from collections.abc import Sequence
from dataclasses import replace

from core import json_guard
from core.json_guard import Json, NotJson
from tournaments.interchange.formats import computing, file_cuts, file_heading, file_rounds
from tournaments.interchange.formats.file_heading import Players
from tournaments.interchange.formats.file_values import Place
from tournaments.interchange.formats.records import (
    STRENGTHS,
    FileEvent,
    FileRefused,
    FileRound,
    Read,
)

MOST_BYTES = 10_000_000
MOST_VALUES = 1_500_000


def read(data: bytes | str, *, game: str | None = None) -> Read:
    """Read a file; return its event, computed standings and differences.

    `game` overrides the file; the default is the game of AlwaysBeRunning. Raises FileRefused if
    this is not a tournament file of another program.
    """
    event = _event_of(Place(_parsed(data)), game)
    return computing.compute(event)


def _parsed(data: bytes | str) -> Json:
    if len(data) > MOST_BYTES:
        raise FileRefused(f"The file has more than {MOST_BYTES:,} bytes.", "$")
    try:
        return json_guard.parse(data, most_values=MOST_VALUES)
    except NotJson as refusal:
        raise FileRefused(str(refusal), "$") from refusal


def _event_of(file: Place, game: str | None) -> FileEvent:
    if file.object().value.get("datafort") is not None:
        raise file.at("datafort").refusal("This is a Datafort document, not a tournament file.")
    top = file_heading.read_heading(file, game)
    field = file_heading.read_players(file.at("players"))
    preliminary = file.at("preliminaryRounds").whole(0, file_rounds.MOST_ROUNDS) or 0
    games = file_rounds.sorted_games(file.at("rounds"), preliminary)
    notes = file_rounds.Notes()
    single = file_rounds.is_single(games.swiss)
    swiss = tuple(file_rounds.swiss_round(one, field, single, notes) for one in games.swiss)
    cut = file_cuts.read_cut(games.cut, file.at("eliminationPlayers"), field)
    return counted(
        FileEvent(
            name=top.name,
            dialect=top.dialect,
            game=top.game,
            system="single" if single else "double",
            players=field.in_order,
            rounds=swiss,
            cut_rounds=cut.rounds,
            cut_size=_cut_size(file.at("cutToTop"), cut.rounds, field),
            placings=cut.placings,
            date=top.date,
            owner=top.owner,
            abr_event=top.abr_event,
            page=top.page,
            notices=(*top.notices, *field.notices, *notes.sentences(), *cut.notices),
        )
    )


def _cut_size(place: Place, cut_rounds: Sequence[FileRound], field: Players) -> int:
    """Stated size of the cut, else the number of players in its games."""
    stated = place.whole(0, file_heading.MOST_PLAYERS) or 0
    playing = {seat.id for one in cut_rounds for table in one.tables for seat in table.seats}
    return min(stated, len(field.in_order)) or len(playing)


def counted(event: FileEvent) -> FileEvent:
    """Mark the rounds that count, with a notice for each unclear case."""
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
    # Byes have points as soon as the round is paired.
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
    """Return True if the stated points exclude the last round although it has all results."""
    if not any(player.stated.match_points for player in event.players):
        return False
    return _wrong_points(event) > 0 and _wrong_points(without) == 0


def _disagreement(event: FileEvent) -> tuple[int, int]:
    """Number of players with differing points, and of differing strengths."""
    fields = [one.field for one in computing.compute(event).differences]
    return _wrong_points(event), sum(field in STRENGTHS for field in fields)


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
