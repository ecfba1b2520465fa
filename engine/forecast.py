"""How often does each player come in? The rounds that are left, played out many times.

Every run pairs the rounds as the engine pairs them and ranks the players as the standings do. A
table ends like one of the tables of this event with as many players, each as likely, and who of
them takes which part of it is a fair draw: a few rounds say too little about who is the stronger
one. Nobody drops. A number of players that sat at no table yet ends in every way alike.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TypeAlias, cast

from engine.clinch import Ending, endings_of
from engine.pairing import (
    Entrant,
    meetings,
    pair_round,
    past_seats,
    swiss_profile,
)
from engine.pairing.pods import MOST_PLAYERS, seat_pods
from engine.pairing.round_robin import round_robin_round
from engine.standings import Bye, Played, PlayerId, Record, Taken, played, standings
from engine.standings.records import Exact
from engine.systems import System, SystemKind
from matches.scoring import Role, ScoringRule

Seats: TypeAlias = tuple[PlayerId, ...]
"""A table; where there are roles the first seat is Corp in game 1."""

KINDS = SystemKind.SWISS, SystemKind.PODS, SystemKind.ROUND_ROBIN
"""Systems whose next rounds are known from the results."""

MOST_RUNS, FEWEST_RUNS = 400, 20
WORK = 40_000_000
"""What all runs may take: microseconds on a slow machine, as `_work_of_round` reckons them."""


@dataclass(frozen=True)
class Course:
    """An event between two rounds, and how it goes on.

    `records` are everybody's of closed rounds, `entrants` the active ones with their past; as many
    `parts` of an entrant's match points are one point of a record. `next_round` to `last_round`
    are to be played, and the best `places` go on. `rule` tells how a table can end, in points of
    which `unit` are one, and a bye brings `bye_points` of a record. A round robin has its `order`
    and `cycles`. Only an event of one game a match can leave second meetings as they come.
    """

    system: System
    rule: ScoringRule
    records: tuple[Record, ...]
    entrants: tuple[Entrant, ...]
    next_round: int
    last_round: int
    tie_breakers: tuple[str, ...]
    places: int
    bye_points: Exact
    parts: int = 1
    unit: int = 1
    order: tuple[PlayerId, ...] = ()
    cycles: int = 1
    avoids_second_meetings: bool = False

    @property
    def rounds_left(self) -> int:
        """How many are to be played."""
        return self.last_round - self.next_round + 1

    @cached_property
    def rivals(self) -> tuple[PlayerId, ...]:
        """Who can take a place: in a cut whoever is active, first place whoever is ranked."""
        ranked = self.entrants if self.places > 1 else self.records
        return tuple(one.id for one in ranked)

    @cached_property
    def endings(self) -> Mapping[int, Sequence[Ending]]:
        """How the tables of this event have ended, by the number of seats."""
        ended = sorted(_endings(self.records), key=len)
        return {seats: list(alike) for seats, alike in groupby(ended, key=len)}

    def endings_with(self, seats: int) -> Sequence[Ending]:
        """What a table of so many is drawn from."""
        return self.endings.get(seats) or endings_of(self.rule, seats, unit=self.unit)


@dataclass(frozen=True)
class Forecast:
    """In how many of so many runs each player who can take a place came in."""

    runs: int
    times_in: Mapping[PlayerId, int]


def runs_for(course: Course) -> int:
    """How many runs end within about a minute on a slow machine; 0 where that is too few.

    It is reckoned, not measured, so that the same event has the same answer everywhere.
    """
    rounds, players = course.rounds_left, len(course.entrants)
    if course.system.kind not in KINDS or rounds < 1 or players < 2:
        return 0
    runs = min(MOST_RUNS, WORK // (rounds * _work_of_round(course.system.kind, players)))
    return runs if runs >= FEWEST_RUNS else 0


def _work_of_round(kind: SystemKind, players: int) -> int:
    """Microseconds to pair one round and a part of the ranking, measured on a slow machine."""
    if kind is SystemKind.ROUND_ROBIN:
        return 100 * players
    if kind is SystemKind.PODS:
        return 8_000 * players if players <= MOST_PLAYERS else 800 * players
    # Every couple is looked at in a small field, and only near ones in a large one.
    return min(400 * players, 12 * players * players) + 1_000


def forecast(
    course: Course, *, runs: int, seed: int, after_run: Callable[[int], None] = lambda _: None
) -> Forecast:
    """Play the rest so often; the same course and seed give the same answer.

    `after_run` hears how many runs are done, and what it raises ends the work. Raise
    PairingRefused or StandingsRefused for a field that cannot be paired or ranked.
    """
    times = dict.fromkeys(course.rivals, 0)
    for run in range(1, runs + 1):
        for player in _Run(course, random.Random(f"{seed}/{run}")).best():  # noqa: S311
            times[player] += 1
        after_run(run)
    return Forecast(runs, times)


class _Run:
    """One way in which the event can go on."""

    def __init__(self, course: Course, chance: random.Random) -> None:
        self.course, self.chance = course, chance
        self.entrants = {entrant.id: entrant for entrant in course.entrants}
        self.rivals = frozenset(course.rivals)
        self.rounds = {record.id: record.rounds for record in course.records}

    def best(self) -> list[PlayerId]:
        """Who has one of the places at the end."""
        course = self.course
        for number in range(course.next_round, course.last_round + 1):
            self._play(number)
        ended = [replace(record, rounds=self.rounds[record.id]) for record in course.records]
        # The lot of the event is not known before it decides.
        lines = standings(ended, course.tie_breakers, seed=self.chance.getrandbits(63))
        rivals = [line for line in lines if line.id in self.rivals]
        level = groupby(rivals, key=lambda line: line.rank)
        found: list[PlayerId] = []
        for _, group in level:
            if len(found) >= course.places:
                break
            found += [line.id for line in group]
        return found

    def _play(self, number: int) -> None:
        tables, byes = self._paired(number)
        entries: dict[PlayerId, Played | Bye] = {
            player: Bye(self.course.bye_points) for player in byes
        }
        for table in tables:
            entries |= played(dict(zip(table, self._ending(len(table)), strict=True)))
        for player, past in self.rounds.items():
            self.rounds[player] = (*past, entries.get(player))
        for player, entry in entries.items():
            self._add(player, entry.points, is_bye=isinstance(entry, Bye))
        self._remember(number, tables)

    def _ending(self, seats: int) -> list[Taken]:
        ending = list(self.chance.choice(self.course.endings_with(seats)))
        self.chance.shuffle(ending)
        return ending

    def _add(self, player: PlayerId, points: Exact, *, is_bye: bool) -> None:
        entrant = self.entrants[player]
        # Whole in parts, as the engine reads it.
        more = cast("int", points * self.course.parts)
        self.entrants[player] = replace(
            entrant, match_points=int(entrant.match_points + more), byes=entrant.byes + is_bye
        )

    def _remember(self, number: int, tables: Iterable[Seats]) -> None:
        """Who met whom in which role, and who sat where."""
        in_pods = self.course.system.kind is SystemKind.PODS
        for table in tables:
            roles = dict.fromkeys(table) if in_pods else dict(zip(table, Role, strict=True))
            for player, meeting in meetings(roles, number):
                entrant = self.entrants[player]
                met = (*entrant.opponents, meeting)
                self.entrants[player] = replace(entrant, opponents=met)
        if in_pods:
            for player, seat in past_seats(list(tables)):
                entrant = self.entrants[player]
                self.entrants[player] = replace(entrant, seats=(*entrant.seats, seat))

    def _paired(self, number: int) -> tuple[list[Seats], list[PlayerId]]:
        """The tables of a round and who sits out."""
        course, field = self.course, list(self.entrants.values())
        seed = self.chance.getrandbits(32)
        if course.system.kind is SystemKind.PODS:
            # One search instead of the best of several: a large field has no time for them.
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
        tables: list[Seats] = [(table.corp, table.runner) for table in paired.pairings]
        return tables, [bye.player for bye in paired.byes]


def _endings(records: Sequence[Record]) -> Iterator[Ending]:
    """What was taken at each table, round by round."""
    for number in range(max((len(record.rounds) for record in records), default=0)):
        seen: set[PlayerId] = set()
        entries = {record.id: record.rounds[number] for record in records}
        for player, entry in entries.items():
            if isinstance(entry, Played) and player not in seen:
                table = (player, *entry.opponents)
                seen.update(table)
                yield tuple(_taken(entries[one]) for one in table)


def _taken(entry: Played | Bye | None) -> Taken:
    assert isinstance(entry, Played)
    own = entry.agenda_points[0] if entry.agenda_points else None
    return Taken(entry.points, entry.games_won, own, entry.victory_points)
