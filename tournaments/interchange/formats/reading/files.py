"""A whole file: its heading, players, rounds and cut as one event, and what its games come to."""

from collections.abc import Sequence

from core import json_guard
from core.json_guard import Json, NotJson
from tournaments.interchange.formats import computing, counting
from tournaments.interchange.formats.reading import cuts, heading, players, rounds
from tournaments.interchange.formats.reading.players import Players
from tournaments.interchange.formats.reading.values import Place
from tournaments.interchange.formats.records import FileEvent, FileRefused, FileRound, Read

MOST_BYTES = 10_000_000
MOST_VALUES = 1_500_000


def read(data: bytes | str, *, game: str | None = None) -> Read:
    """The event of a file, its standings as its games make them, and what differs.

    `game` overrules what the file says; without either it is that of AlwaysBeRunning. Raise
    FileRefused for what is no tournament file of another program.
    """
    event = _event(Place(_parsed(data)), game)
    return computing.compute(event)


def _parsed(data: bytes | str) -> Json:
    if len(data) > MOST_BYTES:
        raise FileRefused(f"The file has more than {MOST_BYTES:,} bytes.", "$")
    try:
        return json_guard.parse(data, most_values=MOST_VALUES)
    except NotJson as refusal:
        raise FileRefused(str(refusal), "$") from refusal


def _event(file: Place, game: str | None) -> FileEvent:
    if file.object().value.get("datafort") is not None:
        raise file.at("datafort").refusal("This is a document of our own, no tournament file.")
    top = heading.read(file, game)
    field = players.read(file.at("players"))
    preliminary = file.at("preliminaryRounds").whole(0, rounds.MOST_ROUNDS) or 0
    games = rounds.sorted_games(file.at("rounds"), preliminary)
    notes = rounds.Notes()
    single = rounds.is_single(games.swiss)
    swiss = tuple(rounds.swiss_round(one, field, single, notes) for one in games.swiss)
    cut = cuts.read(games.cut, file.at("eliminationPlayers"), field)
    return counting.counted(
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
    """How many are in the cut: as it says, else as many as play in it."""
    stated = place.whole(0, players.MOST_PLAYERS) or 0
    playing = {seat.id for one in cut_rounds for table in one.tables for seat in table.seats}
    return min(stated, len(field.in_order)) or len(playing)
