"""Playing of a bracket: from seeds and results to games, roles and placings (docs/rules.md).

**Roles.** In the first cut game of both players the higher seed chooses. Later the player with the
lower (Corp minus Runner) count within the cut is Corp. Ties are decided by a random draw that
depends only on the seed and the number of the game. The reset swaps the roles of the final.

If a result names the Corp player, its roles count. Otherwise the assigned roles count, or no roles
if the choice was never reported.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from engine.bracket.records import (
    Bracket,
    BracketSeat,
    BracketState,
    Game,
    GameState,
    GameWon,
    Half,
    LoserOf,
    NextGame,
    Placing,
    ResultRefused,
    RolesBy,
    Seeded,
    SeedsRefused,
    Source,
    WinnerOf,
)
from engine.standings import PlayerId
from engine.systems import IMPORTED
from matches.scoring import Role


def placings(
    bracket: Bracket, seeds: Sequence[PlayerId], states: Mapping[int, GameState]
) -> tuple[Placing, ...]:
    """Return every place, the winner first. The places of an unfinished round are open."""
    order = [*_finalists(bracket, states)]
    for games in reversed(_rounds_that_put_out(bracket)):
        losers = [states[game.number].loser for game in games]
        if None in losers:
            order += [None] * len(losers)
        else:
            order += [player for player in seeds if player in losers]
    return tuple(Placing(rank, player) for rank, player in enumerate(order, start=1))


def _finalists(
    bracket: Bracket, states: Mapping[int, GameState]
) -> tuple[PlayerId | None, PlayerId | None]:
    last = states[bracket.final.number]
    if bracket.reset is not None and last.winner is not None:
        reset = states[bracket.reset.number]
        last = reset if reset.is_needed else last
    return last.winner, last.loser


def _rounds_that_put_out(bracket: Bracket) -> list[list[Game]]:
    """Return the rounds whose losers are out, in order, without the final."""
    half = Half.UPPER if bracket.reset is None else Half.LOWER
    games = [game for game in bracket.games if game.half is half and game != bracket.final]
    in_order = sorted(games, key=lambda game: game.round)
    return [list(group) for _, group in groupby(in_order, key=lambda game: game.round)]


def is_out(bracket: Bracket, state: BracketState, player: PlayerId) -> bool:
    """Return True if the player lost a game whose loser plays no further game."""
    if bracket.system == IMPORTED:
        # Games of an imported cut have no following games, so only the stated places count.
        return any(placing.id == player for placing in state.placings)
    lost = [game for game in bracket.games if state.states[game.number].loser == player]
    return any(not _loser_plays_on(bracket, state, game) for game in lost)


def _loser_plays_on(bracket: Bracket, state: BracketState, game: Game) -> bool:
    return any(
        LoserOf(game.number) in other.sources and state.states[other.number].is_needed
        for other in bracket.games
    )


def rounds_left(bracket: Bracket, states: Mapping[int, GameState]) -> int:
    """Return the number of rounds until there is a winner, including the current round.

    Each round plays all games whose players are known. A reset counts once it is needed.
    """
    waits: dict[int, int] = {}
    for game in bracket.games:
        before = [waits[number] for source in game.sources for number in _awaited(bracket, source)]
        is_to_play = not states[game.number].is_over and states[game.number].is_needed is True
        waits[game.number] = 1 + max(before, default=0) if is_to_play else 0
    return max(waits.values())


def _awaited(bracket: Bracket, source: Source) -> list[int]:
    """Return the games that decide a source."""
    if isinstance(source, WinnerOf | LoserOf):
        return [source.game]
    if isinstance(source, Seeded):
        return []
    return [game.number for game in bracket.games if game.round == source.after_round]


def play(
    bracket: Bracket, seeds: Sequence[PlayerId], results: Sequence[GameWon], *, seed: int
) -> BracketState:
    """Return the bracket after these results, in any order; seeds are best first.

    Raises SeedsRefused. Raises ResultRefused if the game of a result is unknown, already has a
    result or cannot be played yet. It is also raised if the winner or Corp does not play in that
    game.
    """
    _check_seeds(bracket, seeds)
    reported = _by_game(bracket, results)
    table = _Table(bracket, seeds, seed)
    for game in bracket.games:
        table.enter(game, reported.get(game.number))
    return BracketState(
        games=tuple(table.next_games()),
        placings=placings(bracket, seeds, table.states),
        states=table.states,
    )


def _check_seeds(bracket: Bracket, seeds: Sequence[PlayerId]) -> None:
    if len(seeds) != bracket.size:
        raise SeedsRefused(
            f"The bracket is for {bracket.size} players, but {len(seeds)} are seeded.", "seeds"
        )
    for place, player in enumerate(seeds):
        if player in seeds[:place]:
            raise SeedsRefused(f"Player {player} is seeded twice.", f"seeds[{place}]")


# A result with its index in the document.
Reported = tuple[int, GameWon]


def _by_game(bracket: Bracket, results: Sequence[GameWon]) -> dict[int, Reported]:
    reported: dict[int, Reported] = {}
    for place, result in enumerate(results):
        path = f"results[{place}].game"
        if result.game not in bracket.by_number:
            raise ResultRefused(
                f"There is no game {result.game}; the games are 1 to {len(bracket.games)}.", path
            )
        if result.game in reported:
            raise ResultRefused(f"Game {result.game} has two results.", path)
        reported[result.game] = (place, result)
    return reported


class _Table:
    """The games entered so far, in the order of their numbers."""

    def __init__(self, bracket: Bracket, seeds: Sequence[PlayerId], seed: int) -> None:
        self.bracket, self.seeds, self.seed = bracket, seeds, seed
        self.places = {player: place for place, player in enumerate(seeds, start=1)}
        self.states: dict[int, GameState] = {}
        self.corp_minus_runner: Counter[PlayerId] = Counter()
        self.have_played: set[PlayerId] = set()

    def enter(self, game: Game, reported: Reported | None) -> None:
        """Set the players, roles and result of a game."""
        players = (self._player(game.sources[0]), self._player(game.sources[1]))
        state = GameState(game.number, players, is_needed=self._is_needed(game))
        if state.is_playable:
            state = self._with_roles(game, state)
        if reported is not None:
            _check_result(state, *reported)
            result = reported[1]
            corp = state.corp if result.corp is None else result.corp
            state = replace(state, corp=corp, winner=result.winner)
            self._count(state)
        self.states[game.number] = state

    def _player(self, source: Source) -> PlayerId | None:
        match source:
            case Seeded(seed):
                return self.seeds[seed - 1]
            case WinnerOf(game):
                return self.states[game].winner
            case LoserOf(game):
                return self.states[game].loser
        return self._still_in(source.after_round, source.place)

    def _still_in(self, after_round: int, place: int) -> PlayerId | None:
        played = [
            self.states[game.number] for game in self.bracket.games if game.round <= after_round
        ]
        if not all(state.is_over for state in played):
            return None
        out = {state.loser for state in played}
        return [player for player in self.seeds if player not in out][place - 1]

    def _is_needed(self, game: Game) -> bool | None:
        if game.half is not Half.RESET:
            return True
        final = self.states[self.bracket.final.number]
        return None if final.winner is None else final.winner == final.players[1]

    def _with_roles(self, game: Game, state: GameState) -> GameState:
        first, second = self._best_first(state)
        corp, roles_by = None, RolesBy.CHOICE
        if game.half is Half.RESET:
            corp, roles_by = self._runner_of_the_final(), RolesBy.FINAL
        elif self.have_played & {first, second}:
            balances = [self.corp_minus_runner[player] for player in (first, second)]
            if balances[0] == balances[1]:
                corp, roles_by = self._lot(game).choice((first, second)), RolesBy.LOT
            else:
                corp = first if balances[0] < balances[1] else second
                roles_by = RolesBy.COUNT
        return replace(state, corp=corp, roles_by=roles_by)

    def _runner_of_the_final(self) -> PlayerId | None:
        final = self.states[self.bracket.final.number]
        return next(player for player in final.players if player != final.corp)

    def _lot(self, game: Game) -> random.Random:
        # The draw must be repeatable, not unpredictable.
        return random.Random(f"{self.seed}/{game.number}")  # noqa: S311

    def _best_first(self, state: GameState) -> tuple[PlayerId, PlayerId]:
        first, second = state.players
        assert first is not None
        assert second is not None
        if self.places[first] < self.places[second]:
            return first, second
        return second, first

    def _count(self, state: GameState) -> None:
        for player in self._best_first(state):
            self.have_played.add(player)
            if state.corp is not None:
                self.corp_minus_runner[player] += 1 if player == state.corp else -1

    def next_games(self) -> list[NextGame]:
        return [self._next(state) for state in self.states.values() if state.is_playable]

    def _next(self, state: GameState) -> NextGame:
        first, second = self._best_first(state)
        assert state.roles_by is not None
        return NextGame(
            number=state.number,
            seats=(_seat(first, state), _seat(second, state)),
            roles_by=state.roles_by,
            chooser=first if state.roles_by is RolesBy.CHOICE else None,
        )


def _seat(player: PlayerId, state: GameState) -> BracketSeat:
    if state.corp is None:
        return BracketSeat(player, None)
    return BracketSeat(player, Role.CORP if player == state.corp else Role.RUNNER)


def _check_result(state: GameState, place: int, result: GameWon) -> None:
    path = f"results[{place}]"
    if state.is_needed is False:
        raise ResultRefused(
            f"Game {state.number} is not played: who came from the upper half won the final.",
            f"{path}.game",
        )
    if not state.is_playable:
        raise ResultRefused(
            f"Game {state.number} cannot be played yet: give the results of the games before it.",
            f"{path}.game",
        )
    for field, player in (("winner", result.winner), ("corp", result.corp)):
        if player not in state.players and (field == "winner" or player is not None):
            raise ResultRefused(
                f"Player {player} does not play game {state.number}; "
                f"players {state.players[0]} and {state.players[1]} do.",
                f"{path}.{field}",
            )
