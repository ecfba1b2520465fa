"""The two games of a match as a form: players report with it, staff decide with it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField

from matches.models import GAME_ENDS, Match, Seat
from matches.scoring import GameEnd, GameResult, MatchResult, Role
from matches.scoring.contradictions import AGENDA_POINTS_TO_WIN, MOST_AGENDA_POINTS

POSITIONS = (1, 2)
NOBODY = "0"


@dataclass(frozen=True)
class SeatFields:
    """One player in one game: the role, and the field of the agenda points."""

    seat: Seat
    role: Role
    points: BoundField


@dataclass(frozen=True)
class GameFields:
    """The fields of one game, for templates."""

    number: int
    winner: BoundField
    end: BoundField
    seats: tuple[SeatFields, ...]


class ResultForm(forms.Form):
    """What happened in each game: winner, how it ended, agenda points.

    Fields of game n: `game_n_winner` ("1" or "2" is the position of a seat,
    "0" nobody), `game_n_end`, `game_n_points_1` and `game_n_points_2` (the
    agenda points of the seat in that position). With `may_swap` there is also
    `corp`, the position that was Corp in game 1. Whoever did not win tells
    the agenda points, as they may count; a winner's left empty are 7 by agenda
    points and else 0, after a no-show all are 0. An end left empty is agenda
    points, or time when nobody won.

    Valid, it holds `result`; contradictions are errors of their game's
    winner field unless `force` is set. Wants `match.seats` with their players.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        match: Match,
        told: MatchResult | None = None,
        may_swap: bool = False,
        force: bool = False,
        prefix: str | None = None,
    ) -> None:
        super().__init__(data, initial=initial_of(told.games if told else ()), prefix=prefix)
        self.match, self.force = match, force
        self.numbers = range(1, match.rule.games_per_match + 1)
        self.seats = {seat.position: seat for seat in match.seats.all()}
        if may_swap:
            self.fields["corp"] = _corp_field(self.seats.values())
        for number in self.numbers:
            self.fields.update(_game_fields(number, self.seats))

    @property
    def result(self) -> MatchResult:
        """The result of a valid form."""
        return MatchResult(self.cleaned_data["games"])

    def games(self) -> Iterator[GameFields]:
        """The fields game by game, the Corp first, as the page lays them out."""
        corp = 2 if "corp" in self.fields and self["corp"].value() == "2" else 1
        for number in self.numbers:
            by_role = {Role.CORP: _corp_in(number, corp), Role.RUNNER: 3 - _corp_in(number, corp)}
            yield GameFields(
                number=number,
                winner=self[f"game_{number}_winner"],
                end=self[f"game_{number}_end"],
                seats=tuple(
                    SeatFields(self.seats[position], role, self[f"game_{number}_points_{position}"])
                    for role, position in by_role.items()
                ),
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            self._ask_for_points()
        if self.errors:
            return cleaned
        games = tuple(self._game(number) for number in self.numbers)
        if not self.force:
            self._add_contradictions(games)
        return {**cleaned, "games": games}

    def _winner(self, number: int) -> int:
        """The position that won, 0 for nobody."""
        return int(self.cleaned_data[f"game_{number}_winner"])

    def _end(self, number: int) -> GameEnd:
        usual = GameEnd.AGENDA if self._winner(number) else GameEnd.TIME
        return GameEnd(self.cleaned_data[f"game_{number}_end"] or usual)

    def _ask_for_points(self) -> None:
        """Nothing that may count is guessed."""
        for number in self.numbers:
            for position, seat in self.seats.items():
                name = f"game_{number}_points_{position}"
                must_tell = (
                    position != self._winner(number) and self._end(number) is not GameEnd.NO_SHOW
                )
                if must_tell and self.cleaned_data[name] is None:
                    self.add_error(
                        name,
                        f"Game {number}: enter the agenda points of {seat.player.name}; "
                        "0 if there were none.",
                    )

    def _game(self, number: int) -> GameResult:
        told = self.cleaned_data
        corp = _corp_in(number, int(told.get("corp") or 1))
        position, end = self._winner(number), self._end(number)
        winner = None if not position else Role.CORP if position == corp else Role.RUNNER
        points = {
            seat: _points(told[f"game_{number}_points_{seat}"], end, won=seat == position)
            for seat in POSITIONS
        }
        return GameResult(number, corp, winner, end, points[corp], points[3 - corp])

    def _add_contradictions(self, games: Sequence[GameResult]) -> None:
        for found in self.match.rule.contradictions(MatchResult(tuple(games))):
            field = None if found.game is None else f"game_{found.game}_winner"
            self.add_error(field, found.message)


def initial_of(games: Iterable[GameResult]) -> dict[str, Any]:
    """What the form shows for games that were told before."""
    initial: dict[str, Any] = {}
    for game in games:
        if game.number == 1:
            initial["corp"] = str(game.corp)
        winner = str(game.position(game.winner)) if game.winner else NOBODY
        initial[f"game_{game.number}_winner"] = winner
        initial[f"game_{game.number}_end"] = game.end.value
        for role in Role:
            name = f"game_{game.number}_points_{game.position(role)}"
            initial[name] = game.agenda_points(role)
    return initial


def _points(told: int | None, end: GameEnd, *, won: bool) -> int:
    if told is not None:
        return told
    return AGENDA_POINTS_TO_WIN if won and end is GameEnd.AGENDA else 0


def _corp_in(number: int, first: int) -> int:
    """The position that is Corp: roles swap after game 1."""
    return first if number == 1 else 3 - first


def _corp_field(seats: Iterable[Seat]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Corp in game 1",
        choices=[(str(seat.position), seat.player.name) for seat in seats],
        initial="1",
        required=False,
        widget=forms.RadioSelect,
    )


def _game_fields(number: int, seats: dict[int, Seat]) -> dict[str, forms.Field]:
    names = [(str(position), seats[position].player.name) for position in POSITIONS]
    fields: dict[str, forms.Field] = {
        f"game_{number}_winner": forms.ChoiceField(
            label=f"Game {number}: who won?",
            choices=[*names, (NOBODY, "Nobody")],
            widget=forms.RadioSelect,
            error_messages={
                "required": f"Game {number}: choose who won, or Nobody.",
                "invalid_choice": f"Game {number}: choose one of the two players, or Nobody.",
            },
        ),
        f"game_{number}_end": forms.ChoiceField(
            label=f"Game {number}: how did it end?",
            choices=GAME_ENDS,
            initial=GameEnd.AGENDA.value,
            required=False,
        ),
    }
    for position in POSITIONS:
        name = f"game_{number}_points_{position}"
        fields[name] = _points_field(number, seats[position].player.name)
    return fields


def _points_field(number: int, player: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=f"Game {number}: agenda points of {player}",
        required=False,
        min_value=0,
        max_value=MOST_AGENDA_POINTS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            f"Game {number}: the agenda points of {player} are a whole number from 0 to "
            f"{MOST_AGENDA_POINTS}.",
        ),
    )
