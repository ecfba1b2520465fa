"""What every kind of questions can do."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField

from matches.models import Match, Seat
from matches.scoring import (
    Contradiction,
    Faction,
    Flag,
    MatchResult,
    Missing,
    Role,
    ScoringRule,
    out_of_range,
)

NOBODY = "0"
Asked = Mapping[str, Any]
"""What a form holds after cleaning, by field."""


@dataclass(frozen=True)
class SeatFields:
    """One player in one game: the role, and the field of the agenda points where they count."""

    seat: Seat
    role: Role
    points: BoundField | None


@dataclass(frozen=True)
class GameFields:
    """The fields of one game, for templates."""

    number: int
    winner: BoundField
    end: BoundField
    seats: tuple[SeatFields, ...]


@dataclass(frozen=True)
class PlaceFields:
    """The fields of one player in a pod, for templates."""

    seat: Seat
    victory_points: BoundField
    faction: BoundField


class Questions(ABC):
    """The fields about one match, and how a result is read from them.

    `layout` is the template of the whole form, `row` that of the cells in a list of tables.
    `factions` as they stand today are those of a pod.
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
        """Headings of the cells in a list of tables."""

    @abstractmethod
    def fields(self) -> dict[str, forms.Field]:
        """The fields by name, in the order of the page."""

    @abstractmethod
    def initial(self, result: MatchResult) -> dict[str, Any]:
        """A result as the fields show it."""

    @abstractmethod
    def result(self, asked: Asked) -> MatchResult:
        """The result that the fields hold; its rule says what is still missing."""

    def missing(self, asked: Asked, result: MatchResult) -> Iterator[Missing]:
        """What the fields, or the `result` they hold, still lack: nothing is guessed."""
        yield from self.match.rule.missing(result, self.names)

    @abstractmethod
    def field_missing(self, found: Missing) -> str:
        """The field that must still be filled."""

    @abstractmethod
    def field_of(self, found: Contradiction) -> str | None:
        """The field a contradiction stands at; None for the form as a whole."""

    def games(self, form: forms.Form) -> Iterator[GameFields]:
        """The fields game by game; none where there are no roles."""
        yield from ()

    def places(self, form: forms.Form) -> Iterator[PlaceFields]:
        """The fields player by player, in a pod."""
        yield from ()

    def flags(self, form: forms.Form) -> list[BoundField]:
        """The fields of what else may be true; none where the game has no flags."""
        return [form[flag.value] for flag in self.match.rule.flags]

    def totals(self, form: forms.Form) -> list[BoundField]:
        """The fields of typed totals by seat; none where they cannot be typed."""
        return []

    @abstractmethod
    def into_a_row(self, fields: Mapping[str, forms.Field]) -> None:
        """Make the fields fit for one line of a list, and for the keyboard."""


def flag_fields(rule: ScoringRule) -> dict[str, forms.Field]:
    """A box for each flag of the rule, by its id."""
    return {
        flag.value: forms.BooleanField(label=flag.label, help_text=flag.hint, required=False)
        for flag in rule.flags
    }


def flags_told(rule: ScoringRule, asked: Asked) -> frozenset[Flag]:
    """The flags whose boxes are ticked."""
    return frozenset(flag for flag in rule.flags if asked[flag.value])


def corp_field(seats: Iterable[Seat]) -> forms.ChoiceField:
    """Who was Corp in game 1, when players sat down the other way round."""
    return forms.ChoiceField(
        label="Corp in game 1",
        choices=[(str(seat.position), seat.player.name) for seat in seats],
        initial="1",
        required=False,
        widget=forms.RadioSelect,
    )


def number_field(label: str, said: str, most: int) -> forms.IntegerField:
    """A whole number from 0 to `most`; `said` names it in the error."""
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
