"""What is asked about a match of the 1996 game: winners, ends, agenda points."""

from collections.abc import Iterator
from typing import Any

from django import forms

from matches.scoring import (
    AGENDA_POINTS_TO_WIN,
    MOST_AGENDA_POINTS,
    GameEnd,
    GameResult,
    MatchResult,
    Role,
    ScoringRule,
)
from tournaments.forms.questions.base import Asked, number_field
from tournaments.forms.questions.games import GameQuestions, ends_of


class AgendaQuestions(GameQuestions):
    """With `game_n_points_1` and `game_n_points_2`, the agenda points of the seats in game n.

    Whoever did not win tells the agenda points, as they may count; a winner's left empty are 7 by
    agenda points and else 0, after a no-show all are 0. An end left empty is agenda points, or
    time when nobody won.
    """

    layout = "tournaments/results/agenda.html"
    row = "tournaments/results/agenda_row.html"

    @staticmethod
    def columns(rule: ScoringRule) -> tuple[str, ...]:
        return tuple(f"Game {number}" for number in range(1, rule.games_per_match + 1))

    def fields(self) -> dict[str, forms.Field]:
        fields = super().fields()
        for number in self.numbers:
            for position, seat in self.seats.items():
                name = seat.player.name
                fields[f"game_{number}_points_{position}"] = number_field(
                    f"Game {number}: agenda points of {name}",
                    f"Game {number}: the agenda points of {name}",
                    MOST_AGENDA_POINTS,
                )
        return fields

    def end_field(self, number: int) -> forms.ChoiceField:
        field = super().end_field(number)
        if self.by_staff:
            # Left as usual, it is agenda points with a winner and time without one.
            field.choices = [("", "As usual"), *ends_of(self.match.rule)]
        else:
            field.initial = GameEnd.AGENDA.value
        return field

    def initial(self, told: MatchResult) -> dict[str, Any]:
        initial = super().initial(told)
        for game in told.games:
            for role in Role:
                name = f"game_{game.number}_points_{game.position(role)}"
                initial[name] = game.agenda_points(role)
        return initial

    def missing(self, asked: Asked) -> Iterator[tuple[str, str]]:
        for number in self.numbers:
            yield from self._points_missing(asked, number)

    def _points_missing(self, asked: Asked, number: int) -> Iterator[tuple[str, str]]:
        for position, seat in self.seats.items():
            name = f"game_{number}_points_{position}"
            lost = position != self.winner(asked, number)
            if lost and asked[name] is None and self._end(asked, number) is not GameEnd.NO_SHOW:
                yield (
                    name,
                    f"Game {number}: enter the agenda points of {seat.player.name}; "
                    "0 if there were none.",
                )

    def result(self, asked: Asked) -> MatchResult:
        return MatchResult(tuple(self._game(asked, number) for number in self.numbers))

    def _game(self, asked: Asked, number: int) -> GameResult:
        corp, end = self.corp(asked, number), self._end(asked, number)
        points = {
            position: _points(
                asked[f"game_{number}_points_{position}"],
                end,
                won=position == self.winner(asked, number),
            )
            for position in self.seats
        }
        winner = self.role_of_winner(asked, number)
        return GameResult(number, corp, winner, end, points[corp], points[3 - corp])

    def _end(self, asked: Asked, number: int) -> GameEnd:
        usual = GameEnd.AGENDA if self.winner(asked, number) else GameEnd.TIME
        return GameEnd(asked[f"game_{number}_end"] or usual)


def _points(told: int | None, end: GameEnd, *, won: bool) -> int:
    if told is not None:
        return told
    return AGENDA_POINTS_TO_WIN if won and end is GameEnd.AGENDA else 0
