"""What is asked about a match of the 1996 game: winners, ends, agenda points."""

from typing import Any

from django import forms

from matches.scoring import MOST_AGENDA_POINTS, GameEnd, MatchResult, Role, ScoringRule
from tournaments.results.forms.questions.base import number_field
from tournaments.results.forms.questions.games import GameQuestions, ends_of


class AgendaQuestions(GameQuestions):
    """With `game_n_points_1` and `game_n_points_2`, the agenda points of the seats in game n."""

    layout = "tournaments/results/questions/agenda.html"
    row = "tournaments/results/questions/agenda_row.html"

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

    def initial(self, result: MatchResult) -> dict[str, Any]:
        initial = super().initial(result)
        for game in result.games:
            for role in Role:
                name = f"game_{game.number}_points_{game.position(role)}"
                initial[name] = game.agenda_points(role)
        return initial
