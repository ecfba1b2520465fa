"""The body of a result for the API, and how a result is read from it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

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
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role, corp_seat
from matches.scoring.rules import (
    MOST_AGENDA_POINTS,
    MOST_TOTAL,
    MOST_VICTORY_POINTS,
    SCORING_RULES,
    AgendaRule,
    out_of_range_message,
    total_missing,
    victory_points_missing,
)
from matches.services import find_contradictions
from tournaments.results.pages import get_latest_result
from tournaments.results.services import MAX_NOTE_LENGTH
from tournaments.web.serializers import PLAYER_VALUE_KEYS, CitesField

ROLES = [role.value for role in Role]
FLAGS = [flag.value for flag in Flag]
MAX_SEATS = max(rule.most_seats for rule in SCORING_RULES.values())
MAX_GAMES = max(rule.games_per_match for rule in SCORING_RULES.values())
CORP_HELP_TEXT = (
    "The number of the Corp; without it as the table is seated: roles swap after game 1."
)
ROLES_CONTRADICT = (
    "Roles swap after game 1: another player is Corp in each game. Change one of them."
)
CORP_NOT_AS_SEATED = (
    "Game 1: the table is seated the other way round. Ask the staff if you changed roles."
)
FIELD_NOT_USED = "This event doesn't use this field. Remove it."
GAME_LOST_BY_PENALTY = "Game {} is lost by {}, as a judge has decided. Leave it out."
LAST_PLACE_BY_PENALTY = "{} comes last, as a judge has decided. Leave out their victory points."


# Parts of the body by code of a contradiction that is not of one game; else the whole body.
CONTRADICTION_PARTS = {
    "one_colour": "factions",
    "unknown_faction": "factions",
    "totals": "totals",
    "totals_and_games": "totals",
}


class GameBody(RequestBody):
    """One game. `winner` is null when nobody won; an end left out is the usual one."""

    number = StrictIntegerField(min_value=1, max_value=MAX_GAMES)
    corp = StrictIntegerField(
        min_value=1, required=False, allow_null=True, help_text=CORP_HELP_TEXT
    )
    winner = StrictChoiceField(ROLES, allow_null=True)
    end = StrictChoiceField(GAME_END_CHOICES, required=False, allow_null=True)
    corp_agenda_points = StrictIntegerField(
        min_value=0, max_value=MOST_AGENDA_POINTS, required=False, allow_null=True
    )
    runner_agenda_points = StrictIntegerField(
        min_value=0, max_value=MOST_AGENDA_POINTS, required=False, allow_null=True
    )


class SeatPointsBody(RequestBody):
    """A number for one player."""

    player = StrictIntegerField(min_value=1)
    points = StrictIntegerField(min_value=0, max_value=MOST_VICTORY_POINTS)


class SeatFactionBody(RequestBody):
    """What one player played; empty where it is not known."""

    player = StrictIntegerField(min_value=1)
    faction = StrictCharField(max_length=30, allow_blank=True)


@dataclass(frozen=True)
class TableContext:
    """The table a result is for: its players' numbers by position, and who says it."""

    match: Match
    numbers: Mapping[int, int]
    by_staff: bool
    is_forced: bool = False


class ResultBody(RequestBody):
    """What happened at a table. Which parts are asked for is a matter of its scoring rule."""

    games = serializers.ListField(child=GameBody(), max_length=MAX_GAMES, required=False)
    flags = serializers.ListField(
        child=StrictChoiceField(FLAGS), max_length=len(FLAGS), required=False
    )
    totals = serializers.ListField(
        child=SeatPointsBody(),
        max_length=MAX_SEATS,
        required=False,
        help_text="Match points that staff type where the games are not known.",
    )
    victory_points = serializers.ListField(
        child=SeatPointsBody(), max_length=MAX_SEATS, required=False
    )
    factions = serializers.ListField(child=SeatFactionBody(), max_length=MAX_SEATS, required=False)

    def validate(self, attrs: dict[str, Any]) -> Any:
        """The body as a result of the table in the context (`table`, a TableContext)."""
        return result_from_body(attrs, self.context["table"])


