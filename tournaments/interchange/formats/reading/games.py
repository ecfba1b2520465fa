"""The games of a file, whatever their shape: two sides, what each made, who won."""

import re
from dataclasses import dataclass

from matches.scoring import Role
from tournaments.interchange.formats.reading.values import IdKey, Place

LEAST_POINTS, MOST_POINTS = -999, 999
HIGHEST_TABLE = 32_767
_SHORT_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game as it stands there. `id` is the place of the id, `key` what it says."""

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
        """The sum of what was made in each role; None where nothing is said."""
        if self.corp is None and self.runner is None:
            return None
        return (self.corp or 0) + (self.runner or 0)

    @property
    def points(self) -> int | None:
        """What this side made; None without a result.

        The total is the truth. Where it is missing or 0 the roles tell, unless they come to 0
        themselves: programs write zeros there before anything was reported.
        """
        return self.combined or self.by_role or self.combined

    @property
    def contradicts_itself(self) -> bool:
        """Whether total and roles both say something, and not the same."""
        return bool(self.combined and self.by_role and self.combined != self.by_role)


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands there. `winner` and `loser` are what AesopsTables writes beside it."""

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


def read(place: Place) -> Game:
    """The game at this place. Refuse what has no players at all."""
    place.object()
    sides = _sides(place)
    table = place.at("table")
    return Game(
        place=place,
        sides=sides,
        table=_table(table if table.value is not None else place.at("tableNumber")),
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
        return _told_side(place.at("player1")), _told_side(place.at("player2"))
    if place.has("corpPlayer") or place.has("runnerPlayer"):
        return _flat_side(place, Role.CORP), _flat_side(place, Role.RUNNER)
    if place.has("corp") or place.has("runner"):
        return _role_side(place, Role.CORP), _role_side(place, Role.RUNNER)
    raise place.refusal("No players are named here: neither player1 and player2 nor the roles.")


def _told_side(place: Place) -> Side:
    """A side under `player1` or `player2`: Cobra and NRTM."""
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
    """A side of a game without sides, `corpPlayer` and `corpScore`: AesopsTables."""
    id_, points = game.at(f"{role.value}Player"), _points(game.at(f"{role.value}Score"))
    return _single(id_, role, points, winner=None)


def _role_side(game: Place, role: Role) -> Side:
    """A side named after its role, `{"id", "score"}`: what AesopsTables wrote earlier."""
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
        raise place.refusal(f'A role is "corp" or "runner", not {place.told()}.')
    return Role(word) if word else None


def _name(place: Place) -> str:
    return place.value if isinstance(place.value, str) else ""


def _table(place: Place) -> int | None:
    """The number of the table; None for what is no number: it is only for show."""
    value = place.value.strip() if isinstance(place.value, str) else place.value
    number = int(value) if isinstance(value, str) and _SHORT_NUMBER.fullmatch(value) else value
    if isinstance(number, bool) or not isinstance(number, int):
        return None
    return number if 0 < number <= HIGHEST_TABLE else None


def _names(side: Side, key: str) -> bool:
    holder = side.id.parent
    return holder is not None and isinstance(holder.value, dict) and key in holder.value
