"""A cut as tournament files tell it: its games in order of the bracket, and its places."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.bracket import ResultRefused
from matches.scoring import Role
from tournaments.event import queries
from tournaments.interchange.formats.records import FilePlacing, FileRound, FileSeat, FileTable
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.rounds.elimination import corp_of, cut_of, winner_of


@dataclass(frozen=True)
class CutOfFile:
    """What a file tells of a cut; nothing before everybody sees it."""

    size: int = 0
    rounds: tuple[FileRound, ...] = ()
    placings: tuple[FilePlacing, ...] = ()


def cut_of_file(
    tournament: Tournament,
    rounds: Iterable[Round],
    pairings: Mapping[int, Sequence[Pairing]],
    numbers: Mapping[int, int],
) -> CutOfFile:
    """The cut of the event, once a round of it is published."""
    played = [round_ for round_ in rounds if round_.stage.way.is_elimination]
    if not played:
        return CutOfFile()
    placings = placings_of(played[-1].stage)
    return CutOfFile(
        len(placings),
        tuple(_round(round_, pairings[round_.pk], numbers) for round_ in played),
        placings,
    )


def placings_of(stage: Stage) -> tuple[FilePlacing, ...]:
    """The places of a cut, best first; one still open has no player."""
    try:
        cut = cut_of(stage)
    except ResultRefused:
        # Results that contradict each other: who came where is open until they are mended.
        size = queries.cut_entries(stage).count()
        return tuple(FilePlacing(rank, None) for rank in range(1, size + 1))
    places = ((rank, cut.placed(rank)) for rank in range(1, len(cut.entries) + 1))
    return tuple(
        FilePlacing(rank, player.number, cut.seeds[player.number])
        if player
        else FilePlacing(rank, None)
        for rank, player in places
    )


def _round(round_: Round, pairings: Iterable[Pairing], numbers: Mapping[int, int]) -> FileRound:
    # Readers draw the first column of the bracket in this order.
    ordered = sorted(pairings, key=lambda one: (one.bracket_game or 0, one.table_number or 0))
    tables = tuple(_table(pairing, numbers) for pairing in ordered if pairing.match is not None)
    return FileRound(tables, counts=round_.is_closed)


def _table(pairing: Pairing, numbers: Mapping[int, int]) -> FileTable:
    assert pairing.match is not None
    corp, winner = corp_of(pairing), winner_of(pairing)
    one, two = (
        FileSeat(numbers[seat.player_id], role=_role(seat.player_id, corp))
        for seat in pairing.match.seats.all()
    )
    return FileTable(
        number=pairing.table_number,
        seats=(one, two),
        winner=None if winner is None else numbers[winner],
    )


def _role(player: int, corp: int | None) -> Role | None:
    if corp is None:
        return None
    return Role.CORP if player == corp else Role.RUNNER