class ReportBody(RequestBody):
    """What a player says."""

    result = ResultBody()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what contradicts the rules, unless it is to be recorded anyway."""
        if not attrs.get("force"):
            _refuse_contradictions(attrs["result"], self.context["table"].match)
        return attrs


class ConfirmBody(RequestBody):
    """The report that was seen, by its `id`."""

    report = StrictIntegerField(min_value=1)


class DisputeBody(ConfirmBody):
    """The report that was seen, and what was otherwise."""

    note = StrictCharField(max_length=MAX_NOTE_LENGTH, allow_blank=True, default="")


class DecisionBody(ReportBody):
    """The result to record, and the `version` of the table as you read it."""

    version = StrictIntegerField(min_value=1)
    note = StrictCharField(max_length=MAX_NOTE_LENGTH, allow_blank=True, default="")
    force = StrictBooleanField(default=False, help_text="Override the rules; the note says why.")
    impact_version = StrictCharField(
        max_length=64,
        allow_null=True,
        default=None,
        help_text="In a closed round: the `version` of the impact in the 409.",
    )
    rulings = CitesField(default=list, help_text="Cited rulings; for those who judge.")


def result_from_body(body: Mapping[str, Any], table: TableContext) -> MatchResult:
    """Return the result of a body with valid types, with implied values filled in.

    Raises ValidationError with all faults by part of the body. Contradictions of the rules are not
    checked here, because the staff may record them anyway.
    """
    return _ResultReader(body, table).result()


class _ResultReader:
    """Read a result from one body; `faults` are messages by part of the body."""

    def __init__(self, body: Mapping[str, Any], table: TableContext) -> None:
        self.match, self.is_forced = table.match, table.is_forced
        self.body, self.rule, self.by_staff = body, table.match.rule, table.by_staff
        self.positions = {number: position for position, number in table.numbers.items()}
        self.names = {seat.position: seat.player.name for seat in table.match.seats.all()}
        self.faults: dict[str, list[str]] = {}
        self.by_seat = {name: self._by_seat(name, key) for name, key in PLAYER_VALUE_KEYS.items()}
        self.reported = get_latest_result(self.match) if self.match.losses else MatchResult()

    def result(self) -> MatchResult:
        self._add_lost_seats()
        by_seat = {name: tuple(values.values()) for name, values in self.by_seat.items()}
        flags = frozenset(map(Flag, self.body.get("flags", ())))
        result = MatchResult(games=self._games(self.body.get("games", ())), flags=flags, **by_seat)
        self._refuse(chain(self._unused_parts(result), self._invalid_values(result)))
        if self.match.losses and not result.totals:
            result = self._with_lost_games(result)
        self._refuse(self._missing_parts(result))
        return self.rule.with_implied_values(result)

    def _add_lost_seats(self) -> None:
        """Add victory points of players placed last by a penalty; the body may leave them out."""
        points = self.by_seat["victory_points"]
        if self.rule.has_roles or not points:
            return
        for loss in matches_records.losses_of(self.match):
            before = dict(enumerate(self.reported.victory_points, start=1)).get(loss.seat, 0)
            if points.setdefault(loss.seat, before) not in (0, before) and not self.is_forced:
                self._add_fault(
                    "victory_points", LAST_PLACE_BY_PENALTY.format(self.names[loss.seat])
                )
        self.by_seat["victory_points"] = dict(sorted(points.items()))

    def _with_lost_games(self, result: MatchResult) -> MatchResult:
        """Add games decided by penalties; the body may leave them out.

        A game that is sent must have the decided winner, unless the staff force the result.
        """
        decided = {
            game.number: game
            for game in matches_records.result_for_form(self.match, self.reported).games
        }
        games = {game.number: game for game in result.games}
        for number, seats in matches_records.lost_games_of(self.match).items():
            sent, shown = games.setdefault(number, decided[number]), decided[number]
            is_same = (sent.corp, sent.winner) == (shown.corp, shown.winner)
            if not is_same and sent not in self.reported.games and not self.is_forced:
                losers = " and ".join(self.names[seat] for seat in sorted(seats))
                self._refuse(iter([("games", GAME_LOST_BY_PENALTY.format(number, losers))]))
        result = replace(result, games=tuple(games[number] for number in sorted(games)))
        if self.is_forced:
            return result
        return matches_records.with_reported_parts(self.match, result, self.reported)

    def _add_fault(self, part: str, sentence: str) -> None:
        faults = self.faults.setdefault(part, [])
        if sentence not in faults:
            faults.append(sentence)

    def _refuse(self, faults: Iterator[tuple[str, str]]) -> None:
        """Raise ValidationError for these faults and those added before."""
        for part, sentence in faults:
            self._add_fault(part, sentence)
        if self.faults:
            raise serializers.ValidationError(self.faults)

    def _position(self, part: str, player: int) -> int | None:
        if player not in self.positions:
            self._add_fault(part, f"Player {player} does not sit at this table.")
        return self.positions.get(player)

    def _by_seat(self, name: str, key: str) -> dict[int, Any]:
        """Return the values by seat in order; a faction that is not named is empty."""
        values: dict[int, Any] = {}
        for entry in self.body.get(name, ()):
            position = self._position(name, entry["player"])
            if position in values:
                self._add_fault(name, f"Player {entry['player']} is listed twice.")
            if position is not None:
                values[position] = entry[key]
        if name == "factions":
            named = any(values.values())
            values = {seat: values.get(seat, "") for seat in self.names} if named else {}
        return dict(sorted(values.items()))

    def _games(self, games: Sequence[Mapping[str, Any]]) -> tuple[GameResult, ...]:
        first = self._first_corp(games)
        results = []
        for game in sorted(games, key=lambda game: int(game["number"])):
            winner = Role(game["winner"]) if game["winner"] else None
            end = GameEnd(game["end"]) if game.get("end") else self.rule.usual_end(winner)
            points = (game.get(f"{role.value}_agenda_points") for role in (Role.CORP, Role.RUNNER))
            corp = corp_seat(game["number"], first)
            results.append(GameResult(game["number"], corp, winner, end, *points))
        return tuple(results)

    def _first_corp(self, games: Sequence[Mapping[str, Any]]) -> int:
        """Return the position that was Corp in game 1; 1 if no game names its Corp."""
        first = set()
        for game in games:
            if game.get("corp") is not None:
                position = self._position("games", game["corp"])
                if position is not None:
                    first.add(corp_seat(game["number"], position))
        if len(first) > 1:
            self._add_fault("games", ROLES_CONTRADICT)
        return first.pop() if len(first) == 1 else 1

    def _unused_parts(self, result: MatchResult) -> Iterator[tuple[str, str]]:
        """Yield the parts that are not used at this table."""
        rule, numbers = self.rule, [game.number for game in result.games]
        for number in sorted({number for number in numbers if numbers.count(number) > 1}):
            yield "games", f"Game {number} is listed twice."
        for game in result.games:
            if not rule.has_roles or game.number > rule.games_per_match:
                yield "games", f"Game {game.number} is not played at this table. Remove it."
                continue
            if game.corp != corp_seat(game.number, 1) and not self.by_staff:
                yield "games", CORP_NOT_AS_SEATED
            has_points = {game.corp_agenda_points, game.runner_agenda_points} != {None}
            if has_points and not isinstance(rule, AgendaRule):
                yield "games", f"Game {game.number}: no agenda points count here. Remove them."
        if result.flags - set(rule.flags):
            yield "flags", FIELD_NOT_USED
        if result.totals and not (self.by_staff and rule.takes_totals):
            yield "totals", "Totals are not used here. Enter who won each game."
        for part in ("victory_points", "factions") if rule.has_roles else ():
            if self.body.get(part):
                yield part, FIELD_NOT_USED

    def _invalid_values(self, result: MatchResult) -> Iterator[tuple[str, str]]:
        for game in result.games:
            if self.rule.has_roles and game.end not in self.rule.ends:
                yield "games", _not_a_choice_message(game.end.value, self.rule.ends)
        for position, total in self.by_seat["totals"].items():
            if total > MOST_TOTAL:
                what = f"The match points of {self.names[position]}"
                yield "totals", out_of_range_message(what, MOST_TOTAL)
        known = matches_records.factions_by_id() if result.factions else {}
        for faction in result.factions:
            if faction and faction not in known:
                yield "factions", _not_a_choice_message(faction, known)

    def _missing_parts(self, result: MatchResult) -> Iterator[tuple[str, str]]:
        """Yield the values that the scoring rule requires, also for seats left out."""
        part = "totals" if self.rule.has_roles else "victory_points"
        sentence = total_missing if self.rule.has_roles else victory_points_missing
        for found in self.rule.missing_inputs(result, self.names):
            yield "games", found.message
        if self.by_seat[part] or not self.rule.has_roles:
            for position, name in self.names.items():
                if position not in self.by_seat[part]:
                    yield part, sentence(position, name).message


def _refuse_contradictions(result: MatchResult, match: Match) -> None:
    """Raise ValidationError with the contradictions, by part of the body."""
    faults: dict[str, list[str]] = {}
    for found in find_contradictions(match, result):
        part = "games" if found.game is not None else CONTRADICTION_PARTS.get(found.code, "request")
        faults.setdefault(part, []).append(found.message)
    whole = faults.pop("request", None)
    if whole or faults:
        raise serializers.ValidationError(
            {**({"request": whole} if whole else {}), **({"result": faults} if faults else {})}
        )


def _not_a_choice_message(value: str, allowed: Iterable[str]) -> str:
    return NOT_A_CHOICE.format(input=value, allowed=", ".join(sorted(allowed)))
