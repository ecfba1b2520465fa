"""Forecast of each player's chances: the remaining rounds, played out many times.

Every run pairs rounds as the engine does and ranks players as the standings do. A table ends like a
random table of this event with as many players, dealt to its players at random. A few rounds are
not enough to estimate playing strength. Nobody drops. For a new number of players per table, all
possible endings are equally likely.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TypeAlias, cast

from engine.clinch.last_round import TableEnding, endings_of
from engine.pairing.costs import swiss_profile
from engine.pairing.pods import MAX_EXHAUSTIVE_PLAYERS, seat_pods
from engine.pairing.records import Entrant, meetings_at_table, seats_in_pods
from engine.pairing.round_robin import round_robin_round
from engine.pairing.swiss import pair_round
from engine.standings.ranking import standings
from engine.standings.records import (
    Bye,
    Exact,
    PlayedTable,
    PlayerId,
    SeatResult,
    StandingsRecord,
    table_entries,
)
from engine.systems import System, SystemKind
from matches.scoring.results import Role
from matches.scoring.rules import ScoringRule

# A table. With roles, the first seat is Corp in game 1.
TableSeats: TypeAlias = tuple[PlayerId, ...]

# Systems whose next rounds follow from the results.
FORECAST_KINDS = SystemKind.SWISS, SystemKind.PODS, SystemKind.ROUND_ROBIN

MAX_RUNS, MIN_RUNS = 400, 20
# Budget of all runs in microseconds on a slow machine, as estimated by `_work_of_round`.
WORK_BUDGET = 40_000_000


@dataclass(frozen=True)
class Course:
    """An event between two rounds, and the plan for the remaining rounds."""

    system: System
    # Defines the possible endings in points, of which `unit` make one point.
    rule: ScoringRule
    # All players with their closed rounds.
    records: tuple[StandingsRecord, ...]
    # The active players with their past.
    entrants: tuple[Entrant, ...]
    next_round: int
    last_round: int
    tie_breakers: tuple[str, ...]
    # The best `places` advance.
    places: int
    # In points of a record.
    bye_points: Exact
    # A point of a record in match points of an entrant.
    parts: int = 1
    unit: int = 1
    # Order and cycles of a round robin.
    order: tuple[PlayerId, ...] = ()
    cycles: int = 1
    # Only matches of a single game allow second meetings.
    avoids_second_meetings: bool = False

    @property
    def rounds_left(self) -> int:
        return self.last_round - self.next_round + 1

    @cached_property
    def rivals(self) -> tuple[PlayerId, ...]:
        """Players who can take a place: active players for a cut, all ranked players otherwise."""
        ranked = self.entrants if self.places > 1 else self.records
        return tuple(player.id for player in ranked)

    @cached_property
    def endings(self) -> Mapping[int, Sequence[TableEnding]]:
        ended = sorted(_endings_by_table(self.records), key=len)
        return {seats: list(alike) for seats, alike in groupby(ended, key=len)}

    def endings_with(self, seats: int) -> Sequence[TableEnding]:
        return self.endings.get(seats) or endings_of(self.rule, seats, unit=self.unit)


def runs_for(course: Course) -> int:
    """Return the runs that take about a minute on a slow machine, or 0 for too few."""
    # Estimated, not measured, so that the same event gets the same answer everywhere.
    rounds, players = course.rounds_left, len(course.entrants)
    if course.system.kind not in FORECAST_KINDS or rounds < 1 or players < 2:
        return 0
    runs = min(MAX_RUNS, WORK_BUDGET // (rounds * _work_of_round(course.system.kind, players)))
    return runs if runs >= MIN_RUNS else 0


def _work_of_round(kind: SystemKind, players: int) -> int:
    """Estimate the microseconds to pair a round and rank players, measured on a slow machine."""
    if kind is SystemKind.ROUND_ROBIN:
        return 100 * players
    if kind is SystemKind.PODS:
        return 8_000 * players if players <= MAX_EXHAUSTIVE_PLAYERS else 800 * players
    # A small field considers every pair of players, a large field only near pairs.
    return min(400 * players, 12 * players * players) + 1_000


def forecast(
    course: Course, *, runs: int, seed: int, after_run: Callable[[int], None] = lambda _: None
) -> Mapping[PlayerId, int]:
    """Play the remaining rounds `runs` times; return the number of runs that each player makes it.

    The same course and seed give the same answer. `after_run` receives the number of finished runs,
    and its exceptions stop the work. Raise PairingRefused or StandingsRefused if the field cannot
    be paired or ranked.
    """
    times = dict.fromkeys(course.rivals, 0)
    for run in range(1, runs + 1):
        for player in _ForecastRun(course, random.Random(f"{seed}/{run}")).best():  # noqa: S311
            times[player] += 1
        after_run(run)
    return times


class _ForecastRun:
    def __init__(self, course: Course, chance: random.Random) -> None:
        self.course, self.chance = course, chance
        self.entrants = {entrant.id: entrant for entrant in course.entrants}
        self.rivals = frozenset(course.rivals)
        self.rounds = {record.id: record.rounds for record in course.records}

    def best(self) -> list[PlayerId]:
        course = self.course
        for number in range(course.next_round, course.last_round + 1):
            self._play(number)
        ended = [replace(record, rounds=self.rounds[record.id]) for record in course.records]
        # The event's random draw is still unknown, so draw a new seed.
        lines = standings(ended, course.tie_breakers, seed=self.chance.getrandbits(63))
        rivals = [line for line in lines if line.id in self.rivals]
        level = groupby(rivals, key=lambda line: line.rank)
        best: list[PlayerId] = []
        for _, group in level:
            if len(best) >= course.places:
                break
            best += [line.id for line in group]
        return best

    def _play(self, number: int) -> None:
        tables, byes = self._paired(number)
        entries: dict[PlayerId, PlayedTable | Bye] = {
            player: Bye(self.course.bye_points) for player in byes
        }
        for table in tables:
            ending = list(self.chance.choice(self.course.endings_with(len(table))))
            self.chance.shuffle(ending)
            entries |= table_entries(dict(zip(table, ending, strict=True)))
        for player, past in self.rounds.items():
            self.rounds[player] = (*past, entries.get(player))
        for player, entry in entries.items():
            entrant = self.entrants[player]
            # Points are whole in parts, as the engine requires.
            more = cast("int", entry.points * self.course.parts)
            self.entrants[player] = replace(
                entrant,
                match_points=int(entrant.match_points + more),
                byes=entrant.byes + isinstance(entry, Bye),
            )
        self._remember(number, tables)

    def _remember(self, number: int, tables: Iterable[TableSeats]) -> None:
        """Record meetings with their roles, and seats in pods."""
        in_pods = self.course.system.kind is SystemKind.PODS
        for table in tables:
            roles = dict.fromkeys(table) if in_pods else dict(zip(table, Role, strict=True))
            for player, meeting in meetings_at_table(roles, number):
                entrant = self.entrants[player]
                self.entrants[player] = replace(entrant, opponents=(*entrant.opponents, meeting))
        if in_pods:
            for player, seat in seats_in_pods(list(tables)):
                entrant = self.entrants[player]
                self.entrants[player] = replace(entrant, seats=(*entrant.seats, seat))

    def _paired(self, number: int) -> tuple[list[TableSeats], list[PlayerId]]:
        course, field = self.course, list(self.entrants.values())
        seed = self.chance.getrandbits(32)
        if course.system.kind is SystemKind.PODS:
            # A single search: a large field leaves no time for several.
            seated = seat_pods(field, round_number=number, seed=seed, searches=1)
            return [pod.seats for pod in seated.pods], [bye.player for bye in seated.byes]
        if course.system.kind is SystemKind.ROUND_ROBIN:
            paired = round_robin_round(
                course.order, number, active=set(self.entrants), cycles=course.cycles
            )
        else:
            paired = pair_round(
                field,
                round_number=number,
                seed=seed,
                profile=swiss_profile(
                    course.system.id, avoids_second_meetings=course.avoids_second_meetings
                ),
                planned_rounds=course.last_round,
            )
        tables: list[TableSeats] = [(table.corp, table.runner) for table in paired.pairings]
        return tables, [bye.player for bye in paired.byes]


def _endings_by_table(records: Sequence[StandingsRecord]) -> Iterator[TableEnding]:
    for number in range(max((len(record.rounds) for record in records), default=0)):
        seen: set[PlayerId] = set()
        entries = {record.id: record.rounds[number] for record in records}
        for player, entry in entries.items():
            if isinstance(entry, PlayedTable) and player not in seen:
                table = (player, *entry.opponents)
                seen.update(table)
                results = []
                for seat in table:
                    played = entries[seat]
                    assert isinstance(played, PlayedTable)
                    own = played.agenda_points[0] if played.agenda_points else None
                    results.append(
                        SeatResult(played.points, played.games_won, own, played.victory_points)
                    )
                yield tuple(results)
