"""Fields of a result form and how a result is read from them; fields of a pod."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField

from matches import queries, records
from matches.models import Match, Seat
from matches.scoring import (
    MOST_VICTORY_POINTS,
    Contradiction,
    Faction,
    Flag,
    MatchResult,
    Missing,
    Role,
    ScoringRule,
    out_of_range,
    victory_points_missing,
)

NOBODY = "0"
# Cleaned data of a form, by field.
Asked = Mapping[str, Any]


@dataclass(frozen=True)
class SeatFields:
    """A player in a game: the role, and the field of the agenda points if they count."""

    seat: Seat
    role: Role
    points: BoundField | None
    # Codes of usual results after which the points are required, separated by spaces.
    asked_after: str = ""


@dataclass(frozen=True)
class GameFields:
    number: int
    winner: BoundField
    end: BoundField
    seats: tuple[SeatFields, ...]
    # Players who have lost this game to a penalty, whatever is reported.
    lost_by: tuple[str, ...] = ()

    @property
    def asked_after(self) -> str:
        """Codes of usual results after which a field of this game is required."""
        return " ".join(side.asked_after for side in self.seats).strip()


@dataclass(frozen=True)
class PlaceFields:
    seat: Seat
    victory_points: BoundField
    faction: BoundField
    # True if a penalty puts the player last, whatever is reported.
    is_lost: bool = False


class Questions(ABC):
    """The fields for a match, and how a result is read from them.

    `layout` is the template of the whole form, `row` that of the cells in a list of tables.
    `factions` are the current factions of the game, for pods.
    """

    layout: str
    row: str

    def __init__(
        self, match: Match, *, by_staff: bool, factions: Mapping[str, Faction] | None = None
    ) -> None:
        self.match, self.by_staff = match, by_staff
        self.seats = {seat.position: seat for seat in match.seats.all()}
        self.names = {position: seat.player.name for position, seat in self.seats.items()}

    @staticmethod
    @abstractmethod
    def columns(rule: ScoringRule) -> tuple[str, ...]:
        """Return the headings of the cells in a list of tables."""

    @abstractmethod
    def fields(self) -> dict[str, forms.Field]:
        """Return the fields by name, in the order of the page."""

    @abstractmethod
    def initial(self, result: MatchResult) -> dict[str, Any]:
        """Return the initial field values for a result."""

    @abstractmethod
    def result(self, asked: Asked) -> MatchResult:
        """Return the entered result, which may be incomplete."""

    def missing(self, asked: Asked, result: MatchResult) -> Iterator[Missing]:
        """Yield the missing values of the fields or the entered `result`; none are guessed."""
        yield from self.match.rule.missing(result, self.names)

    @abstractmethod
    def field_missing(self, found: Missing) -> str:
        """Return the name of the field to be filled."""

    @abstractmethod
    def field_of(self, found: Contradiction) -> str | None:
        """Return the field to show a contradiction at; None for the whole form."""

    def games(self, form: forms.Form) -> Iterator[GameFields]:
        """Yield the fields by game; none if there are no roles."""
        yield from ()

    def places(self, form: forms.Form) -> Iterator[PlaceFields]:
        """Yield the fields by player of a pod."""
        yield from ()

    def flags(self, form: forms.Form) -> list[BoundField]:
        """Return the fields of the flags; empty if the rule has none."""
        return [form[flag.value] for flag in self.match.rule.flags]

    def totals(self, form: forms.Form) -> list[BoundField]:
        """Return the fields of typed totals by seat; empty if they cannot be typed."""
        return []

    @abstractmethod
    def decided_fields(self) -> set[str]:
        """Return the names of the fields decided by a penalty."""

    @abstractmethod
    def into_a_row(self, fields: Mapping[str, forms.Field]) -> None:
        """Adapt the fields to a single row of a list and to keyboard entry."""


def flag_fields(rule: ScoringRule) -> dict[str, forms.Field]:
    """Return a checkbox for each flag of the rule, by id."""
    return {
        flag.value: forms.BooleanField(label=flag.label, help_text=flag.hint, required=False)
        for flag in rule.flags
    }


def ticked_flags(rule: ScoringRule, asked: Asked) -> frozenset[Flag]:
    return frozenset(flag for flag in rule.flags if asked[flag.value])


def corp_field(seats: Iterable[Seat]) -> forms.ChoiceField:
    """Return the field for the Corp in game 1, if players sat down the other way round."""
    return forms.ChoiceField(
        label="Corp in game 1",
        choices=[(str(seat.position), seat.player.name) for seat in seats],
        initial="1",
        required=False,
        widget=forms.RadioSelect,
    )


def number_field(label: str, said: str, most: int) -> forms.IntegerField:
    """Return a field for a whole number from 0 to `most`; `said` names it in the error."""
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=most,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            out_of_range(said, most),
        ),
    )


class PlaceQuestions(Questions):
    """`victory_points_n` and `faction_n` for the seat in position n, and a field for each flag.

    Factions are optional.
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
        return [("", "Not recorded"), *((one.id, f"{one.name}, {one.colour}") for one in by_colour)]

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
            flags=ticked_flags(self.match.rule, asked),
            victory_points=tuple(asked[f"victory_points_{position}"] for position in self.seats),
            factions=factions if any(factions) else (),
        )

    def field_missing(self, found: Missing) -> str:
        return f"victory_points_{found.seat}"

    def field_of(self, found: Contradiction) -> str | None:
        return "faction_1" if found.code in ("one_colour", "unknown_faction") else None

    def places(self, form: forms.Form) -> Iterator[PlaceFields]:
        lost = {loss.seat for loss in records.losses_of(self.match)}
        for position, seat in self.seats.items():
            points, faction = form[f"victory_points_{position}"], form[f"faction_{position}"]
            yield PlaceFields(seat, points, faction, is_lost=position in lost)

    def decided_fields(self) -> set[str]:
        return {f"victory_points_{loss.seat}" for loss in records.losses_of(self.match)}

    def into_a_row(self, fields: Mapping[str, forms.Field]) -> None:
        for position in self.seats:
            fields[f"victory_points_{position}"].widget.attrs["data-needed"] = ""
