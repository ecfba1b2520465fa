"""The body of a result for the API; `result_reader` reads the result from it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from core.api_requests import (
    NOT_A_CHOICE,
    RequestBody,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
)
from matches import records as matches_records
from matches.models import GAME_END_CHOICES, Match
from matches.scoring.results import Flag, GameResult, MatchResult, Role, corp_seat
from matches.scoring.rules import (
    MAX_AGENDA_POINTS,
    MAX_TOTAL,
    MAX_VICTORY_POINTS,
    SCORING_RULES,
    AgendaRule,
)
from tournaments.results.pages import get_latest_result
from tournaments.results.result_reader import (
    NO_WINNER,
    ResultReader,
    get_result_reader,
    match_points_range,
)
from tournaments.results.services import MAX_NOTE_LENGTH
from tournaments.web.serializers import PLAYER_VALUE_KEYS, CitesField

ROLES = [role.value for role in Role]
FLAGS = [flag.value for flag in Flag]
MAX_SEATS = max(rule.max_seats for rule in SCORING_RULES.values())
MAX_GAMES = max(rule.games_per_match for rule in SCORING_RULES.values())
CORP_HELP_TEXT = gettext_lazy(
    "The number of the Corp. The default is the seating: roles are swapped after game 1."
)
ROLES_CONTRADICT = gettext_lazy(
    "Roles swap after game 1: another player is Corp in each game. Change one of them."
)
CORP_NOT_AS_SEATED = gettext_lazy(
    "Game 1: the table is seated the other way round. Ask the staff if you changed roles."
)
FIELD_NOT_USED = gettext_lazy("This event doesn't use this field. Remove it.")
GAME_LOST_BY_PENALTY = gettext_lazy(
    "A judge has decided that game %(number)s is lost by %(names)s. Leave it out."
)
CORP_OF_LOST_GAME = gettext_lazy(
    "%(name)s was Corp in game %(number)s, which a judge has decided. Send the Corp of the other "
    "game to match."
)
LAST_PLACE_BY_PENALTY = gettext_lazy(
    "A judge has placed %(name)s last. Leave out their victory points."
)
# The fields of a form that hold a value for each seat, by part of the body.
SEAT_FIELDS = {"totals": "total", "victory_points": "victory_points", "factions": "faction"}
# The parts of the body by the first word of a field of the form.
PARTS_BY_FIELD = {
    "game": "games",
    "total": "totals",
    "victory": "victory_points",
    "faction": "factions",
}


class GameBody(RequestBody):
    """One game. `winner` is null when nobody won. `end` defaults to the usual one."""

    number = StrictIntegerField(min_value=1, max_value=MAX_GAMES)
    corp = StrictIntegerField(
        min_value=1, required=False, allow_null=True, help_text=CORP_HELP_TEXT
    )
    winner = StrictChoiceField(ROLES, allow_null=True)
    end = StrictChoiceField(GAME_END_CHOICES, required=False, allow_null=True)
    corp_agenda_points = StrictIntegerField(
        min_value=0, max_value=MAX_AGENDA_POINTS, required=False, allow_null=True
    )
    runner_agenda_points = StrictIntegerField(
        min_value=0, max_value=MAX_AGENDA_POINTS, required=False, allow_null=True
    )


class SeatPointsBody(RequestBody):
    """The points of one player."""

    player = StrictIntegerField(min_value=1)
    points = StrictIntegerField(min_value=0, max_value=MAX_VICTORY_POINTS)


class SeatFactionBody(RequestBody):
    """The faction of one player; empty if it is unknown."""

    player = StrictIntegerField(min_value=1)
    faction = StrictCharField(max_length=30, allow_blank=True)


@dataclass(frozen=True)
class TableContext:
    """The table of a result: the numbers of its players by position, and who reports it."""

    match: Match
    numbers: Mapping[int, int]
    by_staff: bool
    is_forced: bool = False

    @cached_property
    def reader(self) -> ResultReader:
        return get_result_reader(self.match, by_staff=self.by_staff)


class ResultBody(RequestBody):
    """The result of a table. Its scoring rule determines which parts are required."""

    games = serializers.ListField(child=GameBody(), max_length=MAX_GAMES, required=False)
    flags = serializers.ListField(
        child=StrictChoiceField(FLAGS), max_length=len(FLAGS), required=False
    )
    totals = serializers.ListField(
        child=SeatPointsBody(),
        max_length=MAX_SEATS,
        required=False,
        help_text=gettext_lazy("Match points entered by staff if the games are unknown."),
    )
    victory_points = serializers.ListField(
        child=SeatPointsBody(), max_length=MAX_SEATS, required=False
    )
    factions = serializers.ListField(child=SeatFactionBody(), max_length=MAX_SEATS, required=False)

    def validate(self, attrs: dict[str, Any]) -> Any:
        # Contradictions are checked by ReportBody, because staff may override them.
        return _BodyValues(attrs, self.context["table"]).result()


class ReportBody(RequestBody):
    """The report of a player."""

    result = ResultBody()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise ValidationError for contradictions, unless staff override the rules."""
        if attrs.get("force"):
            return attrs
        errors: dict[str, Any] = {}
        for field, message in self.context["table"].reader.contradictions(attrs["result"]):
            # Without a field, the contradiction concerns the whole request.
            parts = errors.setdefault("result", {}) if field else errors
            parts.setdefault(_part_of(field), []).append(message)
        if errors:
            raise serializers.ValidationError(errors)
        return attrs


