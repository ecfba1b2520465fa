"""Convert a tournament file to an event without losing or guessing data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from core.text import clean
from decks.games import GAMES
from matches.scoring import ScoringRule, rules_of
from players import names
from tournaments.interchange.formats.records import (
    FileEvent,
    FilePlayer,
    FileRefused,
    FileRound,
    FileTable,
    PlayerId,
)
from tournaments.interchange.own_document.checked_reader import MOST_SMALL, filled
from tournaments.interchange.own_document.cut_plans import CutPlan, plan_of
from tournaments.interchange.own_document.results import match_of, rule_of
from tournaments.interchange.own_document.shapes import (
    CLOSED,
    PAIRING,
    PLAYER_SHAPE,
    ROUND,
    RUNNING,
    SETTINGS,
    STAGE,
)

# Figures decide first, then the order of the file, stored as seeds.
TIE_BREAKERS = (
    "match_points",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "manual_seed",
    "lot",
)
LONGEST_NAME = 100
Event = dict[str, Any]


def event_of_file(
    event: FileEvent, ranked: Sequence[PlayerId], *, seed: int, today: date
) -> tuple[Event, Mapping[PlayerId, int]]:
    """Convert a file to an event; also return the number of each player, in file order.

    `ranked` are the players by computed standings, best first. Raises FileRefused for a game
    without roles.
    """
    numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
    rule = rule_of(GAMES[event.game], event.system)
    if not rule.has_roles:
        raise FileRefused(f'The game "{event.game}" is not played so.', "$.game")
    conversion = _EventOfFile(event, numbers, rule)
    plan = plan_of(event, ranked, seed)
    stages = [conversion.swiss(), *([conversion.cut(plan, len(event.rounds))] if plan else [])]
    is_open = _is_open(stages)
    return {
        "settings": _settings(event, rule, today, is_open=is_open),
        "seed": seed,
        "players": [conversion.player(player, is_open=is_open) for player in event.players],
        "stages": stages,
        "private": None,
    }, numbers


def email_notices(event: FileEvent) -> list[str]:
    """Notices about names that contain an email address, which is removed."""
    found = [
        (number, names.without_email_addresses(player.name))
        for number, player in enumerate(event.players, start=1)
        if names.EMAIL_ADDRESS.search(player.name)
    ]
    return [
        f"Player {number} has only an email address for a name. Everyone can see names, so the "
        f'player is called "{_name(rest, number)}" here; rename the player on the roster.'
        if not rest
        else f"The name of {rest} holds an email address. It is left out: everyone can see names."
        for number, rest in found
    ]


def _is_open(stages: Sequence[Event]) -> bool:
    """Return True if the last round is not closed, or there are no rounds."""
    rounds = [round_ for stage in stages for round_ in stage["rounds"]]
    return not rounds or rounds[-1]["state"] != CLOSED


def _settings(event: FileEvent, rule: ScoringRule, today: date, *, is_open: bool) -> Event:
    day = event.date or today
    finished = None if is_open else f"{day.isoformat()}T12:00:00+00:00"
    return filled(
        SETTINGS,
        name=clean(event.name)[:120] or "Imported event",
        game=event.game,
        starts_on=day.isoformat(),
        scoring_rule=rule.id,
        tie_breakers=list(TIE_BREAKERS),
        bye_points=rule.bye_points,
        planned_rounds=len(event.rounds) or None,
        finished_at=finished,
    )


class _EventOfFile:
    """Converts one file to an event."""

    def __init__(
        self, event: FileEvent, numbers: Mapping[PlayerId, int], rule: ScoringRule
    ) -> None:
        self.event, self.numbers, self.rule = event, numbers, rule
        seated = {
            seat.id for round_ in event.rounds for table in round_.tables for seat in table.seats
        }
        # Seeds follow the stated ranks, else the order of the file.
        known = [player.id for player in sorted(event.players, key=_stated_rank)]
        self.seeds = {player: seed for seed, player in enumerate(known, start=1)}
        self.paired = seated | {bye.id for round_ in event.rounds for bye in round_.byes}

    def player(self, player: FilePlayer, *, is_open: bool) -> Event:
        # A dropped player without any pairing would vanish from the standings, so keep them.
        has_left = player.dropped and (is_open or player.id in self.paired)
        number = self.numbers[player.id]
        return filled(
            PLAYER_SHAPE,
            id=number,
            name=_name(player.name, number),
            pronouns=_pronouns(player.pronouns),
            state="dropped" if has_left else "checked_in",
            dropped_by="staff" if has_left else "",
            seed=self.seeds[player.id],
            identities=[
                {"side": side, "title": clean(title)[:200]}
                for side, title in (
                    ("corp", player.corp_identity),
                    ("runner", player.runner_identity),
                )
                if title and clean(title.replace("\0", ""))
            ],
        )

    def swiss(self) -> Event:
        rounds = [
            self._round(number, round_, self.rule, ())
            for number, round_ in enumerate(self.event.rounds, start=1)
        ]
        system = "single" if self.event.system == "single" else "double"
        return filled(STAGE, number=1, system=system, scoring_rule=self.rule.id, rounds=rounds)

    def cut(self, plan: CutPlan, earlier: int) -> Event:
        rules = rules_of(GAMES[self.event.game].scoring_rules)
        rule = next((one for one in rules if one.games_per_match == 1), self.rule)
        places = {place.id: place.rank for place in self.event.placings}
        return filled(
            STAGE,
            number=2,
            system=plan.system,
            scoring_rule=rule.id,
            fixed_bracket=plan.fixed,
            entries=[
                {
                    "player": self.numbers[player],
                    "seed": seed,
                    "declined": False,
                    "place": places.get(player),
                }
                for seed, player in enumerate(plan.seeds, start=1)
            ],
            rounds=[
                self._round(number, round_, rule, games)
                for number, (round_, games) in enumerate(
                    zip(self.event.cut_rounds, plan.games, strict=True), start=earlier + 1
                )
            ],
        )

    def _round(
        self, number: int, round_: FileRound, rule: ScoringRule, games: Sequence[int]
    ) -> Event:
        # A Swiss round may count despite unplayed tables; a bracket round is open until all are
        # played.
        is_over = round_.counts and (not games or all(table.is_played for table in round_.tables))
        played = [_counted(table) if is_over else table for table in round_.tables]
        numbers: Sequence[int | None] = games or [None] * len(played)
        tables = [
            filled(
                PAIRING,
                table=where,
                match=match_of(table, self._ids(table.seats), rule),
                bracket_game=game,
            )
            for table, where, game in zip(played, _numbered(round_), numbers, strict=True)
        ]
        byes = [
            filled(PAIRING, bye=self.numbers[bye.id], points=_small(bye.points))
            for bye in round_.byes
        ]
        return filled(
            ROUND,
            number=number,
            state=CLOSED if is_over else RUNNING,
            pairings=[*tables, *byes],
        )

    def _ids(self, seats: Any) -> tuple[int, int]:
        return self.numbers[seats[0].id], self.numbers[seats[1].id]


def _counted(table: FileTable) -> FileTable:
    """Give both players of an unplayed table 0 points if the round counts, like the file."""
    if table.is_played:
        return table
    one, two = (replace(seat, points=0) for seat in table.seats)
    return replace(table, seats=(one, two))


def _stated_rank(player: FilePlayer) -> tuple[bool, int]:
    return player.stated.rank is None, player.stated.rank or 0


def _numbered(round_: FileRound) -> list[int]:
    """The table numbers of the file if they are valid and unique, else 1, 2, 3 and so on."""
    numbers = [table.number for table in round_.tables]
    if len(set(numbers)) == len(numbers) and all(one and 0 < one <= MOST_SMALL for one in numbers):
        return [one for one in numbers if one]
    return list(range(1, len(numbers) + 1))


def _small(points: int) -> int:
    return max(-MOST_SMALL, min(MOST_SMALL, points))


def _name(typed: str, number: int) -> str:
    """Clean the name; use the player's number if nothing valid remains."""
    printable = "".join(one for one in typed if one.isprintable())
    name = names.without_email_addresses(printable)[:LONGEST_NAME].strip()
    return f"Player {number}" if any(names.problems(name)) else name


def _pronouns(typed: str) -> str:
    return "" if any(names.pronoun_problems(typed)) else clean(typed)
