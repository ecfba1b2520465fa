"""Read tournament files of other programs in all known formats."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from core import json_guard
from core.json_guard import Json, NotJson
from core.text import comparison_key, is_visible
from decks import games
from matches.scoring.results import Role
from tournaments.files import file_values, records
from tournaments.files.file_values import FileValue, IdKey
from tournaments.files.records import (
    STRENGTHS,
    VALID_YEARS,
    ComputedEvent,
    Dialect,
    FileBye,
    FileEvent,
    FilePlacing,
    FilePlayer,
    FilePlayerId,
    FileRound,
    FileSeat,
    FileTable,
    StatedFigures,
    TournamentFileRefused,
)

UNNAMED = "Imported event"

_DIALECTS = {
    "cobra": Dialect.COBRA,
    "aesopstables": Dialect.AESOPS,
    "datafort": Dialect.DATAFORT,
}
LARGEST_ABR_EVENT = 2**31 - 1
MAX_LINKS = 50
MAX_PLAYERS = 2_000
LARGEST_RANK = 1_000_000
_BYE_WORDS = {"bye", "(bye)"}


def _dialect(place: FileValue) -> Dialect:
    # Like AlwaysBeRunning, treat unknown and missing names as NRTM.
    program = place.value.strip().casefold() if isinstance(place.value, str) else ""
    return _DIALECTS.get(program, Dialect.NRTM)


def _game_of_file(place: FileValue) -> str:
    """Return the game of the file if it has sides, else the game of AlwaysBeRunning."""
    known = [game.id for game in games.GAMES.values() if game.sides]
    return place.value if place.value in known else games.abr_game().id


def _read_date(place: FileValue) -> tuple[date | None, list[str]]:
    if place.value in (None, ""):
        return None, []
    try:
        day = date.fromisoformat(place.value.strip()[:10])
        if day.year in VALID_YEARS:
            return day, []
    except (AttributeError, ValueError):
        pass
    return None, [f"The date {place.shown()} is not of the form 2026-11-21 and is left out."]


def _owner_name(place: FileValue) -> str:
    if not isinstance(place.value, dict):
        return ""
    return file_values.visible_line(place.at("nrdbUsername"), file_values.MAX_NAME_LETTERS)


def _abr_event(place: FileValue) -> int | None:
    try:
        return place.whole(1, LARGEST_ABR_EVENT)
    except TournamentFileRefused:
        return None


def _event_page(place: FileValue) -> str:
    """Address of the event's page; links are a list or the values of an object."""
    value = list(place.value.values()) if isinstance(place.value, dict) else place.value
    links: list[Json] = value if isinstance(value, list) else []
    for link in links[:MAX_LINKS]:
        if isinstance(link, dict) and link.get("rel") == "uploadedfrom":
            return file_values.web_address(FileValue(link.get("href")))
    return ""


@dataclass(frozen=True)
class PlayerIndex:
    """All players in file order, with lookups by id and name.

    `byes` are the ids of entries marked as byes, and 0 unless a player has it.
    """

    in_order: tuple[FilePlayer, ...]
    by_key: Mapping[IdKey, FilePlayer]
    byes: frozenset[IdKey]
    notices: tuple[str, ...] = ()
    names: Mapping[str, FilePlayerId] = field(default_factory=dict)

    def is_bye(self, key: IdKey | None) -> bool:
        """Return True for null, an empty string, "(BYE)" and ids of byes."""
        if key is None or key in self.byes:
            return True
        return isinstance(key, str) and key.casefold() in _BYE_WORDS and key not in self.by_key

    def id_of(self, key: IdKey | None) -> FilePlayerId | None:
        """Return the id as written in `players`; None if unknown."""
        player = None if key is None else self.by_key.get(key)
        return player.id if player else None

    def id_named(self, name: str) -> FilePlayerId | None:
        """Return the id of the only player with this name."""
        return self.names.get(comparison_key(name)) if name else None


