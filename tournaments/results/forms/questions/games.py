"""Questions about games between a Corp and a Runner: who won each, and how."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from matches.models import Match
from matches.scoring import (
    Contradiction,
    GameEnd,
    GameResult,
    MatchResult,
    Missing,
    Role,
    ScoringRule,
    corp_in,
    winner_missing,
)
from tournaments.results.forms.questions.base import (
    NOBODY,
    Asked,
    GameFields,
    Questions,
    SeatFields,
    corp_field,
)


class GameQuestions(Questions):
    """Fields of game n: `game_n_winner` ("1" or "2" is the position of a seat, "0" nobody) and
    `game_n_end`. Staff also have `corp`, the position that was Corp in game 1.
    """

    winners_required = True

    def __init__(self, match: Match, **options: Any) -> None:
        super().__init__(match, **options)
        self.numbers = range(1, match.rule.games_per_match + 1)

    def fields(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {}
        if self.by_staff:
            fields["corp"] = corp_field(self.seats.values())
        for number in self.numbers:
            fields[f"game_{number}_winner"] = self.winner_field(number)
            fields[f"game_{number}_end"] = self.end_field(number)
        return fields

    def winner_field(self, number: int) -> forms.ChoiceField:
        """Who won a game."""
        names = [(str(place), seat.player.name) for place, seat in sorted(self.seats.items())]
        nobody = self.match.rule.nobody
        return forms.ChoiceField(
            label=f"Game {number}: who won?",
            choices=[*names, (NOBODY, nobody)],
            required=self.winners_required,
            widget=forms.RadioSelect,
            error_messages={
                "required": winner_missing(number, nobody).message,
                "invalid_choice": f"Game {number}: choose one of the two players, or {nobody}.",
            },
        )

    def end_field(self, number: int) -> forms.ChoiceField:
        """How a game ended."""
        return forms.ChoiceField(
            label=f"Game {number}: how did it end?",
            choices=ends_of(self.match.rule),
            required=False,
        )

    def initial(self, result: MatchResult) -> dict[str, Any]:
        initial: dict[str, Any] = {}
        for game in result.games:
            if game.number == 1:
                initial["corp"] = str(game.corp)
            winner = str(game.position(game.winner)) if game.winner else NOBODY
            initial[f"game_{game.number}_winner"] = winner
            initial[f"game_{game.number}_end"] = game.end.value
        return initial

    def result(self, asked: Asked) -> MatchResult:
        """The games with a winner, or the word that there is none."""
        numbers = [number for number in self.numbers if asked[f"game_{number}_winner"]]
        return MatchResult(tuple(self._game(asked, number) for number in numbers))

    def _game(self, asked: Asked, number: int) -> GameResult:
        corp = corp_in(number, int(asked.get("corp") or 1))
        sides = {NOBODY: None, str(corp): Role.CORP, str(3 - corp): Role.RUNNER}
        winner = sides[asked[f"game_{number}_winner"]]
        end = GameEnd(asked[f"game_{number}_end"] or self.match.rule.usual_end(winner))
        points = (asked.get(f"game_{number}_points_{position}") for position in (corp, 3 - corp))
        return GameResult(number, corp, winner, end, *points)

    def field_missing(self, found: Missing) -> str:
        name = "winner" if found.seat is None else f"points_{found.seat}"
        return f"game_{found.game}_{name}"

    def field_of(self, found: Contradiction) -> str | None:
        return None if found.game not in self.numbers else f"game_{found.game}_winner"

    def games(self, form: forms.Form) -> Iterator[GameFields]:
        """Game by game, the Corp first."""
        first = 2 if "corp" in form.fields and form["corp"].value() == "2" else 1
        for number in self.numbers:
            corp = corp_in(number, first)
            by_role = {Role.CORP: corp, Role.RUNNER: 3 - corp}
            yield GameFields(
                number=number,
                winner=form[f"game_{number}_winner"],
                end=form[f"game_{number}_end"],
                seats=tuple(
                    SeatFields(self.seats[position], role, self.points_of(form, number, position))
                    for role, position in by_role.items()
                ),
            )

    def points_of(self, form: forms.Form, number: int, position: int) -> forms.BoundField | None:
        """The field of the agenda points of a seat, where they are asked for."""
        name = f"game_{number}_points_{position}"
        return form[name] if name in form.fields else None

    def into_a_row(self, fields: Mapping[str, forms.Field]) -> None:
        fields["corp"].widget = forms.HiddenInput()
        for number in self.numbers:
            names = [
                (str(place), f"{place} {seat.player.name}")
                for place, seat in sorted(self.seats.items())
            ]
            choices = [("", "-"), *names, (NOBODY, f"{NOBODY} {self.match.rule.nobody.lower()}")]
            fields[f"game_{number}_winner"].widget = forms.Select(
                choices=choices, attrs={"data-needed": ""}
            )


def ends_of(rule: ScoringRule) -> list[tuple[str, str]]:
    """The ways a game can end, for a list to choose from."""
    return [(end.value, end.label) for end in rule.ends]
