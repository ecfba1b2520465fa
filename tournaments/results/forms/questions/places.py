"""What is asked about a pod: victory points and factions, seat by seat."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from matches import queries, records
from matches.models import Match
from matches.scoring import (
    MOST_VICTORY_POINTS,
    Contradiction,
    Faction,
    MatchResult,
    Missing,
    ScoringRule,
    victory_points_missing,
)
from tournaments.results.forms.questions.base import (
    Asked,
    PlaceFields,
    Questions,
    flag_fields,
    flags_told,
    number_field,
)


class PlaceQuestions(Questions):
    """`victory_points_n` and `faction_n` for the seat in position n, and a field for each flag.

    Factions may stay open.
    """

    layout = "tournaments/results/questions/places.html"
    row = "tournaments/results/questions/places_row.html"

    def __init__(
        self,
        match: Match,
        *,
        by_staff: bool,
        factions: Mapping[str, Faction] | None = None,
    ) -> None:
        super().__init__(match, by_staff=by_staff)
        self.factions = queries.factions() if factions is None else factions

    @staticmethod
    def columns(rule: ScoringRule) -> tuple[str, ...]:
        return ("Victory points and factions", "More")

    def fields(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {}
        for position, seat in self.seats.items():
            name = seat.player.name
            points = number_field(
                f"Victory points of {name}", f"The victory points of {name}", MOST_VICTORY_POINTS
            )
            points.required = points.widget.is_required = True
            points.error_messages["required"] = victory_points_missing(position, name).message
            fields[f"victory_points_{position}"] = points
            fields[f"faction_{position}"] = forms.ChoiceField(
                label=f"Faction of {name}", choices=self._choices(), required=False
            )
        return fields | flag_fields(self.match.rule)

    def _choices(self) -> list[tuple[str, str]]:
        by_colour = sorted(self.factions.values(), key=lambda one: (one.colour, one.name))
        return [("", "Not told"), *((one.id, f"{one.name}, {one.colour}") for one in by_colour)]

    def initial(self, result: MatchResult) -> dict[str, Any]:
        factions = result.factions or records.factions_of(self.match)
        points = enumerate(result.victory_points, start=1)
        return {
            **{f"victory_points_{position}": value for position, value in points},
            **{f"faction_{position}": id_ for position, id_ in enumerate(factions, start=1)},
            **{flag.value: flag in result.flags for flag in self.match.rule.flags},
        }

    def result(self, asked: Asked) -> MatchResult:
        factions = tuple(asked[f"faction_{position}"] for position in self.seats)
        return MatchResult(
            flags=flags_told(self.match.rule, asked),
            victory_points=tuple(asked[f"victory_points_{position}"] for position in self.seats),
            factions=factions if any(factions) else (),
        )

    def field_missing(self, found: Missing) -> str:
        return f"victory_points_{found.seat}"

    def field_of(self, found: Contradiction) -> str | None:
        return "faction_1" if found.code in ("one_colour", "unknown_faction") else None

    def places(self, form: forms.Form) -> Iterator[PlaceFields]:
        for position, seat in self.seats.items():
            yield PlaceFields(seat, form[f"victory_points_{position}"], form[f"faction_{position}"])

    def into_a_row(self, fields: Mapping[str, forms.Field]) -> None:
        for position in self.seats:
            fields[f"victory_points_{position}"].widget.attrs["data-needed"] = ""