def read_players(place: FileValue) -> PlayerIndex:
    """Read the list of players. Raises TournamentFileRefused for a duplicate id."""
    if place.value is None:
        raise place.refusal('"players" is missing. A tournament file has a list of players.')
    by_key: dict[IdKey, FilePlayer] = {}
    byes: set[IdKey] = set()
    nameless = 0
    for entry in place.items(MAX_PLAYERS):
        key = entry.object().at("id").id_key()
        if entry.at("isBye").value is True:
            byes.update([] if key is None else [key])
            continue
        player = _read_player(entry)
        if key in by_key or key in byes:
            raise entry.at("id").refusal(f"The id {entry.at('id').shown()} is used twice.")
        by_key[key if key is not None else player.id] = player
        nameless += player.name == _name_for(player.id)
    if not by_key:
        raise place.refusal("The list of players is empty.")
    return PlayerIndex(
        in_order=tuple(by_key.values()),
        by_key=by_key,
        byes=frozenset(byes | ({0} - by_key.keys())),
        notices=(f"Players without a name, called by their id: {nameless}.",) if nameless else (),
        names=_ids_by_name(by_key.values()),
    )


def _read_player(entry: FileValue) -> FilePlayer:
    id_ = entry.at("id").id()
    name = file_values.one_line(entry.at("name"), file_values.MAX_NAME_LETTERS)
    return FilePlayer(
        id=id_,
        name=name if is_visible(name) else _name_for(id_),
        pronouns=file_values.visible_line(entry.at("pronouns"), file_values.MAX_PRONOUNS_LETTERS),
        corp_identity=file_values.optional_line(entry.at("corpIdentity")),
        runner_identity=file_values.optional_line(entry.at("runnerIdentity")),
        corp_faction=file_values.optional_line(entry.at("corpFaction")),
        runner_faction=file_values.optional_line(entry.at("runnerFaction")),
        dropped=any(entry.at(key).value is True for key in ("forfeit", "disqualified")),
        stated=_stated_figures(entry),
    )


def _stated_figures(entry: FileValue) -> StatedFigures:
    points = entry.at("matchPoints")
    return StatedFigures(
        match_points=(points if points.value is not None else entry.at("prestige")).figure(),
        strength_of_schedule=entry.at("strengthOfSchedule").figure(),
        extended_strength_of_schedule=entry.at("extendedStrengthOfSchedule").figure(),
        rank=entry.at("rank").whole(0, LARGEST_RANK) or None,
    )


def _name_for(id_: FilePlayerId) -> str:
    return f"Player {id_}"


def _ids_by_name(players: Iterable[FilePlayer]) -> dict[str, FilePlayerId]:
    """Ids by name, for unique names only."""
    ids: dict[str, FilePlayerId | None] = {}
    for player in players:
        key = comparison_key(player.name)
        ids[key] = None if key in ids else player.id
    return {key: id_ for key, id_ in ids.items() if id_ is not None}


# Read the games of a file in all known formats, and the tables of its Swiss rounds.


MIN_POINTS, MAX_POINTS = -999, 999
HIGHEST_TABLE = 32_767
_SHORT_NUMBER = re.compile("[0-9]{1,9}")
MAX_ROUNDS = 100
MAX_GAMES = 2_000
MAX_SINGLE_POINTS = 3


@dataclass(frozen=True, slots=True)
class FileSide:
    """A side of a game as written in the file. `id` is the location of the id, `key` its value."""

    id: FileValue
    key: IdKey | None = None
    name: str = ""
    role: Role | None = None
    corp: int | None = None
    runner: int | None = None
    combined: int | None = None
    winner: bool | None = None

    @property
    def by_role(self) -> int | None:
        """Sum of the points of both roles; None if neither is given."""
        if self.corp is None and self.runner is None:
            return None
        return (self.corp or 0) + (self.runner or 0)

    @property
    def points(self) -> int | None:
        """Points of this side; None without a result.

        The total takes precedence. If it is missing or 0, the sum by role is used, unless that is 0
        too: programs write zeros before a result is reported.
        """
        return self.combined or self.by_role or self.combined

    @property
    def contradicts_itself(self) -> bool:
        """Return True if the total and the sum by role are both given and differ."""
        return bool(self.combined and self.by_role and self.combined != self.by_role)


@dataclass(frozen=True, slots=True)
class FileGame:
    """A game as written in the file. `winner` and `loser` are ids written by AesopsTables."""

    place: FileValue
    sides: tuple[FileSide, FileSide]
    table: int | None
    intentional_draw: bool
    two_for_one: bool
    elimination: bool | None
    winner: IdKey | None
    loser: IdKey | None
    has_winner: bool
    has_role: bool


