"""What is asked about a match of Android: Netrunner: winners, flags, or totals."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from matches.scoring import Contradiction, Flag, GameEnd, GameResult, MatchResult, ScoringRule
from tournaments.forms.questions.base import Asked, flag_fields, flags_told, number_field
from tournaments.forms.questions.games import GameQuestions

MOST_TOTAL = 99


class WinQuestions(GameQuestions):
    """With a field for each flag of the rule, by its id, and `total_1` and `total_2` for staff.

    Totals stand for games that are not known. With an intentional draw no game need be told, with
    two for one only the first.
    """

    layout = "tournaments/results/wins.html"
    row = "tournaments/results/wins_row.html"
    nobody = "Draw"
    winners_required = False

    @staticmethod
    def columns(rule: ScoringRule) -> tuple[str, ...]:
        games = (f"Game {number}" for number in range(1, rule.games_per_match + 1))
        return (*games, "Or totals", "More")

    def fields(self) -> dict[str, forms.Field]:
        fields = super().fields()
        fields |= flag_fields(self.match.rule)
        if self.by_staff:
            for position, seat in self.seats.items():
                fields[f"total_{position}"] = number_field(
                    f"Match points of {seat.player.name}",
                    f"The match points of {seat.player.name}",
                    MOST_TOTAL,
                )
        return fields

    def end_field(self, number: int) -> forms.ChoiceField:
        field = super().end_field(number)
        field.initial = GameEnd.NOT_TOLD.value
        return field

    def initial(self, told: MatchResult) -> dict[str, Any]:
        flags = {flag.value: flag in told.flags for flag in self.match.rule.flags}
        totals = {f"total_{place}": points for place, points in enumerate(told.totals, start=1)}
        return {**super().initial(told), **flags, **totals}

    def missing(self, asked: Asked) -> Iterator[tuple[str, str]]:
        totals = {place: asked.get(f"total_{place}") for place in self.seats}
        if any(points is not None for points in totals.values()):
            for position, points in totals.items():
                if points is None:
                    name = self.seats[position].player.name
                    yield f"total_{position}", f"Enter the match points of {name} too."
            return
        for number in self.numbers:
            if self._must_tell(asked, number) and not asked[f"game_{number}_winner"]:
                name = f"game_{number}_winner"
                yield name, f"Game {number}: choose who won, or {self.nobody}."

    def _must_tell(self, asked: Asked, number: int) -> bool:
        if asked.get(Flag.INTENTIONAL_DRAW.value):
            return False
        return number == 1 or not asked.get(Flag.TWO_FOR_ONE.value)

    def result(self, asked: Asked) -> MatchResult:
        told = [number for number in self.numbers if asked[f"game_{number}_winner"]]
        totals = [asked.get(f"total_{place}") for place in self.seats]
        return MatchResult(
            games=tuple(self._game(asked, number) for number in told),
            flags=flags_told(self.match.rule, asked),
            totals=tuple(points for points in totals if points is not None),
        )

    def _game(self, asked: Asked, number: int) -> GameResult:
        end = GameEnd(asked[f"game_{number}_end"] or GameEnd.NOT_TOLD)
        winner = self.role_of_winner(asked, number)
        return GameResult(number, self.corp(asked, number), winner, end)

    def field_of(self, found: Contradiction) -> str | None:
        if self.by_staff and found.code in ("totals", "totals_and_games"):
            return "total_1"
        return super().field_of(found)

    def into_a_row(self, fields: Mapping[str, forms.Field]) -> None:
        super().into_a_row(fields)
        for position in self.seats:
            fields[f"total_{position}"].widget.attrs["data-total"] = ""
        for flag in self.match.rule.flags:
            fields[flag.value].widget.attrs["data-flag"] = flag.value

    def totals(self, form: forms.Form) -> list[forms.BoundField]:
        """The fields of the totals by seat; none for players."""
        return [form[f"total_{place}"] for place in self.seats] if self.by_staff else []
