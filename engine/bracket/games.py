"""Games of single and double elimination brackets (docs/reference/rules.md).

Double elimination drops the losers of an upper round in an order that avoids early second meetings:
see `crossing_masks`.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TypeAlias

from core.errors import Refusal
from engine.standings.records import PlayerId
from engine.systems import IMPORTED_CUT
from matches.scoring.results import Role


@dataclass(frozen=True)
class SeededPlayer:
    # Seed 1 is the best.
    seed: int


@dataclass(frozen=True)
class WinnerOf:
    game: int


@dataclass(frozen=True)
class LoserOf:
    game: int


@dataclass(frozen=True)
class RemainingSeed:
    after_round: int
    # Among the players still in, by seed; 1 is the best.
    place: int


PlayerSource: TypeAlias = SeededPlayer | WinnerOf | LoserOf | RemainingSeed


class BracketHalf(StrEnum):
    """Single elimination has only the upper part."""

    UPPER = "upper"
    LOWER = "lower"
    FINAL = "final"
    RESET = "reset"


class RolesBy(StrEnum):
    CHOICE = "choice"
    COUNT = "count"
    LOT = "lot"
    FINAL = "final"


@dataclass(frozen=True)
class BracketGame:
    number: int
    half: BracketHalf
    # Counted from 1 within each half, without gaps.
    round: int
    # In the final, the first comes from the upper half.
    sources: tuple[PlayerSource, PlayerSource]


@dataclass(frozen=True)
class Bracket:
    """All games in order. The players of a game come from games with lower numbers."""

    system: str
    size: int
    games: tuple[BracketGame, ...]
    is_reseeded: bool = False

    @cached_property
    def by_number(self) -> Mapping[int, BracketGame]:
        return {game.number: game for game in self.games}

    @property
    def final(self) -> BracketGame:
        """The deciding game, unless a reset follows."""
        return next(game for game in reversed(self.games) if game.half is not BracketHalf.RESET)

    @property
    def reset(self) -> BracketGame | None:
        return self.games[-1] if self.games[-1].half is BracketHalf.RESET else None


@dataclass(frozen=True)
class GameWon:
    game: int
    winner: PlayerId
    # The Corp player (of game 1 if there are two).
    corp: PlayerId | None = None


@dataclass(frozen=True)
class NextGameSeat:
    id: PlayerId
    # None while the higher seed still has to choose.
    role: Role | None


@dataclass(frozen=True)
class NextGame:
    number: int
    # Best seed first.
    seats: tuple[NextGameSeat, NextGameSeat]
    roles_by: RolesBy
    # Who may choose the roles.
    chooser: PlayerId | None


@dataclass(frozen=True)
class BracketGameState:
    number: int
    # In the order of the sources, None for an open place.
    players: tuple[PlayerId | None, PlayerId | None]
    corp: PlayerId | None = None
    # None until both players are known.
    roles_by: RolesBy | None = None
    winner: PlayerId | None = None
    # False for a reset that is not played, None while that is undecided.
    is_needed: bool | None = True

    @property
    def loser(self) -> PlayerId | None:
        if self.winner is None:
            return None
        return self.players[1] if self.winner == self.players[0] else self.players[0]

    @property
    def is_over(self) -> bool:
        return self.winner is not None or self.is_needed is False

    @property
    def is_playable(self) -> bool:
        return None not in self.players and not self.is_over and self.is_needed is True


@dataclass(frozen=True)
class Placing:
    rank: int
    # None while the place is open.
    id: PlayerId | None


@dataclass(frozen=True)
class BracketState:
    # Games that can be played next, by number.
    games: tuple[NextGame, ...]
    placings: tuple[Placing, ...]
    # Every game by number.
    states: Mapping[int, BracketGameState]

    @property
    def is_over(self) -> bool:
        return self.placings[0].id is not None


class BracketRefused(Refusal):
    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)


class UnknownSystem(BracketRefused):
    pass


class SeedsRefused(BracketRefused):
    pass


class ResultRefused(BracketRefused):
    pass


# The games of a bracket


def bracket_for(system: str, size: int, *, fixed: bool = False) -> Bracket:
    """Return the games of a cut of at least 2 players.

    A single elimination is reseeded after every round unless it is `fixed`; a double elimination is
    always fixed. Raises UnknownSystem, SeedsRefused.
    """
    if size < 2:
        raise SeedsRefused(f"A bracket needs at least 2 players, there are {size}.", "seeds")
    if system == "double_elimination":
        return Bracket(system, size, double_games(size))
    if system != "single_elimination":
        raise UnknownSystem(f"{system!r} is not a kind of elimination.", "system")
    if fixed:
        return Bracket(system, size, fixed_games(size))
    return Bracket(system, size, reseeded_games(size), is_reseeded=True)


@dataclass(frozen=True)
class BracketSlot:
    """A place for a game in the full bracket, which need not be played."""

    half: BracketHalf
    round: int
    place: int


@dataclass
class BracketAssembly:
    games: list[BracketGame] = field(default_factory=list)
    winners: dict[BracketSlot, PlayerSource | None] = field(default_factory=dict)
    losers: dict[BracketSlot, PlayerSource | None] = field(default_factory=dict)
    rounds: dict[BracketHalf, list[int]] = field(default_factory=dict)

    def add(
        self, slot: BracketSlot, first: PlayerSource | None, second: PlayerSource | None
    ) -> None:
        """Add a game between two sources, or pass a single source through."""
        if first is None or second is None:
            self.winners[slot], self.losers[slot] = first or second, None
            return
        number = len(self.games) + 1
        # Rounds without a game are not counted.
        rounds = self.rounds.setdefault(slot.half, [])
        if slot.round not in rounds:
            rounds.append(slot.round)
        round_ = rounds.index(slot.round) + 1
        self.games.append(BracketGame(number, slot.half, round_, (first, second)))
        self.winners[slot], self.losers[slot] = WinnerOf(number), LoserOf(number)


def rounds_to_winner(size: int) -> int:
    return (size - 1).bit_length()


def seed_order(rounds: int) -> list[int]:
    """Seeds in first-round order: 1, 8, 4, 5, 2, 7, 3, 6. The best two meet only in the final."""
    order = [1]
    for _ in range(rounds):
        last = 2 * len(order) + 1
        order = [paired for seed in order for paired in (seed, last - seed)]
    return order


def add_first_round(assembly: BracketAssembly, size: int) -> None:
    """Add round 1. Opponents of missing seeds have no game."""
    order = [
        SeededPlayer(seed) if seed <= size else None for seed in seed_order(rounds_to_winner(size))
    ]
    for place, (first, second) in enumerate(zip(order[::2], order[1::2], strict=True)):
        assembly.add(BracketSlot(BracketHalf.UPPER, 1, place), first, second)


def add_upper_round(assembly: BracketAssembly, round_: int, rounds: int) -> None:
    for place in range(1 << (rounds - round_)):
        first, second = (
            assembly.winners[BracketSlot(BracketHalf.UPPER, round_ - 1, feeder)]
            for feeder in (2 * place, 2 * place + 1)
        )
        assembly.add(BracketSlot(BracketHalf.UPPER, round_, place), first, second)


def fixed_games(size: int) -> tuple[BracketGame, ...]:
    """Return a fixed bracket: the winners of 1v8 and 4v5 meet, and so on."""
    assembly = BracketAssembly()
    add_first_round(assembly, size)
    rounds = rounds_to_winner(size)
    for round_ in range(2, rounds + 1):
        add_upper_round(assembly, round_, rounds)
    return tuple(assembly.games)


def reseeded_games(size: int) -> tuple[BracketGame, ...]:
    """Return a bracket that pairs the best remaining seed with the worst in each round.

    If the size is not a power of two, the best seeds wait in round 1. With three players 2 meets 3
    while 1 waits.
    """
    games: list[BracketGame] = []
    left = 1 << rounds_to_winner(size)
    waiting, players = left - size, size
    for round_ in range(1, rounds_to_winner(size) + 1):
        for place in range(waiting + 1, (waiting + players) // 2 + 1):
            worst = waiting + players + 1 - place
            sources: tuple[PlayerSource, PlayerSource] = (
                (SeededPlayer(place), SeededPlayer(worst))
                if round_ == 1
                else (RemainingSeed(round_ - 1, place), RemainingSeed(round_ - 1, worst))
            )
            games.append(BracketGame(len(games) + 1, BracketHalf.UPPER, round_, sources))
        left //= 2
        waiting, players = 0, left
    return tuple(games)


# Number, half, round and players: "3" is a seed; "w3" and "l3" come from game 3.
_SIXTEEN = """
1 upper 1 1 16;    2 upper 1 8 9;     3 upper 1 5 12;    4 upper 1 4 13
5 upper 1 3 14;    6 upper 1 6 11;    7 upper 1 7 10;    8 upper 1 2 15
9 lower 1 l1 l2;   10 lower 1 l3 l4;  11 lower 1 l5 l6;  12 lower 1 l7 l8
13 upper 2 w1 w2;  14 upper 2 w3 w4;  15 upper 2 w5 w6;  16 upper 2 w7 w8
17 lower 2 l16 w9; 18 lower 2 l15 w10; 19 lower 2 l14 w11; 20 lower 2 l13 w12
21 upper 3 w13 w14; 22 upper 3 w15 w16; 23 lower 3 w17 w18; 24 lower 3 w19 w20
25 lower 4 l21 w23; 26 lower 4 l22 w24; 27 upper 4 w21 w22; 28 lower 5 w25 w26
29 lower 6 l27 w28; 30 final 1 w27 w29; 31 reset 1 w30 l30
"""


def double_games(size: int) -> tuple[BracketGame, ...]:
    if size == 16:
        return _parse_games(_SIXTEEN)
    assembly = BracketAssembly()
    rounds = rounds_to_winner(size)
    add_first_round(assembly, size)
    for round_ in range(2, rounds + 1):
        add_upper_round(assembly, round_, rounds)
        _add_dropping_losers(assembly, round_ - 1, rounds)
        _add_lower_round(assembly, round_ - 1, rounds)
    _add_dropping_losers(assembly, rounds, rounds)
    _add_finals(assembly, rounds)
    return tuple(assembly.games)


def _parse_games(text: str) -> tuple[BracketGame, ...]:
    games = []
    for line in text.strip().replace("\n", ";").split(";"):
        number, half, round_, first, second = line.split()
        sources = (_parse_source(first), _parse_source(second))
        games.append(BracketGame(int(number), BracketHalf(half), int(round_), sources))
    return tuple(games)


def _parse_source(text: str) -> PlayerSource:
    if text.isdigit():
        return SeededPlayer(int(text))
    return (WinnerOf if text[0] == "w" else LoserOf)(int(text[1:]))


def _add_dropping_losers(assembly: BracketAssembly, upper: int, rounds: int) -> None:
    """Pair the losers of an upper round with the players left below, if there are any yet."""
    if upper == 1:
        return
    lower, mask = 2 * upper - 2, crossing_masks(rounds)[upper]
    for place in range(1 << (rounds - upper)):
        assembly.add(
            BracketSlot(BracketHalf.LOWER, lower, place),
            assembly.losers[BracketSlot(BracketHalf.UPPER, upper, place ^ mask)],
            assembly.winners[BracketSlot(BracketHalf.LOWER, lower - 1, place)],
        )


def _add_lower_round(assembly: BracketAssembly, upper: int, rounds: int) -> None:
    """Pair neighbours in the lower half; in its first round, losers of neighbouring games."""
    lower = 2 * upper - 1
    for place in range(1 << (rounds - upper - 1)):
        first, second = (
            assembly.losers[BracketSlot(BracketHalf.UPPER, 1, feeder)]
            if upper == 1
            else assembly.winners[BracketSlot(BracketHalf.LOWER, lower - 1, feeder)]
            for feeder in (2 * place, 2 * place + 1)
        )
        assembly.add(BracketSlot(BracketHalf.LOWER, lower, place), first, second)


def _add_finals(assembly: BracketAssembly, rounds: int) -> None:
    top = BracketSlot(BracketHalf.UPPER, rounds, 0)
    # With two players, the loser of the only upper game is the whole lower half.
    below = (
        assembly.losers[top]
        if rounds == 1
        else assembly.winners[BracketSlot(BracketHalf.LOWER, 2 * rounds - 2, 0)]
    )
    final = BracketSlot(BracketHalf.FINAL, 1, 0)
    assembly.add(final, assembly.winners[top], below)
    assembly.add(
        BracketSlot(BracketHalf.RESET, 1, 0), assembly.winners[final], assembly.losers[final]
    )


def crossing_masks(rounds: int) -> dict[int, int]:
    # By upper round, the mask applied to the places of its losers below. It is chosen so that
    # losers meet opponents of earlier rounds again as late as possible.
    masks = {1: 0}
    for upper in range(2, rounds + 1):

        def preference(mask: int, upper: int = upper) -> tuple[int, int]:
            # Rounds whose losers may meet again under this mask; the latest is the worst.
            clashes = [round_ for round_ in masks if masks[round_] >> (upper - round_) == mask]
            return -max(clashes, default=0), mask

        masks[upper] = max(range(1 << (rounds - upper)), key=preference)
    return masks


# Playing a bracket


def play_bracket(
    bracket: Bracket, seeds: Sequence[PlayerId], results: Sequence[GameWon], *, seed: int
) -> BracketState:
    """Results may be in any order; seeds are best first. Raises SeedsRefused, ResultRefused."""
    _check_seeds(bracket, seeds)
    reported = _results_by_game(bracket, results)
    table = _PlayedBracket(bracket, seeds, seed)
    for game in bracket.games:
        table.enter(game, reported.get(game.number))
    return BracketState(
        games=tuple(table.next_games()),
        placings=get_placings(bracket, seeds, table.states),
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
IndexedResult = tuple[int, GameWon]


def _results_by_game(bracket: Bracket, results: Sequence[GameWon]) -> dict[int, IndexedResult]:
    reported: dict[int, IndexedResult] = {}
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


class _PlayedBracket:
    def __init__(self, bracket: Bracket, seeds: Sequence[PlayerId], seed: int) -> None:
        self.bracket, self.seeds, self.seed = bracket, seeds, seed
        self.places = {player: place for place, player in enumerate(seeds, start=1)}
        self.states: dict[int, BracketGameState] = {}
        self.corp_minus_runner: Counter[PlayerId] = Counter()
        self.have_played: set[PlayerId] = set()

    def enter(self, game: BracketGame, reported: IndexedResult | None) -> None:
        players = (self._player(game.sources[0]), self._player(game.sources[1]))
        is_needed: bool | None = True
        if game.half is BracketHalf.RESET:
            # Only if the player from the lower half has won the final.
            final = self.states[self.bracket.final.number]
            is_needed = None if final.winner is None else final.winner == final.players[1]
        state = BracketGameState(game.number, players, is_needed=is_needed)
        if state.is_playable:
            state = self._with_roles(game, state)
        if reported is not None:
            _check_result(state, *reported)
            result = reported[1]
            corp = state.corp if result.corp is None else result.corp
            state = replace(state, corp=corp, winner=result.winner)
            for player in self._best_first(state):
                self.have_played.add(player)
                if corp is not None:
                    self.corp_minus_runner[player] += 1 if player == corp else -1
        self.states[game.number] = state

    def _player(self, source: PlayerSource) -> PlayerId | None:
        match source:
            case SeededPlayer(seed):
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

    def _with_roles(self, game: BracketGame, state: BracketGameState) -> BracketGameState:
        first, second = self._best_first(state)
        corp, roles_by = None, RolesBy.CHOICE
        if game.half is BracketHalf.RESET:
            final = self.states[self.bracket.final.number]
            corp = next(player for player in final.players if player != final.corp)
            roles_by = RolesBy.FINAL
        elif self.have_played & {first, second}:
            balances = [self.corp_minus_runner[player] for player in (first, second)]
            if balances[0] == balances[1]:
                # The draw must be repeatable, not unpredictable.
                draw = random.Random(f"{self.seed}/{game.number}")  # noqa: S311
                corp, roles_by = draw.choice((first, second)), RolesBy.LOT
            else:
                corp = first if balances[0] < balances[1] else second
                roles_by = RolesBy.COUNT
        return replace(state, corp=corp, roles_by=roles_by)

    def _best_first(self, state: BracketGameState) -> tuple[PlayerId, PlayerId]:
        first, second = state.players
        assert first is not None
        assert second is not None
        if self.places[first] < self.places[second]:
            return first, second
        return second, first

    def next_games(self) -> Iterator[NextGame]:
        for state in self.states.values():
            if state.is_playable:
                first, second = self._best_first(state)
                assert state.roles_by is not None
                yield NextGame(
                    number=state.number,
                    seats=(_next_game_seat(first, state), _next_game_seat(second, state)),
                    roles_by=state.roles_by,
                    chooser=first if state.roles_by is RolesBy.CHOICE else None,
                )


def _next_game_seat(player: PlayerId, state: BracketGameState) -> NextGameSeat:
    if state.corp is None:
        return NextGameSeat(player, None)
    return NextGameSeat(player, Role.CORP if player == state.corp else Role.RUNNER)


def _check_result(state: BracketGameState, place: int, result: GameWon) -> None:
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
    for role, player in (("winner", result.winner), ("corp", result.corp)):
        if player not in state.players and (role == "winner" or player is not None):
            raise ResultRefused(
                f"Player {player} does not play game {state.number}; "
                f"players {state.players[0]} and {state.players[1]} do.",
                f"{path}.{role}",
            )


def get_placings(
    bracket: Bracket, seeds: Sequence[PlayerId], states: Mapping[int, BracketGameState]
) -> tuple[Placing, ...]:
    """Return every place, the winner first. The places of an unfinished round are open."""
    last = states[bracket.final.number]
    if bracket.reset is not None and last.winner is not None:
        reset = states[bracket.reset.number]
        last = reset if reset.is_needed else last
    order = [last.winner, last.loser]
    # The rounds whose losers are out, the latest first, without the final.
    half = BracketHalf.UPPER if bracket.reset is None else BracketHalf.LOWER
    games = [game for game in bracket.games if game.half is half and game != bracket.final]
    games.sort(key=lambda game: game.round, reverse=True)
    for _, round_ in groupby(games, key=lambda game: game.round):
        losers = [states[game.number].loser for game in round_]
        if None in losers:
            order += [None] * len(losers)
        else:
            order += [player for player in seeds if player in losers]
    return tuple(Placing(rank, player) for rank, player in enumerate(order, start=1))


def is_eliminated(bracket: Bracket, state: BracketState, player: PlayerId) -> bool:
    """Return True if the player has lost a game whose loser plays no further game."""
    if bracket.system == IMPORTED_CUT:
        # Games of an imported cut have no following games, so only the stated places count.
        return any(placing.id == player for placing in state.placings)
    plays_on = {
        source
        for game in bracket.games
        if state.states[game.number].is_needed
        for source in game.sources
    }
    lost = [game for game in bracket.games if state.states[game.number].loser == player]
    return any(LoserOf(game.number) not in plays_on for game in lost)


def rounds_left(
    bracket: Bracket, states: Mapping[int, BracketGameState], at_tables: Collection[int] = ()
) -> int:
    """Return the number of rounds until there is a winner, including the current round.

    Each round plays all games whose players are known. A reset counts once it is needed. Games
    `at_tables` count as open: the next round begins only when all of them are over.
    """
    # Rounds until each game is over.
    waits: dict[int, int] = {}
    for game in bracket.games:
        before = [0]
        for source in game.sources:
            if isinstance(source, WinnerOf | LoserOf):
                before.append(waits[source.game])
            elif isinstance(source, RemainingSeed):
                before += [
                    waits[earlier.number]
                    for earlier in bracket.games
                    if earlier.round == source.after_round
                ]
        state = states[game.number]
        is_open = game.number in at_tables or not state.is_over
        is_to_play = is_open and state.is_needed is True
        waits[game.number] = 1 + max(before) if is_to_play else 0
    return max(waits.values())


@lru_cache(maxsize=64)
def rounds_of_cut(system: str, size: int) -> int:
    """Return the number of rounds without a bracket reset."""
    bracket = bracket_for(system, size)
    return rounds_left(bracket, play_bracket(bracket, range(1, size + 1), (), seed=0).states)


# A cut imported from a file


@dataclass(frozen=True)
class ImportedGame:
    number: int
    # Counted from 1.
    round: int
    players: tuple[PlayerId, PlayerId]


def imported_bracket(games: Sequence[ImportedGame], seeds: Sequence[PlayerId]) -> Bracket:
    """Return a bracket whose games name their players instead of earlier games."""
    place = {player: seed for seed, player in enumerate(seeds, start=1)}
    bracket_games = tuple(
        BracketGame(
            game.number,
            BracketHalf.UPPER,
            game.round,
            (SeededPlayer(place[game.players[0]]), SeededPlayer(place[game.players[1]])),
        )
        for game in sorted(games, key=lambda game: game.number)
    )
    return Bracket(IMPORTED_CUT, len(seeds), bracket_games, is_reseeded=True)


def imported_state(
    bracket: Bracket,
    seeds: Sequence[PlayerId],
    results: Sequence[GameWon],
    places: Sequence[PlayerId | None],
) -> BracketState:
    won = {result.game: result for result in results}
    states = {}
    for game in bracket.games:
        players = tuple(seeds[source.seed - 1] for source in game.sources)  # type: ignore[union-attr]
        result = won.get(game.number)
        states[game.number] = BracketGameState(
            game.number,
            (players[0], players[1]),
            is_needed=True,
            corp=result.corp if result else None,
            winner=result.winner if result else None,
        )
    placings = tuple(Placing(rank, player) for rank, player in enumerate(places, start=1))
    return BracketState(games=(), placings=placings, states=states)