def read_game(place: FileValue) -> FileGame:
    """Read a game. Raises TournamentFileRefused if it names no players."""
    place.object()
    sides = _read_sides(place)
    table = place.at("table")
    return FileGame(
        place=place,
        sides=sides,
        table=_table_number(table if table.value is not None else place.at("tableNumber")),
        intentional_draw=bool(place.at("intentionalDraw").flag()),
        two_for_one=bool(place.at("twoForOne").flag()),
        elimination=place.at("eliminationGame").flag(),
        winner=place.at("winner_id").id_key(),
        loser=place.at("loser_id").id_key(),
        has_winner=place.has("winner_id") or any(_has_key(side, "winner") for side in sides),
        has_role=any(side.role is not None or _has_key(side, "role") for side in sides),
    )


def _read_sides(place: FileValue) -> tuple[FileSide, FileSide]:
    if place.has("player1") or place.has("player2"):
        return _nested_side(place.at("player1")), _nested_side(place.at("player2"))
    if place.has("corpPlayer") or place.has("runnerPlayer"):
        return _flat_side(place, Role.CORP), _flat_side(place, Role.RUNNER)
    if place.has("corp") or place.has("runner"):
        return _role_side(place, Role.CORP), _role_side(place, Role.RUNNER)
    raise place.refusal("The game names no players. Add player1 and player2, or the roles.")


def _nested_side(place: FileValue) -> FileSide:
    """Read a side under `player1` or `player2` (Cobra and NRTM)."""
    if place.value is None:
        return FileSide(place)
    place.object()
    role = _read_role(place.at("role"))
    corp, runner = _read_points(place.at("corpScore")), _read_points(place.at("runnerScore"))
    return FileSide(
        id=place.at("id"),
        key=place.at("id").id_key(),
        name=_text_or_empty(place.at("name")),
        role=role,
        corp=corp,
        runner=runner,
        combined=_read_points(place.at("combinedScore")),
        winner=place.at("winner").flag(),
    )


def _flat_side(game: FileValue, role: Role) -> FileSide:
    """Read a side from `corpPlayer` and `corpScore` or the Runner's keys (AesopsTables)."""
    id_, points = game.at(f"{role.value}Player"), _read_points(game.at(f"{role.value}Score"))
    return _side_with_role(id_, role, points)


def _role_side(game: FileValue, role: Role) -> FileSide:
    """Read a side named after its role, `{"id", "score"}` (older AesopsTables)."""
    place = game.at(role.value)
    if place.value is None:
        return FileSide(place)
    place.object()
    winner = place.at("winner").flag()
    return _side_with_role(place.at("id"), role, _read_points(place.at("score")), winner=winner)


def _side_with_role(
    id_: FileValue, role: Role, points: int | None, winner: bool | None = None
) -> FileSide:
    return FileSide(
        id_,
        id_.id_key(),
        role=role,
        corp=points if role is Role.CORP else None,
        runner=points if role is Role.RUNNER else None,
        combined=points,
        winner=winner,
    )


def _read_points(place: FileValue) -> int | None:
    return place.whole(MIN_POINTS, MAX_POINTS)


def _read_role(place: FileValue) -> Role | None:
    word = place.text().strip().casefold()
    if word not in ("", *Role):
        raise place.refusal(f'A role is "corp" or "runner", not {place.shown()}.')
    return Role(word) if word else None


def _text_or_empty(place: FileValue) -> str:
    return place.value if isinstance(place.value, str) else ""


def _table_number(place: FileValue) -> int | None:
    """Table number, or None if it is not a number: it is only displayed."""
    value = place.value.strip() if isinstance(place.value, str) else place.value
    number = int(value) if isinstance(value, str) and _SHORT_NUMBER.fullmatch(value) else value
    if isinstance(number, bool) or not isinstance(number, int):
        return None
    return number if 0 < number <= HIGHEST_TABLE else None


def _has_key(side: FileSide, key: str) -> bool:
    holder = side.id.parent
    return holder is not None and isinstance(holder.value, dict) and key in holder.value


@dataclass(frozen=True)
class GamesByStage:
    """The games by round, split into Swiss and cut."""

    swiss: Sequence[Sequence[FileGame]]
    cut: Sequence[Sequence[FileGame]]


