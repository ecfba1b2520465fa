"""Read the games of a file in all known formats, and the tables of its Swiss rounds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from matches.scoring import Role
from tournaments.interchange.formats.file_heading import Players
from tournaments.interchange.formats.file_values import IdKey, Place
from tournaments.interchange.formats.records import (
    FileBye,
    FileRound,
    FileSeat,
    FileTable,
    PlayerId,
)

LEAST_POINTS, MOST_POINTS = -999, 999
HIGHEST_TABLE = 32_767
_SHORT_NUMBER = re.compile("[0-9]{1,9}")
MOST_ROUNDS = 100
MOST_GAMES = 2_000
MOST_SINGLE_POINTS = 3


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a game as written in the file. `id` is the location of the id, `key` its value."""

    id: Place
    key: IdKey | None
    name: str
    role: Role | None
    corp: int | None
    runner: int | None
    combined: int | None
    winner: bool | None

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
class Game:
    """A game as written in the file. `winner` and `loser` are ids written by AesopsTables."""

    place: Place
    sides: tuple[Side, Side]
    table: int | None
    intentional_draw: bool
    two_for_one: bool
    elimination: bool | None
    winner: IdKey | None
    loser: IdKey | None
    has_winner: bool
    has_role: bool


def read_game(place: Place) -> Game:
    """Read a game. Raises FileRefused if it names no players."""
    place.object()
    sides = _sides(place)
    table = place.at("table")
    return Game(
        place=place,
        sides=sides,
        table=_table_number(table if table.value is not None else place.at("tableNumber")),
        intentional_draw=bool(place.at("intentionalDraw").flag()),
        two_for_one=bool(place.at("twoForOne").flag()),
        elimination=place.at("eliminationGame").flag(),
        winner=place.at("winner_id").id_key(),
        loser=place.at("loser_id").id_key(),
        has_winner=place.has("winner_id") or any(_names(side, "winner") for side in sides),
        has_role=any(side.role is not None or _names(side, "role") for side in sides),
    )


def _sides(place: Place) -> tuple[Side, Side]:
    if place.has("player1") or place.has("player2"):
        return _nested_side(place.at("player1")), _nested_side(place.at("player2"))
    if place.has("corpPlayer") or place.has("runnerPlayer"):
        return _flat_side(place, Role.CORP), _flat_side(place, Role.RUNNER)
    if place.has("corp") or place.has("runner"):
        return _role_side(place, Role.CORP), _role_side(place, Role.RUNNER)
    raise place.refusal("No players are named here: neither player1 and player2 nor the roles.")


def _nested_side(place: Place) -> Side:
    """Read a side under `player1` or `player2` (Cobra and NRTM)."""
    if place.value is None:
        return _nobody(place)
    place.object()
    role = _role(place.at("role"))
    corp, runner = _points(place.at("corpScore")), _points(place.at("runnerScore"))
    return Side(
        id=place.at("id"),
        key=place.at("id").id_key(),
        name=_name(place.at("name")),
        role=role,
        corp=corp,
        runner=runner,
        combined=_points(place.at("combinedScore")),
        winner=place.at("winner").flag(),
    )


def _flat_side(game: Place, role: Role) -> Side:
    """Read a side from `corpPlayer` and `corpScore` or the Runner's keys (AesopsTables)."""
    id_, points = game.at(f"{role.value}Player"), _points(game.at(f"{role.value}Score"))
    return _single(id_, role, points, winner=None)


def _role_side(game: Place, role: Role) -> Side:
    """Read a side named after its role, `{"id", "score"}` (older AesopsTables)."""
    place = game.at(role.value)
    if place.value is None:
        return _nobody(place)
    place.object()
    winner = place.at("winner").flag()
    return _single(place.at("id"), role, _points(place.at("score")), winner=winner)


def _single(id_: Place, role: Role, points: int | None, winner: bool | None) -> Side:
    return Side(
        id=id_,
        key=id_.id_key(),
        name="",
        role=role,
        corp=points if role is Role.CORP else None,
        runner=points if role is Role.RUNNER else None,
        combined=points,
        winner=winner,
    )


def _nobody(place: Place) -> Side:
    return Side(place, None, "", None, None, None, None, None)


def _points(place: Place) -> int | None:
    return place.whole(LEAST_POINTS, MOST_POINTS)


def _role(place: Place) -> Role | None:
    word = place.text().strip().casefold()
    if word not in ("", *Role):
        raise place.refusal(f'A role is "corp" or "runner", not {place.shown()}.')
    return Role(word) if word else None


def _name(place: Place) -> str:
    return place.value if isinstance(place.value, str) else ""


def _table_number(place: Place) -> int | None:
    """Table number, or None if it is not a number: it is only displayed."""
    value = place.value.strip() if isinstance(place.value, str) else place.value
    number = int(value) if isinstance(value, str) and _SHORT_NUMBER.fullmatch(value) else value
    if isinstance(number, bool) or not isinstance(number, int):
        return None
    return number if 0 < number <= HIGHEST_TABLE else None


