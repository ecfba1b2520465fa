"""Read the games and final places of a cut.

AesopsTables has separate ids for places in a cut, and some of its files use these for winners or
for all players. They are resolved by the pairings and the seeds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.interchange.formats.file_heading import MOST_PLAYERS, Players
from tournaments.interchange.formats.file_rounds import Game, Side
from tournaments.interchange.formats.file_values import IdKey, Place
from tournaments.interchange.formats.records import (
    FilePlacing,
    FileRound,
    FileSeat,
    FileTable,
    PlayerId,
)

Ids = Mapping[IdKey, PlayerId]
# Each pass may resolve further ids; no cut needs more passes.
MOST_PASSES = 20


@dataclass(frozen=True)
class Cut:
    """The cut of a file."""

    rounds: tuple[FileRound, ...]
    placings: tuple[FilePlacing, ...]
    notices: tuple[str, ...]


def read_cut(rounds: Sequence[Sequence[Game]], placings: Place, players: Players) -> Cut:
    """Read the rounds of the cut, no player twice in a round, and the final places."""
    places = _placings(placings, players)
    rounds = [[game for game in one if not _is_open(game, players)] for one in rounds]
    games = [game for round_ in rounds for game in round_]
    sides = _ids_of_sides(games, places, players)
    winners = _ids_of_winners(games, sides, places)
    made: list[FileRound] = []
    left_out = undecided = 0
    for round_ in rounds:
        known = [game for game in round_ if _are_known(game, sides)]
        tables = [_table(game, sides, winners) for game in known]
        undecided += sum(_has_winner(game) for game in known) - sum(
            table.winner is not None for table in tables
        )
        left_out += len(round_) - len(known)
        made += _without_anybody_twice(tables)
    return Cut(tuple(made), places, tuple(_notices(left_out, undecided)))


def _notices(left_out: int, undecided: int) -> Iterable[str]:
    if left_out:
        yield f"Games of the cut whose players are not known, left out: {left_out}."
    if undecided:
        yield f"Games of the cut of which it is not clear who won: {undecided}."


def _placings(place: Place, players: Players) -> tuple[FilePlacing, ...]:
    """Read the places in order, each player once; an object holds them as its values."""
    listed = _listed(place)
    entries = []
    for index, entry in enumerate(listed):
        rank = entry.object().at("rank").whole(0, MOST_PLAYERS) or index + 1
        name = entry.at("name").value
        id_ = players.id_of(entry.at("id").id_key())
        if id_ is None:
            id_ = players.id_named(name if isinstance(name, str) else "")
        entries.append((rank, index, id_, entry.at("seed").whole(0, MOST_PLAYERS) or None))
    seen: set[PlayerId] = set()
    found: list[FilePlacing] = []
    for _, _, id_, seed in sorted(entries, key=lambda entry: entry[:2]):
        if id_ not in seen:
            found.append(FilePlacing(len(found) + 1, id_, seed))
        seen.update([] if id_ is None else [id_])
    return tuple(found)


def _listed(place: Place) -> list[Place]:
    if place.value is None:
        return []
    if isinstance(place.value, dict):
        return [Place(inner, place, key) for key, inner in place.value.items()][:MOST_PLAYERS]
    return list(place.items(MOST_PLAYERS))


def _is_open(game: Game, players: Players) -> bool:
    """Return True if a player of this game is not known yet."""
    return any(players.is_bye(side.key) for side in game.sides)


def _are_known(game: Game, sides: Ids) -> bool:
    one, other = (_of(side, sides) for side in game.sides)
    return one is not None and other is not None and one != other


def _of(side: Side, sides: Ids) -> PlayerId | None:
    return None if side.key is None else sides.get(side.key)


def _ids_of_sides(games: Sequence[Game], places: Sequence[FilePlacing], players: Players) -> Ids:
    """Resolve ids of sides: by player id, else by seed or name."""
    keys = {side.key for game in games for side in game.sides if side.key is not None}
    known = {key: id_ for key in keys if (id_ := players.id_of(key)) is not None}
    if len(known) == len(keys):
        return known
    by_name = {
        side.key: id_
        for game in games
        for side in game.sides
        if side.key is not None and (id_ := players.id_named(side.name)) is not None
    }
    # A single id that is not a player's means that none are: a few may coincide with player ids.
    return _by_seed(keys, places) or known | by_name


def _by_seed(keys: Iterable[IdKey], places: Sequence[FilePlacing]) -> dict[IdKey, PlayerId]:
    """Match ascending ids with ascending seeds, if there are as many ids as seeds."""
    numbers = sorted(key for key in keys if isinstance(key, int))
    seeded = sorted(
        (place.seed, place.id) for place in places if place.seed and place.id is not None
    )
    if len(numbers) != len(seeded) or len({seed for seed, _ in seeded}) != len(seeded):
        return {}
    return {key: id_ for key, (_, id_) in zip(numbers, seeded, strict=True)}


def _ids_of_winners(games: Sequence[Game], sides: Ids, places: Sequence[FilePlacing]) -> Ids:
    """Resolve `winner_id` and `loser_id`."""
    decided = [game for game in games if game.winner is not None and _are_known(game, sides)]
    if all(game.winner in (side.key for side in game.sides) for game in decided):
        return sides
    by_meetings = _by_meetings(decided, sides)
    by_seed = _by_seed(_winner_ids(decided), places)
    fits = all(by_seed.get(key) in (None, id_) for key, id_ in by_meetings.items())
    return {**by_seed, **by_meetings} if fits else by_meetings


def _winner_ids(games: Iterable[Game]) -> set[IdKey]:
    return {key for game in games for key in (game.winner, game.loser) if key is not None}


def _by_meetings(games: Sequence[Game], sides: Ids) -> dict[IdKey, PlayerId]:
    """Assign each id to the only player who took part in all games naming it."""
    could: dict[IdKey, set[PlayerId]] = {}
    for _ in range(MOST_PASSES):
        before = {key: frozenset(ids) for key, ids in could.items()}
        for game in games:
            pair = {id_ for side in game.sides if (id_ := _of(side, sides)) is not None}
            for key, other in ((game.winner, game.loser), (game.loser, game.winner)):
                if key is None:
                    continue
                rival = could.get(other, pair) if other is not None else pair
                left = could.get(key, pair) & pair
                could[key] = left - rival if len(rival) == 1 else left
        if before == could:
            break
    return {key: next(iter(ids)) for key, ids in could.items() if len(ids) == 1}


def _table(game: Game, sides: Ids, winners: Ids) -> FileTable:
    one, other = (
        FileSeat(sides[side.key], role=side.role) for side in game.sides if side.key is not None
    )
    return FileTable(game.table, (one, other), winner=_winner(game, (one.id, other.id), winners))


def _has_winner(game: Game) -> bool:
    return game.winner is not None or any(
        side.winner is not None or side.points for side in game.sides
    )


def _winner(game: Game, ids: tuple[PlayerId, PlayerId], winners: Ids) -> PlayerId | None:
    """Return the winner by mark, `winner_id` or points; None if undecided."""
    one, other = game.sides
    if one.winner is not other.winner:
        return ids[0] if one.winner or other.winner is False else ids[1]
    named = None if game.winner is None else winners.get(game.winner)
    if named in ids:
        return named
    made = one.points or 0, other.points or 0
    if made[0] != made[1]:
        return ids[0] if made[0] > made[1] else ids[1]
    return None


def _without_anybody_twice(tables: Iterable[FileTable]) -> Iterable[FileRound]:
    """Split the tables into as few rounds as possible without repeating a player."""
    seen: set[PlayerId] = set()
    together: list[FileTable] = []
    for table in tables:
        ids = {seat.id for seat in table.seats}
        if seen & ids:
            yield FileRound(tuple(together))
            seen, together = set(), []
        seen |= ids
        together.append(table)
    if together:
        yield FileRound(tuple(together))