@dataclass
class ReadingNotes:
    """Counters of irregularities found while reading."""

    contradictions: int = 0
    same_roles: int = 0
    empty_tables: int = 0
    byes_without_points: int = 0
    tables: set[int] = field(default_factory=set)

    def sentences(self) -> list[str]:
        counts = {
            "Tables where the points by role do not add up to the total (the total counts)": (
                self.contradictions
            ),
            "Tables that give both players the same role (the roles are left out)": self.same_roles,
            "Tables without any player, left out": self.empty_tables,
            "Byes without points, counted as 0": self.byes_without_points,
        }
        return [f"{text}: {count}." for text, count in counts.items() if count]


def sort_games(place: FileValue, preliminary: int) -> GamesByStage:
    """Sort all games into Swiss and cut; `preliminary` is the stated number of Swiss rounds.

    An array with both kinds becomes a round of each.
    """
    swiss: list[list[FileGame]] = []
    cut: list[list[FileGame]] = []
    for index, array in enumerate(place.items(MAX_ROUNDS) if place.value is not None else ()):
        games = [read_game(game) for game in array.items(MAX_GAMES)]
        beyond = 0 < preliminary <= index
        is_cut = [_is_cut(game, beyond) for game in games]
        if False in is_cut or not (games or beyond):
            swiss.append([game for game, yes in zip(games, is_cut, strict=True) if not yes])
        if True in is_cut:
            cut.append([game for game, yes in zip(games, is_cut, strict=True) if yes])
    return GamesByStage(swiss, cut)


def is_single_sided(swiss: Sequence[Sequence[FileGame]]) -> bool:
    """Return True if a table plays one game, so that a player has a role.

    If the file has role keys without values, all points must be possible in a single game.
    """
    games = [game for round_ in swiss for game in round_]
    sides = [side for game in games for side in game.sides]
    if any(side.role for side in sides):
        return True
    fits = all((side.points or 0) <= MAX_SINGLE_POINTS for side in sides)
    return fits and any(game.has_role for game in games)


def read_swiss_round(
    games: Sequence[FileGame], players: PlayerIndex, single: bool, notes: ReadingNotes
) -> FileRound:
    """Read a Swiss round. Raises TournamentFileRefused if a player is in it twice."""
    seen: set[FilePlayerId] = set()
    tables: list[FileTable] = []
    byes: list[FileBye] = []
    notes.tables.clear()
    for game in games:
        present = [side for side in game.sides if not players.is_bye(side.key)]
        ids = [_player_id_of_side(side, players, seen) for side in present]
        notes.contradictions += any(side.contradicts_itself for side in present)
        if len(ids) == 2:
            tables.append(_swiss_table(game, (ids[0], ids[1]), single, notes))
        elif ids:
            notes.byes_without_points += present[0].points is None
            byes.append(FileBye(ids[0], present[0].points or 0))
        else:
            notes.empty_tables += 1
    return FileRound(tuple(tables), tuple(byes))


def _is_cut(game: FileGame, beyond: bool) -> bool:
    if game.elimination is not None:
        return game.elimination
    return game.has_winner or beyond


def _player_id_of_side(
    side: FileSide, players: PlayerIndex, seen: set[FilePlayerId]
) -> FilePlayerId:
    id_ = players.id_of(side.key)
    if id_ is None:
        raise side.id.refusal(f"No player has the id {side.id.shown()}.")
    if id_ in seen:
        raise side.id.refusal(f"Player {side.id.shown()} is in this round twice.")
    seen.add(id_)
    return id_


def _swiss_table(
    game: FileGame, ids: tuple[FilePlayerId, FilePlayerId], single: bool, notes: ReadingNotes
) -> FileTable:
    roles = _roles_of_game(game, notes) if single else (None, None)
    has_points = any(side.points is not None for side in game.sides)
    seats = [
        _swiss_seat(side, id_, role, has_points)
        for side, id_, role in zip(game.sides, ids, roles, strict=True)
    ]
    number = game.table if game.table not in notes.tables else None
    notes.tables.update([] if number is None else [number])
    return FileTable(number, (seats[0], seats[1]), game.intentional_draw, game.two_for_one)


def _swiss_seat(side: FileSide, id_: FilePlayerId, role: Role | None, has_points: bool) -> FileSeat:
    if not has_points:
        return FileSeat(id_, role=role)
    points = side.points or 0
    if role is not None:
        by_role = {role: points}
    elif points and side.by_role == points:
        by_role = {Role.CORP: side.corp or 0, Role.RUNNER: side.runner or 0}
    else:
        by_role = {}
    return FileSeat(id_, points, by_role.get(Role.CORP), by_role.get(Role.RUNNER), role)


