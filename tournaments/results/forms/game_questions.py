"""Fields for games between a Corp and a Runner, and result codes that fill them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms

from matches import records
from matches.models import Match
from matches.scoring import (
    MOST_AGENDA_POINTS,
    MOST_TOTAL,
    AgendaRule,
    Contradiction,
    GameEnd,
    GameResult,
    MatchResult,
    Missing,
    ResultCode,
    Role,
    ScoringRule,
    all_codes_of,
    asked_after,
    corp_in,
    total_missing,
    usual_codes,
    winner_missing,
)
from tournaments.results.forms.questions import (
    NOBODY,
    Asked,
    GameFields,
    Questions,
    SeatFields,
    corp_field,
    flag_fields,
    number_field,
    ticked_flags,
)

POSITIONS = (1, 2)


class GameQuestions(Questions):
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
            fields["corp"] = corp_field(self.seats.values())
        for number in self.numbers:
            fields[f"game_{number}_winner"] = self.winner_field(number)
            fields[f"game_{number}_end"] = self.end_field(number)
        return fields

    def winner_field(self, number: int) -> forms.ChoiceField:
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
        """Return the games that have a winner or are marked as having none."""
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
        first = 2 if "corp" in form.fields and form["corp"].value() == "2" else 1
        lost = records.lost_games(self.match)
        for number in self.numbers:
            corp = corp_in(number, first)
            by_role = {Role.CORP: corp, Role.RUNNER: 3 - corp}
            yield GameFields(
                number=number,
                winner=form[f"game_{number}_winner"],
                end=form[f"game_{number}_end"],
                seats=tuple(
                    SeatFields(
                        self.seats[position],
                        role,
                        self.points_of(form, number, position),
                        self._asked_after(number, position),
                    )
                    for role, position in by_role.items()
                ),
                lost_by=tuple(self.names[seat] for seat in sorted(lost.get(number, ()))),
            )

    def decided_fields(self) -> set[str]:
        numbers = records.lost_games(self.match)
        names = {
            name
            for number in numbers
            for name in (
                f"game_{number}_winner",
                f"game_{number}_end",
                *(f"game_{number}_points_{position}" for position in POSITIONS),
            )
        }
        # A total may include any game.
        return names | {f"total_{position}" for position in POSITIONS if numbers}

    def _asked_after(self, number: int, position: int) -> str:
        rule = self.match.rule
        codes = usual_codes(rule)
        return " ".join(one.keys for one in codes if (number, position) in asked_after(rule, one))

    def points_of(self, form: forms.Form, number: int, position: int) -> forms.BoundField | None:
        """Return the field of a seat's agenda points, if there is one."""
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
    return [(end.value, end.label) for end in rule.ends]


class AgendaQuestions(GameQuestions):
    """Also `game_n_points_1` and `game_n_points_2`, the agenda points of the seats in game n."""

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
            # The usual end is agenda points with a winner, time without a winner.
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


class WinQuestions(GameQuestions):
    """Also a field for each flag of the rule, by id, and `total_1` and `total_2` for staff.

    Totals replace unknown games. An intentional draw requires no games, two for one only the first.
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
        field.initial = GameEnd.NOT_RECORDED.value
        return field

    def initial(self, result: MatchResult) -> dict[str, Any]:
        flags = {flag.value: flag in result.flags for flag in self.match.rule.flags}
        totals = {f"total_{place}": points for place, points in enumerate(result.totals, start=1)}
        return {**super().initial(result), **flags, **totals}

    def result(self, asked: Asked) -> MatchResult:
        totals = [asked.get(f"total_{place}") for place in self.seats]
        return replace(
            super().result(asked),
            flags=ticked_flags(self.match.rule, asked),
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
        """Return the fields of the totals by seat; empty for players."""
        return [form[f"total_{place}"] for place in self.seats] if self.by_staff else []


@dataclass(frozen=True)
class FilledIn:
    """`values` by field name; a set flag is "on", and fields not listed are emptied.

    `asks` are the fields to be typed next, in order.
    """

    words: str
    values: Mapping[str, str]
    asks: tuple[str, ...]


def filled_in(rule: ScoringRule) -> dict[str, FilledIn]:
    """Return the values that each code fills in, by its keys; empty if all numbers are typed."""
    counts_agendas = isinstance(rule, AgendaRule)
    return {
        keys: FilledIn(
            code.words, _values_of_code(code), _asked_after_code(code) if counts_agendas else ()
        )
        for keys, code in all_codes_of(rule).items()
    }


def _values_of_code(code: ResultCode) -> dict[str, str]:
    values = {flag.value: "on" for flag in sorted(code.flags)}
    for number, winner in enumerate(code.winners, start=1):
        values[f"game_{number}_winner"] = str(winner) if winner else NOBODY
        if winner and code.end:
            values[f"game_{number}_end"] = code.end.value
    return values


def _asked_after_code(code: ResultCode) -> tuple[str, ...]:
    """Return the agenda point fields of players who did not win; none after a no-show."""
    return tuple(
        f"game_{number}_points_{position}"
        for number, winner in enumerate(code.winners, start=1)
        for position in POSITIONS
        if position != winner and not (winner and code.end is GameEnd.NO_SHOW)
    )