class ConfirmBody(RequestBody):
    """The `id` of the report you confirm."""

    report = StrictIntegerField(min_value=1)


class DisputeBody(ConfirmBody):
    """The `id` of the report you dispute, and a note for the staff."""

    note = StrictCharField(max_length=MAX_NOTE_LENGTH, allow_blank=True, default="")


class DecisionBody(ReportBody):
    """The result to record, and the `version` of the table as you read it."""

    version = StrictIntegerField(min_value=1)
    note = StrictCharField(max_length=MAX_NOTE_LENGTH, allow_blank=True, default="")
    force = StrictBooleanField(
        default=False, help_text=gettext_lazy("Override the rules; give the reason in `note`.")
    )
    impact_version = StrictCharField(
        max_length=64,
        allow_null=True,
        default=None,
        help_text=gettext_lazy("In a closed round: the `version` of the impact in the 409."),
    )
    rulings = CitesField(
        default=list, help_text=gettext_lazy("Cited rulings; only judges can send them.")
    )


class _BodyValues:
    """A body with valid types as values of the fields of the result form.

    Also finds the faults that a form cannot have, such as a player who is listed twice. `faults`
    are messages by part of the body.
    """

    def __init__(self, body: Mapping[str, Any], table: TableContext) -> None:
        self.body, self.table, self.reader = body, table, table.reader
        self.match, self.rule = table.match, table.match.rule
        self.positions = {number: position for position, number in table.numbers.items()}
        self.games = sorted(body.get("games", ()), key=lambda game: int(game["number"]))
        self.faults: dict[str, list[str]] = {}
        self.values: dict[str, Any] = dict.fromkeys(body.get("flags", ()), True)

    def result(self) -> MatchResult:
        """Return the result with implied values. Raises ValidationError with all faults."""
        reported = get_latest_result(self.match) if self.match.losses else None
        for part, field in SEAT_FIELDS.items():
            self._read_seats(part, field)
        if reported is not None and not self.rule.has_roles and self.body.get("victory_points"):
            self._add_last_places(reported)
        self._read_games()
        self._refuse([*self._unused_parts(), *self._invalid_values()])
        if self.body.get("totals"):
            reported = None
        if reported is not None:
            self._add_lost_games(reported)
        if self.table.is_forced:
            reported = None
        result, missing = self.reader.complete(
            self.reader.result(self.values), self.values, reported
        )
        self._refuse((_part_of(field), message) for field, message in missing)
        return result

    def _read_seats(self, part: str, field: str) -> None:
        for entry in self.body.get(part, ()):
            position = self._position(part, entry["player"])
            name = f"{field}_{position}"
            if name in self.values:
                self._add_fault(
                    part, _("Player %(number)s is listed twice.") % {"number": entry["player"]}
                )
            if position is not None:
                self.values[name] = entry[PLAYER_VALUE_KEYS[part]]

    def _read_games(self) -> None:
        first = self._first_corp()
        if first is not None:
            self.values["corp"] = str(first)
        for game in self.games:
            prefix, corp = f"game_{game['number']}", corp_seat(game["number"], first or 1)
            positions = {Role.CORP.value: corp, Role.RUNNER.value: 3 - corp}
            winner = game["winner"]
            self.values[f"{prefix}_winner"] = str(positions[winner]) if winner else NO_WINNER
            self.values[f"{prefix}_end"] = game.get("end")
            for role, position in positions.items():
                self.values[f"{prefix}_points_{position}"] = game.get(f"{role}_agenda_points")

    def _first_corp(self) -> int | None:
        """Return the position that was Corp in game 1; None if no game names its Corp."""
        first = set()
        for game in self.games:
            if game.get("corp") is not None:
                position = self._position("games", game["corp"])
                if position is not None:
                    first.add(corp_seat(game["number"], position))
        if len(first) > 1:
            self._add_fault("games", str(ROLES_CONTRADICT))
        return first.pop() if len(first) == 1 else None

    def _add_last_places(self, reported: MatchResult) -> None:
        """Add victory points of players placed last by a penalty; the body may leave them out."""
        before = dict(enumerate(reported.victory_points, start=1))
        for loss in matches_records.losses_of(self.match):
            had = before.get(loss.seat, 0)
            points = self.values.setdefault(f"victory_points_{loss.seat}", had)
            if points not in (0, had) and not self.table.is_forced:
                message = LAST_PLACE_BY_PENALTY % {"name": self.reader.names[loss.seat]}
                self._add_fault("victory_points", message)

    def _add_lost_games(self, reported: MatchResult) -> None:
        """Add games decided by penalties; the body may leave them out.

        A game that is sent must have the decided winner, unless staff force the result.
        """
        sent = {game.number: game for game in self.reader.result(self.values).games}
        lost = matches_records.lost_games_of(self.match)
        for game in matches_records.result_for_form(self.match, reported).games:
            entered = sent.get(game.number)
            if game.number not in lost:
                continue
            if entered is None:
                self._refuse_other_corp(game)
                self.values = self.reader.initial(MatchResult((game,))) | self.values
                continue
            is_as_decided = (entered.corp, entered.winner) == (game.corp, game.winner)
            if not (is_as_decided or entered in reported.games or self.table.is_forced):
                losers = ", ".join(self.reader.names[seat] for seat in sorted(lost[game.number]))
                values = {"number": game.number, "names": losers}
                self._refuse([("games", GAME_LOST_BY_PENALTY % values)])

    def _refuse_other_corp(self, lost: GameResult) -> None:
        # The sent games would otherwise be stored with sides that contradict the lost game.
        first = int(self.values.get("corp", 1))
        if self.games and lost.corp != corp_seat(lost.number, first) and not self.table.is_forced:
            values = {"name": self.reader.names[lost.corp], "number": lost.number}
            self._refuse([("games", CORP_OF_LOST_GAME % values)])

    def _add_fault(self, part: str, message: str) -> None:
        messages = self.faults.setdefault(part, [])
        if message not in messages:
            messages.append(message)

    def _refuse(self, faults: Iterable[tuple[str, str]]) -> None:
        """Raise ValidationError for these faults and those added before."""
        for part, message in faults:
            self._add_fault(part, message)
        if self.faults:
            raise serializers.ValidationError(self.faults)

    def _position(self, part: str, player: int) -> int | None:
        if player not in self.positions:
            self._add_fault(
                part, _("Player %(number)s does not sit at this table.") % {"number": player}
            )
        return self.positions.get(player)

    def _unused_parts(self) -> Iterator[tuple[str, str]]:
        """Yield the parts that are not used at this table."""
        rule, numbers = self.rule, [game["number"] for game in self.games]
        for number in sorted({number for number in numbers if numbers.count(number) > 1}):
            yield "games", _("Game %(number)s is listed twice.") % {"number": number}
        for game in self.games:
            number = game["number"]
            if not rule.has_roles or number > rule.games_per_match:
                message = _("Game %(number)s is not played at this table. Remove it.")
                yield "games", message % {"number": number}
                continue
            if self.values.get("corp") == "2" and not self.table.by_staff:
                yield "games", str(CORP_NOT_AS_SEATED)
            points = (game.get("corp_agenda_points"), game.get("runner_agenda_points"))
            if points != (None, None) and not isinstance(rule, AgendaRule):
                message = _("Game %(number)s: agenda points do not count here. Remove them.")
                yield "games", message % {"number": number}
        if set(self.body.get("flags", ())) - set(rule.flags):
            yield "flags", str(FIELD_NOT_USED)
        if self.body.get("totals") and not (self.table.by_staff and rule.takes_totals):
            yield "totals", _("Totals are not used here. Enter who won each game.")
        for part in ("victory_points", "factions") if rule.has_roles else ():
            if self.body.get(part):
                yield part, str(FIELD_NOT_USED)

    def _invalid_values(self) -> Iterator[tuple[str, str]]:
        for game in self.games:
            if self.rule.has_roles and game.get("end") and game["end"] not in self.rule.ends:
                yield "games", _not_a_choice_message(game["end"], self.rule.ends)
        for position, name in self.reader.names.items():
            if self.values.get(f"total_{position}", 0) > MAX_TOTAL:
                yield "totals", match_points_range(name)
        factions = [self.values.get(f"faction_{position}") for position in self.reader.names]
        known = matches_records.factions_by_id() if any(factions) else {}
        for faction in filter(None, factions):
            if faction not in known:
                yield "factions", _not_a_choice_message(faction, known)


def _part_of(field: str | None) -> str:
    """Return the part of the body with the value of this field of the form."""
    return "request" if field is None else PARTS_BY_FIELD[field.partition("_")[0]]


def _not_a_choice_message(value: str, allowed: Iterable[str]) -> str:
    return NOT_A_CHOICE.format(input=value, allowed=", ".join(sorted(allowed)))
