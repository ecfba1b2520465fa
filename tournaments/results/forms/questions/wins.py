"""What is asked about a match of Android: Netrunner: winners, flags, or totals."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms

from matches.scoring import (
    MOST_TOTAL,
    Contradiction,
    GameEnd,
    MatchResult,
    Missing,
    ScoringRule,
    total_missing,
)
from tournaments.results.forms.questions.base import Asked, flag_fields, flags_told, number_field
from tournaments.results.forms.questions.games import GameQuestions


class WinQuestions(GameQuestions):
    """With a field for each flag of the rule, by its id, and `total_1` and `total_2` for staff.

    Totals stand for games that are not known. With an intentional draw no game need be told, with
    two for one only the first.
    """

    layout = "tournaments/results/questions/wins.html"
    row = "tournaments/results/questions/wins_row.html"
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

    def initial(self, result: MatchResult) -> dict[str, Any]:
        flags = {flag.value: flag in result.flags for flag in self.match.rule.flags}
        totals = {f"total_{place}": points for place, points in enumerate(result.totals, start=1)}
        return {**super().initial(result), **flags, **totals}

    def result(self, asked: Asked) -> MatchResult:
        totals = [asked.get(f"total_{place}") for place in self.seats]
        return replace(
            super().result(asked),
            flags=flags_told(self.match.rule, asked),
            totals=tuple(points for points in totals if points is not None),
        )

    def missing(self, asked: Asked, result: MatchResult) -> Iterator[Missing]:
        yield from super().missing(asked, result)
        for place, name in self.names.items() if result.totals else ():
            if asked.get(f"total_{place}") is None:
                yield total_missing(place, name)

    def field_missing(self, found: Missing) -> str:
        return super().field_missing(found) if found.game else f"total_{found.seat}"

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
