"""Match the tables of a cut in a file to the games of a bracket.

A bracket fits if it can be played game by game as in the file. If none fits, games and places are
kept as stated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.bracket import (
    IMPORTED,
    Bracket,
    BracketRefused,
    BracketState,
    GameWon,
    ResultRefused,
    bracket_for,
    play,
)
from engine.standings import PlayerId
from matches.scoring import Role
from tournaments.interchange.formats.records import FileEvent, FileTable

WAYS = (("double_elimination", False), ("single_elimination", False), ("single_elimination", True))
# Larger cuts are kept as stated: trying brackets for them takes minutes.
MOST_IN_A_BRACKET = 128


@dataclass(frozen=True)
class CutPlan:
    """Seeds of a cut, and the bracket game of each table by round and position."""

    system: str
    fixed: bool
    seeds: tuple[PlayerId, ...]
    games: tuple[tuple[int, ...], ...]


def plan_of(event: FileEvent, ranked: Sequence[PlayerId], seed: int) -> CutPlan | None:
    """Return the cut of the file, if any. `ranked` are all players by Swiss standings."""
    if not event.cut_rounds and not event.cut_size:
        return None
    if not event.cut_rounds and any(
        place.rank == 1 and place.id is not None for place in event.placings
    ):
        return _as_stated(event, ranked)
    fitting = list(_fitting(event, ranked, seed))
    # Several brackets can start with the same games: prefer the best match of decided places.
    best = max(fitting, key=lambda found: found[1], default=None)
    return best[0] if best else _as_stated(event, ranked)


def _fitting(
    event: FileEvent, ranked: Sequence[PlayerId], seed: int
) -> Iterator[tuple[CutPlan, int]]:
    """Yield every fitting bracket with the number of places that agree."""
    for seeds in _seedings(event, ranked):
        if len(seeds) > MOST_IN_A_BRACKET:
            continue
        for system, fixed in WAYS:
            found = _games(event, system, seeds, seed, fixed=fixed)
            if found is not None:
                yield CutPlan(system, fixed, seeds, found[0]), found[1]


def _as_stated(event: FileEvent, ranked: Sequence[PlayerId]) -> CutPlan | None:
    inside = {
        seat.id for round_ in event.cut_rounds for table in round_.tables for seat in table.seats
    }
    inside |= {bye.id for round_ in event.cut_rounds for bye in round_.byes}
    inside |= {place.id for place in event.placings if place.id is not None}
    size = max(event.cut_size, len(inside))
    seeds = [player for player in ranked if player in inside]
    seeds += [player for player in ranked if player not in inside][: size - len(seeds)]
    if len(seeds) < 2:
        return None
    counted, games = 0, []
    for round_ in event.cut_rounds:
        games.append(tuple(range(counted + 1, counted + 1 + len(round_.tables))))
        counted += len(round_.tables)
    return CutPlan(IMPORTED, True, tuple(seeds), tuple(games))


def _seedings(event: FileEvent, ranked: Sequence[PlayerId]) -> list[tuple[PlayerId, ...]]:
    """Possible seedings: as named in the file, and by the standings."""
    named = {
        place.seed: place.id for place in event.placings if place.seed and place.id is not None
    }
    found = []
    if len(named) == event.cut_size >= 2 and len(set(named.values())) == len(named):
        found.append(tuple(named[seed] for seed in sorted(named)))
    inside = {place.id for place in event.placings}
    by_rank = tuple(player for player in ranked if player in inside)
    for seeds in (by_rank, tuple(ranked[: event.cut_size])):
        if len(seeds) == event.cut_size >= 2 and seeds not in found:
            found.append(seeds)
    return found


def _games(
    event: FileEvent, system: str, seeds: tuple[PlayerId, ...], seed: int, *, fixed: bool
) -> tuple[tuple[tuple[int, ...], ...], int] | None:
    """Game numbers of all tables, and the number of agreeing places; None if it does not fit."""
    try:
        bracket = bracket_for(system, len(seeds), fixed=fixed)
        replay = _Replay(bracket, seeds, seed)
        games = tuple(
            tuple(replay.enter(table) for table in round_.tables) for round_ in event.cut_rounds
        )
        state = replay.result()
    except (BracketRefused, _NotThisBracket):
        return None
    if any(round_.byes for round_ in event.cut_rounds) or not _fits(event, state):
        return None
    ours = {place.rank: place.id for place in state.placings}
    stated = (place for place in event.placings if place.id is not None)
    return games, sum(ours.get(place.rank) == place.id for place in stated)


class _NotThisBracket(Exception):  # noqa: N818 - an answer, not an error
    pass


class _Replay:
    """Plays a bracket with the results of a file, recomputed only when a table requires it."""

    def __init__(self, bracket: Bracket, seeds: tuple[PlayerId, ...], seed: int) -> None:
        self.bracket, self.seeds, self.seed = bracket, seeds, seed
        self.results: list[GameWon] = []
        self.entered: set[int] = set()
        self.is_behind = False
        self._play()

    def enter(self, table: FileTable) -> int:
        """Return the number of this table's game and record its result."""
        number = self._number(table)
        if number is None and self.is_behind:
            self._play()
            number = self._number(table)
        if number is None:
            raise _NotThisBracket
        self.entered.add(number)
        if table.winner is not None:
            corp = next((seat.id for seat in table.seats if seat.role is Role.CORP), None)
            self.results.append(GameWon(number, table.winner, corp))
            self.is_behind = True
        return number

    def result(self) -> BracketState:
        """Return the final state of the bracket."""
        if self.is_behind:
            self._play()
        return self.state

    def _number(self, table: FileTable) -> int | None:
        number = self.open.get(frozenset(seat.id for seat in table.seats))
        return None if number in self.entered else number

    def _play(self) -> None:
        try:
            self.state = play(self.bracket, self.seeds, self.results, seed=self.seed)
        except ResultRefused as refusal:
            raise _NotThisBracket from refusal
        self.open = {
            frozenset(seat.id for seat in one.seats): one.number for one in self.state.games
        }
        self.is_behind = False


def _fits(event: FileEvent, state: BracketState) -> bool:
    """Return True if the first two places of file and bracket agree, as far as both are known."""
    ours = {place.rank: place.id for place in state.placings}
    if event.cut_rounds and event.placings and ours.get(1) is None:
        # The file names a winner who does not result from its games.
        winner = next((place.id for place in event.placings if place.rank == 1), None)
        return winner is None or not all(
            table.winner is not None for round_ in event.cut_rounds for table in round_.tables
        )
    places = {place.rank: place.id for place in event.placings if place.id is not None}
    return all(ours.get(rank) in (None, player) for rank, player in places.items() if rank <= 2)
