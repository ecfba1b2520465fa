"""The rounds of a file: which games are Swiss and which the cut, and the tables of Swiss."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from matches.scoring import Role
from tournaments.interchange.formats.reading import games
from tournaments.interchange.formats.reading.games import Game, Side
from tournaments.interchange.formats.reading.players import Players
from tournaments.interchange.formats.reading.values import Place
from tournaments.interchange.formats.records import (
    FileBye,
    FileRound,
    FileSeat,
    FileTable,
    PlayerId,
)

MOST_ROUNDS = 100
MOST_GAMES = 2_000
MOST_SINGLE_POINTS = 3


@dataclass(frozen=True)
class Sorted:
    """The games round by round, those of Swiss and those of the cut."""

    swiss: Sequence[Sequence[Game]]
    cut: Sequence[Sequence[Game]]


@dataclass
class Notes:
    """What is noticed along the way, counted."""

    contradictions: int = 0
    same_roles: int = 0
    nobodies: int = 0
    byes_without_points: int = 0
    tables: set[int] = field(default_factory=set)

    def sentences(self) -> list[str]:
        """What to tell, if anything."""
        told = {
            "Tables where the points by role do not make the total, which counts": (
                self.contradictions
            ),
            "Tables that name one role for both players, which is left out": self.same_roles,
            "Tables without any player, left out": self.nobodies,
            "Byes without points, taken for 0": self.byes_without_points,
        }
        return [f"{text}: {count}." for text, count in told.items() if count]


def sorted_games(place: Place, preliminary: int) -> Sorted:
    """All games of the file; `preliminary` is how many rounds of Swiss it says there are.

    An array that holds both kinds makes a round of each.
    """
    swiss: list[list[Game]] = []
    cut: list[list[Game]] = []
    for index, array in enumerate(place.items(MOST_ROUNDS) if place.value is not None else ()):
        read = [games.read(one) for one in array.items(MOST_GAMES)]
        beyond = 0 < preliminary <= index
        is_cut = [_is_cut(game, beyond) for game in read]
        if False in is_cut or not (read or beyond):
            swiss.append([game for game, yes in zip(read, is_cut, strict=True) if not yes])
        if True in is_cut:
            cut.append([game for game, yes in zip(read, is_cut, strict=True) if yes])
    return Sorted(swiss, cut)


def is_single(swiss: Sequence[Sequence[Game]]) -> bool:
    """Whether one game is played at a table: somebody has a role there.

    Where a file has the key and no role, all of its points must be those of one game.
    """
    read = [game for round_ in swiss for game in round_]
    sides = [side for game in read for side in game.sides]
    if any(side.role for side in sides):
        return True
    fits = all((side.points or 0) <= MOST_SINGLE_POINTS for side in sides)
    return fits and any(game.has_role for game in read)


def swiss_round(read: Sequence[Game], players: Players, single: bool, notes: Notes) -> FileRound:
    """A round of Swiss, with no player in it twice."""
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
        raise side.id.refusal(f"No player has the id {side.id.told()}.")
    if id_ in seen:
        raise side.id.refusal(f"Player {side.id.told()} is in this round twice.")
    seen.add(id_)
    return id_


def _table(game: Game, ids: tuple[PlayerId, PlayerId], single: bool, notes: Notes) -> FileTable:
    roles = _roles(game, notes) if single else (None, None)
    is_told = any(side.points is not None for side in game.sides)
    seats = [
        _seat(side, id_, role, is_told)
        for side, id_, role in zip(game.sides, ids, roles, strict=True)
    ]
    number = game.table if game.table not in notes.tables else None
    notes.tables.update([] if number is None else [number])
    return FileTable(number, (seats[0], seats[1]), game.intentional_draw, game.two_for_one)


def _seat(side: Side, id_: PlayerId, role: Role | None, is_told: bool) -> FileSeat:
    if not is_told:
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
    """Both roles, where one is told; none where both are the same."""
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