def _names(side: Side, key: str) -> bool:
    holder = side.id.parent
    return holder is not None and isinstance(holder.value, dict) and key in holder.value


@dataclass(frozen=True)
class Sorted:
    """The games by round, split into Swiss and cut."""

    swiss: Sequence[Sequence[Game]]
    cut: Sequence[Sequence[Game]]


@dataclass
class Notes:
    """Counters of irregularities found while reading."""

    contradictions: int = 0
    same_roles: int = 0
    nobodies: int = 0
    byes_without_points: int = 0
    tables: set[int] = field(default_factory=set)

    def sentences(self) -> list[str]:
        counts = {
            "Tables where the points by role do not make the total, which counts": (
                self.contradictions
            ),
            "Tables that name one role for both players, which is left out": self.same_roles,
            "Tables without any player, left out": self.nobodies,
            "Byes without points, taken for 0": self.byes_without_points,
        }
        return [f"{text}: {count}." for text, count in counts.items() if count]


def sorted_games(place: Place, preliminary: int) -> Sorted:
    """Sort all games into Swiss and cut; `preliminary` is the stated number of Swiss rounds.

    An array with both kinds becomes a round of each.
    """
    swiss: list[list[Game]] = []
    cut: list[list[Game]] = []
    for index, array in enumerate(place.items(MOST_ROUNDS) if place.value is not None else ()):
        read = [read_game(one) for one in array.items(MOST_GAMES)]
        beyond = 0 < preliminary <= index
        is_cut = [_is_cut(game, beyond) for game in read]
        if False in is_cut or not (read or beyond):
            swiss.append([game for game, yes in zip(read, is_cut, strict=True) if not yes])
        if True in is_cut:
            cut.append([game for game, yes in zip(read, is_cut, strict=True) if yes])
    return Sorted(swiss, cut)


def is_single(swiss: Sequence[Sequence[Game]]) -> bool:
    """Return True if a table plays one game, so that a player has a role.

    If the file has role keys without values, all points must be possible in a single game.
    """
    read = [game for round_ in swiss for game in round_]
    sides = [side for game in read for side in game.sides]
    if any(side.role for side in sides):
        return True
    fits = all((side.points or 0) <= MOST_SINGLE_POINTS for side in sides)
    return fits and any(game.has_role for game in read)


def swiss_round(read: Sequence[Game], players: Players, single: bool, notes: Notes) -> FileRound:
    """Read a Swiss round. Raises FileRefused if a player is in it twice."""
    seen: set[PlayerId] = set()
    tables: list[FileTable] = []
    byes: list[FileBye] = []
    notes.tables.clear()
    for game in read:
        present = [side for side in game.sides if not players.is_bye(side.key)]
        ids = [_id(side, players, seen) for side in present]
        notes.contradictions += any(side.contradicts_itself for side in present)
        if len(ids) == 2:
            tables.append(_table(game, (ids[0], ids[1]), single, notes))
        elif ids:
            notes.byes_without_points += present[0].points is None
            byes.append(FileBye(ids[0], present[0].points or 0))
        else:
            notes.nobodies += 1
    return FileRound(tuple(tables), tuple(byes))


def _is_cut(game: Game, beyond: bool) -> bool:
    if game.elimination is not None:
        return game.elimination
    return game.has_winner or beyond


def _id(side: Side, players: Players, seen: set[PlayerId]) -> PlayerId:
    id_ = players.id_of(side.key)
    if id_ is None:
        raise side.id.refusal(f"No player has the id {side.id.shown()}.")
    if id_ in seen:
        raise side.id.refusal(f"Player {side.id.shown()} is in this round twice.")
    seen.add(id_)
    return id_


def _table(game: Game, ids: tuple[PlayerId, PlayerId], single: bool, notes: Notes) -> FileTable:
    roles = _roles(game, notes) if single else (None, None)
    has_points = any(side.points is not None for side in game.sides)
    seats = [
        _seat(side, id_, role, has_points)
        for side, id_, role in zip(game.sides, ids, roles, strict=True)
    ]
    number = game.table if game.table not in notes.tables else None
    notes.tables.update([] if number is None else [number])
    return FileTable(number, (seats[0], seats[1]), game.intentional_draw, game.two_for_one)


def _seat(side: Side, id_: PlayerId, role: Role | None, has_points: bool) -> FileSeat:
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


def _roles(game: Game, notes: Notes) -> tuple[Role | None, Role | None]:
    """Both roles, derived from each other if only one is known; none if they are equal."""
    one, other = (side.role or _role_by_points(side) for side in game.sides)
    if one is not None and one is other:
        notes.same_roles += 1
        return None, None
    if one is None and other is None:
        return None, None
    return one or _other(other), other or _other(one)


def _role_by_points(side: Side) -> Role | None:
    if (side.corp is None) == (side.runner is None):
        return None
    return Role.RUNNER if side.corp is None else Role.CORP


def _other(role: Role | None) -> Role | None:
    return role.other if role else None