def _roles_of_game(game: FileGame, notes: ReadingNotes) -> tuple[Role | None, Role | None]:
    """Both roles, derived from each other if only one is known; none if they are equal."""
    first, second = (side.role or _role_by_points(side) for side in game.sides)
    if first is None:
        return (second.other if second else None), second
    if second is None:
        return first, first.other
    if first is second:
        notes.same_roles += 1
        return None, None
    return first, second


def _role_by_points(side: FileSide) -> Role | None:
    if (side.corp is None) == (side.runner is None):
        return None
    return Role.RUNNER if side.corp is None else Role.CORP


# Read the games and final places of a cut.


PlayerIds = Mapping[IdKey, FilePlayerId]
# Each pass may resolve further ids; no cut needs more passes.
MAX_PASSES = 20


@dataclass(frozen=True)
class FileCut:
    """The cut of a file."""

    rounds: tuple[FileRound, ...]
    placings: tuple[FilePlacing, ...]
    notices: tuple[str, ...]


def read_cut(
    rounds: Sequence[Sequence[FileGame]], placings: FileValue, players: PlayerIndex
) -> FileCut:
    """Read the rounds of the cut, no player twice in a round, and the final places."""
    places = _read_placings(placings, players)
    # Leave out games with undecided players.
    rounds = [
        [game for game in games if not any(players.is_bye(side.key) for side in game.sides)]
        for games in rounds
    ]
    games = [game for round_ in rounds for game in round_]
    sides = _ids_of_sides(games, places, players)
    winners = _ids_of_winners(games, sides, places)
    split: list[FileRound] = []
    left_out = undecided = 0
    for round_ in rounds:
        known = [game for game in round_ if _has_known_players(game, sides)]
        tables = [_cut_table(game, sides, winners) for game in known]
        undecided += sum(_has_winner(game) for game in known) - sum(
            table.winner is not None for table in tables
        )
        left_out += len(round_) - len(known)
        split += _split_into_rounds(tables)
    notices = []
    if left_out:
        notices.append(f"Games of the cut with unknown players, left out: {left_out}.")
    if undecided:
        notices.append(f"Games of the cut without a clear winner: {undecided}.")
    return FileCut(tuple(split), places, tuple(notices))


def _read_placings(place: FileValue, players: PlayerIndex) -> tuple[FilePlacing, ...]:
    """Read the places in order, each player once; an object holds them as its values."""
    listed = _listed_places(place)
    entries = []
    for index, entry in enumerate(listed):
        rank = entry.object().at("rank").whole(0, MAX_PLAYERS) or index + 1
        name = entry.at("name").value
        id_ = players.id_of(entry.at("id").id_key())
        if id_ is None:
            id_ = players.id_named(name if isinstance(name, str) else "")
        entries.append((rank, index, id_, entry.at("seed").whole(0, MAX_PLAYERS) or None))
    seen: set[FilePlayerId] = set()
    placings: list[FilePlacing] = []
    for _, _, id_, seed in sorted(entries, key=lambda entry: entry[:2]):
        if id_ not in seen:
            placings.append(FilePlacing(len(placings) + 1, id_, seed))
        seen.update([] if id_ is None else [id_])
    return tuple(placings)


def _listed_places(place: FileValue) -> list[FileValue]:
    if place.value is None:
        return []
    if isinstance(place.value, dict):
        return [FileValue(inner, place, key) for key, inner in place.value.items()][:MAX_PLAYERS]
    return list(place.items(MAX_PLAYERS))


def _has_known_players(game: FileGame, sides: PlayerIds) -> bool:
    first, second = (_player_of_side(side, sides) for side in game.sides)
    return first is not None and second is not None and first != second


def _player_of_side(side: FileSide, sides: PlayerIds) -> FilePlayerId | None:
    return None if side.key is None else sides.get(side.key)


def _ids_of_sides(
    games: Sequence[FileGame], places: Sequence[FilePlacing], players: PlayerIndex
) -> PlayerIds:
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
    return _match_ids_by_seed(keys, places) or known | by_name


