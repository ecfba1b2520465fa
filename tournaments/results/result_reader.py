"""The result reader of each kind of match: form fields, and the result that their values give.

The forms and the API body of a result use the same reader.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext

from core.languages import in_words
from decks.games import GAMES
from matches import records as matches_records
from matches.models import Match, Seat
from matches.scoring.codes import agenda_points_needed, all_result_codes, usual_codes
from matches.scoring.results import (
    FactionFacts,
    Flag,
    GameEnd,
    GameResult,
    MatchResult,
    Role,
    corp_seat,
)
from matches.scoring.rules import (
    MAX_AGENDA_POINTS,
    MAX_TOTAL,
    MAX_VICTORY_POINTS,
    AgendaRule,
    Contradiction,
    MissingInput,
    ScoringRule,
    total_missing,
    victory_points_missing,
    winner_missing,
)
from matches.services import find_contradictions

NO_WINNER = "0"
# Field values of a result by name: cleaned data of a form, or the converted body of a request.
FieldValues: TypeAlias = Mapping[str, Any]
# The name of a field, None for the whole form, and its error message.
FieldFault: TypeAlias = tuple[str | None, str]


@dataclass(frozen=True)
class SeatFields:
    """A player in a game: the role, and the field of the agenda points if they count."""

    seat: Seat
    role: Role
    points: BoundField | None
    # Codes of usual results after which the points are required, separated by spaces.
    required_after: str = ""


@dataclass(frozen=True)
class GameFields:
    number: int
    winner: BoundField
    end: BoundField
    seats: tuple[SeatFields, ...]
    # Players who have lost this game to a penalty, whatever is reported.
    lost_by: tuple[str, ...] = ()

    @property
    def required_after(self) -> str:
        return " ".join(side.required_after for side in self.seats).strip()


@dataclass(frozen=True)
class PlaceFields:
    seat: Seat
    victory_points: BoundField
    faction: BoundField
    # True if a penalty puts the player last, whatever is reported.
    is_lost: bool = False


class ResultReader(ABC):
    """Form fields for the result of a match, and the result that their values give.

    `layout` is the template of the fields. Requires `match.seats` with their players; for pods also
    games and their seats.
    """

    layout: str

    def __init__(self, match: Match, *, by_staff: bool) -> None:
        self.match, self.by_staff = match, by_staff
        self.seats = {seat.position: seat for seat in match.seats.all()}
        self.names = {position: seat.player.name for position, seat in self.seats.items()}

    @abstractmethod
    def fields(self) -> dict[str, forms.Field]:
        """Return the fields by name, in the order of the page."""

    @abstractmethod
    def initial(self, result: MatchResult) -> dict[str, Any]:
        """Return the field values for a result."""

    @abstractmethod
    def result(self, values: FieldValues) -> MatchResult:
        """Return the entered result, which may be incomplete. Absent fields count as empty."""

    def complete(
        self, entered: MatchResult, values: FieldValues, reported: MatchResult | None
    ) -> tuple[MatchResult, list[FieldFault]]:
        """Return the entered result with implied values, and a fault for each missing value.

        `reported` replaces the parts that a penalty has decided; None if staff enter the games as
        played. The result is complete only without faults.
        """
        if reported is not None:
            entered = matches_records.with_reported_parts(self.match, entered, reported)
        missing = [*self.missing(values, entered)]
        if missing:
            return entered, [
                (self.field_missing(value), in_words(value.message)) for value in missing
            ]
        return self.match.rule.with_implied_values(entered), []

    def contradictions(self, result: MatchResult) -> list[FieldFault]:
        """Return a fault for each contradiction; staff may override these."""
        found = find_contradictions(self.match, result)
        return [
            (self.field_of(contradiction), in_words(contradiction.message))
            for contradiction in found
        ]

    def missing(self, values: FieldValues, result: MatchResult) -> Iterator[MissingInput]:
        """Yield the missing values of the fields or the entered `result`; none are guessed."""
        yield from self.match.rule.missing_inputs(result, self.names)

    @abstractmethod
    def field_missing(self, value: MissingInput) -> str:
        """Return the name of the field to be filled."""

    @abstractmethod
    def field_of(self, contradiction: Contradiction) -> str | None:
        """Return the field to show a contradiction at; None for the whole form."""

    def games(self, form: forms.Form) -> Iterator[GameFields]:
        """Yield the fields by game; none if there are no roles."""
        yield from ()

    def places(self, form: forms.Form) -> Iterator[PlaceFields]:
        yield from ()

    def flags(self, form: forms.Form) -> list[BoundField]:
        return [form[flag.value] for flag in self.match.rule.flags if flag.value in form.fields]

    def totals(self, form: forms.Form) -> list[BoundField]:
        """Return the fields of typed totals by seat; empty if they cannot be typed."""
        return []

    @abstractmethod
    def decided_fields(self) -> set[str]:
        """Return the names of the fields decided by a penalty."""


def flag_fields(rule: ScoringRule) -> dict[str, forms.Field]:
    return {
        flag.value: forms.BooleanField(
            label=gettext(flag.label), help_text=gettext(flag.hint), required=False
        )
        for flag in rule.flags
    }


def ticked_flags(rule: ScoringRule, values: FieldValues) -> frozenset[Flag]:
    return frozenset(flag for flag in rule.flags if values.get(flag.value))


def faction_choices(factions: Iterable[FactionFacts]) -> list[tuple[str, str]]:
    by_colour = sorted(factions, key=lambda faction: (faction.colour, faction.name))
    return [(faction.id, f"{faction.name}, {faction.colour}") for faction in by_colour]


def number_field(label: str, error: str, most: int) -> forms.IntegerField:
    """Return a field for a whole number from 0 to `most`."""
    # Django fills the limits into these two messages, and the error may contain a player's name.
    limit_error = error.replace("%", "%%")
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=most,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"invalid": error, "min_value": limit_error, "max_value": limit_error},
    )


def match_points_range(name: str) -> str:
    return gettext("The match points of %(name)s are a whole number from 0 to %(most)s.") % {
        "name": name,
        "most": MAX_TOTAL,
    }


class PlaceReader(ResultReader):
    """`victory_points_n` and `faction_n` for the seat in position n, and a field for each flag.

    Factions are optional.
    """

    layout = "tournaments/results/fields/places.html"

    @cached_property
    def factions(self) -> Mapping[str, FactionFacts]:
        return matches_records.factions_by_id()

    def fields(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {}
        choices = [("", gettext("Not recorded")), *faction_choices(self.factions.values())]
        for position, seat in self.seats.items():
            name = seat.player.name
            points = number_field(
                gettext("Victory points of %(name)s") % {"name": name},
                gettext("The victory points of %(name)s are a whole number from 0 to %(most)s.")
                % {"name": name, "most": MAX_VICTORY_POINTS},
                MAX_VICTORY_POINTS,
            )
            points.required = points.widget.is_required = True
            points.error_messages["required"] = in_words(
                victory_points_missing(position, name).message
            )
            fields[f"victory_points_{position}"] = points
            fields[f"faction_{position}"] = forms.ChoiceField(
                label=gettext("Faction of %(name)s") % {"name": name},
                choices=choices,
                required=False,
            )
        return fields | flag_fields(self.match.rule)

    def initial(self, result: MatchResult) -> dict[str, Any]:
        factions = result.factions or matches_records.factions_of(self.match)
        points = enumerate(result.victory_points, start=1)
        return {
            **{f"victory_points_{position}": value for position, value in points},
            **{f"faction_{position}": id_ for position, id_ in enumerate(factions, start=1)},
            **{flag.value: flag in result.flags for flag in self.match.rule.flags},
        }

    def result(self, values: FieldValues) -> MatchResult:
        factions = tuple(values.get(f"faction_{position}") or "" for position in self.seats)
        points = [values.get(f"victory_points_{position}") for position in self.seats]
        return MatchResult(
            flags=ticked_flags(self.match.rule, values),
            victory_points=tuple(number for number in points if number is not None),
            factions=factions if any(factions) else (),
        )

    def missing(self, values: FieldValues, result: MatchResult) -> Iterator[MissingInput]:
        for position, name in self.names.items():
            if values.get(f"victory_points_{position}") is None:
                yield victory_points_missing(position, name)

    def field_missing(self, value: MissingInput) -> str:
        return f"victory_points_{value.seat}"

    def field_of(self, contradiction: Contradiction) -> str | None:
        return "faction_1" if contradiction.code in ("one_colour", "unknown_faction") else None

    def places(self, form: forms.Form) -> Iterator[PlaceFields]:
        lost = {loss.seat for loss in matches_records.losses_of(self.match)}
        for position, seat in self.seats.items():
            points, faction = form[f"victory_points_{position}"], form[f"faction_{position}"]
            yield PlaceFields(seat, points, faction, is_lost=position in lost)

    def decided_fields(self) -> set[str]:
        return {f"victory_points_{loss.seat}" for loss in matches_records.losses_of(self.match)}


# Games between a Corp and a Runner, and result codes that fill their fields.

SEAT_POSITIONS = (1, 2)


def end_choices(rule: ScoringRule) -> list[tuple[str, str]]:
    return [(end.value, gettext(end.label)) for end in rule.ends]


class GameReader(ResultReader):
    """Fields `game_n_winner` and `game_n_end` of each game n.

    The winner is "1" or "2" for the position of a seat, or "0" for no winner. Staff also have
    `corp`, the position that was Corp in game 1.
    """

    winners_required = True

    def __init__(self, match: Match, **options: Any) -> None:
        super().__init__(match, **options)
        self.numbers = range(1, match.rule.games_per_match + 1)

    def fields(self) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {}
        if self.by_staff:
            # For players who sat down the other way round.
            fields["corp"] = forms.ChoiceField(
                label=gettext("Corp in game 1"),
                choices=[(str(place), name) for place, name in self.names.items()],
                initial="1",
                required=False,
                widget=forms.RadioSelect,
            )
        nobody = gettext(self.match.rule.nobody)
        names = [(str(place), name) for place, name in sorted(self.names.items())]
        for number in self.numbers:
            fields[f"game_{number}_winner"] = forms.ChoiceField(
                label=gettext("Game %(number)s: who won?") % {"number": number},
                choices=[*names, (NO_WINNER, nobody)],
                required=self.winners_required,
                widget=forms.RadioSelect,
                error_messages={
                    "required": in_words(winner_missing(number, nobody).message),
                    "invalid_choice": gettext(
                        "Game %(number)s: choose one of the two players, or %(nobody)s."
                    )
                    % {"number": number, "nobody": nobody},
                },
            )
            fields[f"game_{number}_end"] = self.end_field(number)
        return fields

    def end_field(self, number: int) -> forms.ChoiceField:
        return forms.ChoiceField(
            label=gettext("Game %(number)s: how did it end?") % {"number": number},
            choices=end_choices(self.match.rule),
            required=False,
        )

    def initial(self, result: MatchResult) -> dict[str, Any]:
        initial: dict[str, Any] = {}
        for game in result.games:
            if game.number == 1:
                initial["corp"] = str(game.corp)
            winner = str(game.position(game.winner)) if game.winner else NO_WINNER
            initial[f"game_{game.number}_winner"] = winner
            initial[f"game_{game.number}_end"] = game.end.value
        return initial

    def result(self, values: FieldValues) -> MatchResult:
        """Return the games that have a winner or are marked as having none."""
        played = [number for number in self.numbers if values.get(f"game_{number}_winner")]
        return MatchResult(tuple(self._game(values, number) for number in played))

    def _game(self, values: FieldValues, number: int) -> GameResult:
        corp = corp_seat(number, int(values.get("corp") or 1))
        sides = {NO_WINNER: None, str(corp): Role.CORP, str(3 - corp): Role.RUNNER}
        winner = sides[values[f"game_{number}_winner"]]
        end = GameEnd(values.get(f"game_{number}_end") or self.match.rule.usual_end(winner))
        points = (values.get(f"game_{number}_points_{position}") for position in (corp, 3 - corp))
        return GameResult(number, corp, winner, end, *points)

    def field_missing(self, value: MissingInput) -> str:
        name = "winner" if value.seat is None else f"points_{value.seat}"
        return f"game_{value.game}_{name}"

    def field_of(self, contradiction: Contradiction) -> str | None:
        is_of_a_game = contradiction.game in self.numbers
        return f"game_{contradiction.game}_winner" if is_of_a_game else None

    def games(self, form: forms.Form) -> Iterator[GameFields]:
        rule = self.match.rule
        first = 2 if "corp" in form.fields and form["corp"].value() == "2" else 1
        lost = matches_records.lost_games_of(self.match)
        for number in self.numbers:
            corp = corp_seat(number, first)
            seats = []
            for role, position in ((Role.CORP, corp), (Role.RUNNER, 3 - corp)):
                points = f"game_{number}_points_{position}"
                required_after = " ".join(
                    code.keys
                    for code in usual_codes(rule)
                    if (number, position) in agenda_points_needed(rule, code, first)
                )
                field = form[points] if points in form.fields else None
                seats.append(SeatFields(self.seats[position], role, field, required_after))
            yield GameFields(
                number=number,
                winner=form[f"game_{number}_winner"],
                end=form[f"game_{number}_end"],
                seats=tuple(seats),
                lost_by=tuple(self.names[seat] for seat in sorted(lost.get(number, ()))),
            )

    def decided_fields(self) -> set[str]:
        numbers = matches_records.lost_games_of(self.match)
        names = {
            name
            for number in numbers
            for name in (
                f"game_{number}_winner",
                f"game_{number}_end",
                *(f"game_{number}_points_{position}" for position in SEAT_POSITIONS),
            )
        }
        # A total may include any game.
        return names | {f"total_{position}" for position in SEAT_POSITIONS if numbers}


class AgendaReader(GameReader):
    """Also `game_n_points_1` and `game_n_points_2`, the agenda points of the seats in game n."""

    layout = "tournaments/results/fields/agenda.html"

    def fields(self) -> dict[str, forms.Field]:
        fields = super().fields()
        for number in self.numbers:
            for position, seat in self.seats.items():
                name = seat.player.name
                fields[f"game_{number}_points_{position}"] = number_field(
                    gettext("Game %(number)s: agenda points of %(name)s")
                    % {"number": number, "name": name},
                    gettext(
                        "Game %(number)s: the agenda points of %(name)s are a whole number from 0 "
                        "to %(most)s."
                    )
                    % {"number": number, "name": name, "most": MAX_AGENDA_POINTS},
                    MAX_AGENDA_POINTS,
                )
        return fields

    def end_field(self, number: int) -> forms.ChoiceField:
        field = super().end_field(number)
        if self.by_staff:
            # The usual end is agenda points with a winner, time without a winner.
            field.choices = [("", gettext("As usual")), *end_choices(self.match.rule)]
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


class WinReader(GameReader):
    """Also a field for each flag of the rule, by id, and `total_1` and `total_2` for staff.

    Totals replace unknown games. An intentional draw requires no games, two for one only the first.
    """

    layout = "tournaments/results/fields/wins.html"
    winners_required = False

    def fields(self) -> dict[str, forms.Field]:
        fields = super().fields()
        fields |= flag_fields(self.match.rule)
        if self.by_staff:
            for position, seat in self.seats.items():
                fields[f"total_{position}"] = number_field(
                    gettext("Match points of %(name)s") % {"name": seat.player.name},
                    match_points_range(seat.player.name),
                    MAX_TOTAL,
                )
        return fields

    def end_field(self, number: int) -> forms.ChoiceField:
        field = super().end_field(number)
        field.initial = GameEnd.NOT_RECORDED.value
        return field

    def initial(self, result: MatchResult) -> dict[str, Any]:
        flags = {flag.value: flag in result.flags for flag in self.match.rule.flags}
        totals = {f"total_{place}": points for place, points in enumerate(result.totals, start=1)}
        return {**super().initial(result), **flags, **totals}

    def result(self, values: FieldValues) -> MatchResult:
        totals = [values.get(f"total_{place}") for place in self.seats]
        return replace(
            super().result(values),
            flags=ticked_flags(self.match.rule, values),
            totals=tuple(points for points in totals if points is not None),
        )

    def missing(self, values: FieldValues, result: MatchResult) -> Iterator[MissingInput]:
        yield from super().missing(values, result)
        for place, name in self.names.items() if result.totals else ():
            if values.get(f"total_{place}") is None:
                yield total_missing(place, name)

    def field_missing(self, value: MissingInput) -> str:
        return super().field_missing(value) if value.game else f"total_{value.seat}"

    def field_of(self, contradiction: Contradiction) -> str | None:
        if self.by_staff and contradiction.code in ("totals", "totals_and_games"):
            return "total_1"
        return super().field_of(contradiction)

    def totals(self, form: forms.Form) -> list[forms.BoundField]:
        return [form[f"total_{place}"] for place in self.seats] if self.by_staff else []


@dataclass(frozen=True)
class FilledFields:
    """The field `values` of a result code by name, and the fields that must be typed (`asks`).

    These are the agenda points that count. Fields in neither are empty.
    """

    words: str
    values: Mapping[str, Any]
    asks: tuple[str, ...]
    # Numbers of the games without a winner.
    drawn: tuple[int, ...] = ()


def get_filled_fields(rule: ScoringRule, corp: int = 1) -> dict[str, FilledFields]:
    """Return the fields of each code by its keys; empty if all numbers are typed.

    `corp` is the seat of the Corp in game 1.
    """
    filled = {}
    for keys, code in all_result_codes(rule).items():
        values: dict[str, Any] = {flag.value: True for flag in sorted(code.flags)}
        needed = agenda_points_needed(rule, code, corp)
        for number, winner in enumerate(code.winners, start=1):
            values[f"game_{number}_winner"] = str(winner) if winner else NO_WINNER
            if winner and code.end:
                values[f"game_{number}_end"] = code.end.value
            if isinstance(rule, AgendaRule):
                losers = (position for position in SEAT_POSITIONS if position != winner)
                uncounted = (seat for seat in losers if (number, seat) not in needed)
                values |= {f"game_{number}_points_{seat}": 0 for seat in uncounted}
        asks = tuple(f"game_{number}_points_{seat}" for number, seat in needed)
        words = gettext(code.words)
        if code.mark:
            words = gettext("%(result)s, %(mark)s") % {"result": words, "mark": gettext(code.mark)}
        drawn = tuple(number for number, winner in enumerate(code.winners, start=1) if not winner)
        filled[keys] = FilledFields(words, values, asks, drawn)
    return filled


# By `Game.questions` of decks.games.
READERS_BY_KIND: Mapping[str, type[ResultReader]] = {
    "agenda": AgendaReader,
    "wins": WinReader,
    "places": PlaceReader,
}


def get_result_reader(match: Match, *, by_staff: bool) -> ResultReader:
    reader = READERS_BY_KIND[GAMES[match.game_system].questions]
    return reader(match, by_staff=by_staff)
