"""Cuts for tests, created and played through the services."""

from collections.abc import Iterable
from typing import Any

from matches.scoring.results import MatchResult, Role
from tests.factories.tournaments import (
    close_round,
    enter_result,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
    won_game,
)
from tournaments.models import Pairing, Registration, Round, Stage, Tournament
from tournaments.results import cuts
from tournaments.results.rules import CutChange, CutChangeKind
from tournaments.rounds import cut as rounds_cut

LEVEL = MatchResult((won_game(1, Role.CORP), won_game(2, Role.CORP)))
"""One game won by each player, with the same points."""


def event_with_cut(
    size: int = 4, *, players: int = 8, system: str = "double_elimination", **choices: Any
) -> Tournament:
    """An event with one Swiss round played and a cut of its best players."""
    tournament = make_event(players=players)
    play_round(tournament)
    make_cut(tournament, size, system=system, **choices)
    return fresh(tournament)


def make_cut(
    tournament: Tournament, size: int, *, system: str = "double_elimination", **choices: Any
) -> Stage:
    """A cut of the best players in the standings."""
    players = tournament.cut_candidates()[:size]
    return cuts.make_cut(tournament, players, owner_of(tournament), system=system, **choices)


def decline(stage: Stage, registration: Registration) -> Registration:
    """Let the player decline the place in the cut; return the replacement."""
    change = CutChange(CutChangeKind.DECLINE, registration.number)
    return cuts.change_cut(stage, change, owner_of(stage.tournament), "Ill").after[-1]


def stage_of(tournament: Tournament) -> Stage:
    stage = tournament.get_cut()
    assert stage is not None
    return stage


def seed(tournament: Tournament, number: int) -> Registration:
    entry = stage_of(tournament).entries.accepted().get(seed=number)
    return player_number(tournament, entry.registration.number)


def seeds_by_table(round_: Round) -> dict[int | None, set[int | None]]:
    """The seeds at each table, by the number of their bracket game."""
    seeds = {entry.registration.player_id: entry.seed for entry in round_.stage.entries.accepted()}
    return {
        pairing.bracket_game: {seeds[seat.player_id] for seat in pairing.match.seats.all()}
        for pairing in tables_of(round_)
    }


def play_cut_round(tournament: Tournament, winners: Iterable[int]) -> Round:
    """Play the next round of the cut from its draft to its close; these seeds win their games."""
    round_ = start_round(tournament)
    going_on = {seed(tournament, number).player_id for number in winners}
    for pairing in tables_of(round_):
        enter_result(pairing, win_of(pairing, going_on))
    close_round(round_)
    return get_round(tournament, round_.number)


def win_of(pairing: Pairing, going_on: set[int]) -> MatchResult:
    """Both games won by the player at the table who is to advance."""
    seats = list(pairing.match.seats.all())
    return sweep(1 if seats[0].player_id in going_on else 2)


def placings(tournament: Tournament) -> list[str | None]:
    """Names in the order of the bracket, None for an open place."""
    cut = rounds_cut.get_cut(stage_of(tournament))
    placed = [cut.player_at(rank) for rank in range(1, len(cut.entries) + 1)]
    return [str(placed_seed.player) if placed_seed else None for placed_seed in placed]