def _match_ids_by_seed(
    keys: Iterable[IdKey], places: Sequence[FilePlacing]
) -> dict[IdKey, FilePlayerId]:
    """Match ascending ids with ascending seeds, if there are as many ids as seeds."""
    numbers = sorted(key for key in keys if isinstance(key, int))
    seeded = sorted(
        (place.seed, place.id) for place in places if place.seed and place.id is not None
    )
    if len(numbers) != len(seeded) or len({seed for seed, _ in seeded}) != len(seeded):
        return {}
    return {key: id_ for key, (_, id_) in zip(numbers, seeded, strict=True)}


def _ids_of_winners(
    games: Sequence[FileGame], sides: PlayerIds, places: Sequence[FilePlacing]
) -> PlayerIds:
    """Resolve `winner_id` and `loser_id`."""
    decided = [
        game for game in games if game.winner is not None and _has_known_players(game, sides)
    ]
    if all(game.winner in (side.key for side in game.sides) for game in decided):
        return sides
    by_meetings = _match_ids_by_games(decided, sides)
    named = {key for game in decided for key in (game.winner, game.loser) if key is not None}
    by_seed = _match_ids_by_seed(named, places)
    fits = all(by_seed.get(key) in (None, id_) for key, id_ in by_meetings.items())
    return {**by_seed, **by_meetings} if fits else by_meetings


def _match_ids_by_games(games: Sequence[FileGame], sides: PlayerIds) -> dict[IdKey, FilePlayerId]:
    """Assign each id to the only player who took part in all games naming it."""
    could: dict[IdKey, set[FilePlayerId]] = {}
    for _ in range(MAX_PASSES):
        before = {key: frozenset(ids) for key, ids in could.items()}
        for game in games:
            pair = {id_ for side in game.sides if (id_ := _player_of_side(side, sides)) is not None}
            for key, opponent in ((game.winner, game.loser), (game.loser, game.winner)):
                if key is None:
                    continue
                rival = could.get(opponent, pair) if opponent is not None else pair
                left = could.get(key, pair) & pair
                could[key] = left - rival if len(rival) == 1 else left
        if before == could:
            break
    return {key: next(iter(ids)) for key, ids in could.items() if len(ids) == 1}


def _cut_table(game: FileGame, sides: PlayerIds, winners: PlayerIds) -> FileTable:
    first, second = (
        FileSeat(sides[side.key], role=side.role) for side in game.sides if side.key is not None
    )
    return FileTable(
        game.table, (first, second), winner=_winner_of_game(game, (first.id, second.id), winners)
    )


def _has_winner(game: FileGame) -> bool:
    return game.winner is not None or any(
        side.winner is not None or side.points for side in game.sides
    )


def _winner_of_game(
    game: FileGame, ids: tuple[FilePlayerId, FilePlayerId], winners: PlayerIds
) -> FilePlayerId | None:
    """Return the winner by mark, `winner_id` or points; None if undecided."""
    first, second = game.sides
    if first.winner is not second.winner:
        return ids[0] if first.winner or second.winner is False else ids[1]
    named = None if game.winner is None else winners.get(game.winner)
    if named in ids:
        return named
    points = first.points or 0, second.points or 0
    if points[0] != points[1]:
        return ids[0] if points[0] > points[1] else ids[1]
    return None


def _split_into_rounds(tables: Iterable[FileTable]) -> Iterable[FileRound]:
    """Split the tables into as few rounds as possible without repeating a player."""
    seen: set[FilePlayerId] = set()
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


# Read a whole file into an event, and compute its standings.


MAX_FILE_BYTES = 10_000_000
MAX_FILE_VALUES = 1_500_000


def read_file(data: bytes | str, *, game: str | None = None) -> ComputedEvent:
    """Read a file; return its event, computed standings and differences.

    `game` overrides the file; the default is the game of AlwaysBeRunning. Raises
    TournamentFileRefused if this is not a tournament file of another program.
    """
    if len(data) > MAX_FILE_BYTES:
        raise TournamentFileRefused(f"The file has more than {MAX_FILE_BYTES:,} bytes.", "$")
    try:
        document = json_guard.parse(data, max_values=MAX_FILE_VALUES)
    except NotJson as refusal:
        raise TournamentFileRefused(str(refusal), "$") from refusal
    return records.compute_standings(_read_event(FileValue(document), game))


