"""A result that a program tells, as the fields of the result form: one judge of both."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tournaments.forms.questions import NOBODY
from tournaments.forms.questions.base import corp_in
from tournaments.forms.results import ResultForm

Told = Mapping[str, Any]
Typed = dict[str, str]
SWAPPED = "Roles swap after game 1: another player is Corp in each game. Change one of them."
NOT_SEATED_SO = (
    "Game 1: the table is seated the other way round. Ask the staff if you changed roles."
)


class ToldResult:
    """A result document with numbers of players, typed into fields named by position.

    `typed` is for a ResultForm, `wrong` what no form can be told, by part of the document.
    """

    def __init__(self, told: Told, positions: Mapping[int, int]) -> None:
        self.positions = positions
        self.typed: Typed = {}
        self.wrong: dict[str, list[str]] = {}
        self._games(told.get("games", ()))
        self.typed.update(dict.fromkeys(told.get("flags", ()), "on"))
        for name, field, key in (
            ("totals", "total", "points"),
            ("victory_points", "victory_points", "points"),
            ("factions", "faction", "faction"),
        ):
            self._by_seat(name, field, key, told.get(name, ()))

    def _say(self, part: str, sentence: str) -> None:
        said = self.wrong.setdefault(part, [])
        if sentence not in said:
            said.append(sentence)

    def _position(self, part: str, player: int) -> int | None:
        if player not in self.positions:
            self._say(part, f"Player {player} does not sit at this table.")
        return self.positions.get(player)

    def _games(self, games: Sequence[Told]) -> None:
        numbers = [game["number"] for game in games]
        for number in sorted({one for one in numbers if numbers.count(one) > 1}):
            self._say("games", f"Game {number} is told twice.")
        first = self._first_corp(games)
        for game in games:
            self.typed.update(_game_typed(game, corp_in(game["number"], first)))
        if first != 1:
            self.typed["corp"] = str(first)

    def _first_corp(self, games: Sequence[Told]) -> int:
        """The position that was Corp in game 1, by all games that say so."""
        told = [(game["number"], game["corp"]) for game in games if game.get("corp") is not None]
        seen = [(number, self._position("games", player)) for number, player in told]
        first = {corp_in(number, place) for number, place in seen if place is not None}
        if len(first) > 1:
            self._say("games", SWAPPED)
        return first.pop() if len(first) == 1 else 1

    def _by_seat(self, name: str, field: str, key: str, told: Sequence[Told]) -> None:
        for one in told:
            position = self._position(name, one["player"])
            if position is None:
                continue
            if f"{field}_{position}" in self.typed:
                self._say(name, f"Player {one['player']} is told twice.")
            self.typed[f"{field}_{position}"] = str(one[key])

    def errors(self, form: ResultForm) -> dict[str, list[str]]:
        """Everything that is wrong, by part of the document; empty when the form is valid."""
        for field in self.typed:
            if field not in form.fields:
                self._say(part_of(field), _not_asked(field))
        if not self.wrong:
            for field, errors in form.errors.items():
                for error in errors:
                    self._say(part_of(str(field)), str(error))
        return self.wrong


def _game_typed(game: Told, corp: int) -> Iterator[tuple[str, str]]:
    name = f"game_{game['number']}"
    place = {"corp": corp, "runner": 3 - corp, None: NOBODY}
    yield f"{name}_winner", str(place[game["winner"]])
    if game.get("end"):
        yield f"{name}_end", game["end"]
    for role in ("corp", "runner"):
        points = game.get(f"{role}_agenda_points")
        if points is not None:
            yield f"{name}_points_{place[role]}", str(points)


PARTS = {
    "corp": "games",
    "game": "games",
    "total": "totals",
    "victory": "victory_points",
    "faction": "factions",
    "__all__": "request",
}


def part_of(field: str) -> str:
    """The part of a result document that a field of the form belongs to."""
    if field in ("seen", "note", "forced"):
        return field
    word = field if field == "__all__" else field.split("_")[0]
    return PARTS.get(word, "flags")


def _not_asked(field: str) -> str:
    if field == "corp":
        return NOT_SEATED_SO
    number = field.removeprefix("game_")[:1]
    if "_points_" in field and field.startswith("game_"):
        return f"Game {number}: agenda points are not told here. Take them out."
    if field.startswith("game_"):
        return f"Game {number} is not played at this table. Take it out."
    if field.startswith("total_"):
        return "Totals are not told here. Tell who won each game."
    return "This is not told here. Take it out."