def _read_event(file: FileValue, game: str | None) -> FileEvent:
    if file.object().value.get("datafort") is not None:
        raise file.at("datafort").refusal("This is a Datafort document, not a tournament file.")
    day, notices = _read_date(file.at("date"))
    name = file_values.one_line(file.at("name"), file_values.MAX_EVENT_LETTERS)
    if not name:
        notices.append("The file has no name for the event.")
    players = read_players(file.at("players"))
    preliminary = file.at("preliminaryRounds").whole(0, MAX_ROUNDS) or 0
    games = sort_games(file.at("rounds"), preliminary)
    notes = ReadingNotes()
    single = is_single_sided(games.swiss)
    swiss = tuple(read_swiss_round(round_, players, single, notes) for round_ in games.swiss)
    cut = read_cut(games.cut, file.at("eliminationPlayers"), players)
    return mark_counted_rounds(
        FileEvent(
            name=name or UNNAMED,
            dialect=_dialect(file.at("uploadedFrom")),
            game=game or _game_of_file(file.at("game")),
            system="single" if single else "double",
            players=players.in_order,
            rounds=swiss,
            cut_rounds=cut.rounds,
            cut_size=_cut_size(file.at("cutToTop"), cut.rounds, players),
            placings=cut.placings,
            date=day,
            owner=_owner_name(file.at("tournamentOrganiser")),
            abr_event=_abr_event(file.at("abrTournamentId")),
            page=_event_page(file.at("links")),
            notices=(*notices, *players.notices, *notes.sentences(), *cut.notices),
        )
    )


def _cut_size(place: FileValue, cut_rounds: Sequence[FileRound], players: PlayerIndex) -> int:
    """Stated size of the cut, else the number of players in its games."""
    stated = place.whole(0, MAX_PLAYERS) or 0
    playing = {seat.id for round_ in cut_rounds for table in round_.tables for seat in table.seats}
    return min(stated, len(players.in_order)) or len(playing)


def mark_counted_rounds(event: FileEvent) -> FileEvent:
    """Mark the rounds that count, with a notice for each unclear case."""
    rounds = [replace(round_, counts=_is_round_played(round_)) for round_ in event.rounds]
    notices = [
        f"Round {number} was paired and not played. It does not count."
        for number, round_ in enumerate(rounds, start=1)
        if not round_.counts
    ]
    event = replace(event, rounds=tuple(rounds), notices=(*event.notices, *notices))
    played = [place for place, round_ in enumerate(rounds) if round_.counts]
    return _decide_last_round(event, played[-1]) if played else event


def _is_round_played(round_: FileRound) -> bool:
    # Byes have points as soon as the round is paired.
    if not round_.tables:
        return bool(round_.byes)
    return any(table.is_played for table in round_.tables)


def _decide_last_round(event: FileEvent, last: int) -> FileEvent:
    excluded = replace(event.rounds[last], counts=False)
    rounds = (*event.rounds[:last], excluded, *event.rounds[last + 1 :])
    without = replace(event, rounds=rounds)
    open_tables = sum(not table.is_played for table in event.rounds[last].tables)
    if open_tables:
        if _disagreement(without) < _disagreement(event):
            event, outcome = without, "does not count"
        else:
            outcome = "counts"
        notice = (
            f"Round {last + 1} has tables without a result: {open_tables}. By the points that the "
            f"file states it {outcome}."
        )
    elif _is_last_round_unclosed(event, without):
        event = without
        notice = (
            f"Round {last + 1} has all its results, and the points that the file states are those "
            "before it. It does not count."
        )
    else:
        return event
    return replace(event, notices=(*event.notices, notice))


def _is_last_round_unclosed(event: FileEvent, without: FileEvent) -> bool:
    """Return True if the stated points exclude the last round although it has all results."""
    if not any(player.stated.match_points for player in event.players):
        return False
    return _wrong_points(event) > 0 and _wrong_points(without) == 0


def _disagreement(event: FileEvent) -> tuple[int, int]:
    """Return the number of players with differing points, and of differing strengths."""
    fields = [difference.field for difference in records.compute_standings(event).differences]
    return _wrong_points(event), sum(field in STRENGTHS for field in fields)


def _wrong_points(event: FileEvent) -> int:
    computed = records.counted_match_points(event)
    stated = {player.id: player.stated.match_points for player in event.players}
    return sum(points is not None and points != computed[id_] for id_, points in stated.items())
