"""Round robin schedule by round, and the cross table."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.pairing.round_robin import round_robin_round
from matches.scoring import Points
from players.models import Player
from tournaments.event import queries
from tournaments.models import Pairing, Registration, RoundState, Stage


@dataclass(frozen=True)
class Place:
    """A player; `place` is the position in the fixed order from 1, None for a guest at a table."""

    place: int | None
    number: int
    name: str
    has_left: bool
    is_me: bool


@dataclass(frozen=True)
class Encounter:
    """A pairing of two players, or a bye; `points` are in the order of `places` once settled.

    `table` is None for a bye, and while the round is not published.
    """

    round_number: int
    places: tuple[Place, ...]
    table: int | None = None
    points: tuple[Points, ...] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.places) == 1

    @property
    def is_mine(self) -> bool:
        return any(place.is_me for place in self.places)


@dataclass(frozen=True)
class ScheduledRound:
    """A round, by number in the event; a future round has the pairings given by the order."""

    number: int
    encounters: tuple[Encounter, ...]
    is_published: bool


@dataclass(frozen=True)
class CrossCell:
    """Meetings of two players with their points, those of the row's player first."""

    opponent: Place
    meetings: tuple[tuple[Encounter, tuple[Points, ...]], ...]


@dataclass(frozen=True)
class CrossRow:
    """A player's results against each opponent; the cell against themselves is None."""

    place: Place
    cells: tuple[CrossCell | None, ...]


@dataclass(frozen=True)
class Schedule:
    rounds: tuple[ScheduledRound, ...]
    rows: tuple[CrossRow, ...]


def schedule_of(stage: Stage, me: Player | None = None) -> Schedule:
    """Build the schedule of a round robin with a fixed order; a constant number of queries."""
    entries = queries.fixed_order(stage)
    order = {entry.number: place for place, entry in enumerate(entries, start=1)}
    places = {
        entry.number: _place(order.get(entry.number), entry, me)
        for entry in queries.roster(stage.tournament)
    }
    rounds = tuple(_rounds(stage, entries, places))
    return Schedule(rounds, tuple(_rows([places[number] for number in order], rounds)))


def _place(place: int | None, entry: Registration, me: Player | None) -> Place:
    is_me = me is not None and entry.player_id == me.pk
    return Place(place, entry.number, entry.player.name, not entry.is_active, is_me)


def _rounds(
    stage: Stage, entries: Sequence[Registration], places: Mapping[int, Place]
) -> Iterator[ScheduledRound]:
    published = _published(stage, places)
    before = queries.number_in_stage(stage, 0)
    planned = queries.rounds_of_round_robin(stage, len(entries))
    # More rounds may have been played than are planned now.
    for number in range(1, max(planned, len(published)) + 1):
        in_event = number - before
        if in_event in published:
            yield ScheduledRound(in_event, tuple(published[in_event]), is_published=True)
        else:
            encounters = tuple(_scheduled(stage, entries, places, number, in_event))
            yield ScheduledRound(in_event, encounters, is_published=False)


def _published(stage: Stage, places: Mapping[int, Place]) -> dict[int, list[Encounter]]:
    numbers = dict(stage.tournament.registrations.values_list("player_id", "number"))
    pairings = (
        Pairing.objects.filter(round__stage=stage)
        .exclude(round__state=RoundState.DRAFT)
        .select_related("match", "round", "bye")
        .prefetch_related("match__seats")
    )
    rounds: dict[int, list[Encounter]] = defaultdict(list)
    for pairing in pairings:
        rounds[pairing.round.number].append(_played(pairing, numbers, places))
    return rounds


def _played(pairing: Pairing, numbers: Mapping[int, int], places: Mapping[int, Place]) -> Encounter:
    if pairing.match is None:
        assert pairing.bye is not None
        return Encounter(pairing.round.number, (places[pairing.bye.number],))
    seats = list(pairing.match.seats.all())
    return Encounter(
        pairing.round.number,
        tuple(places[numbers[seat.player_id]] for seat in seats),
        pairing.table_number,
        tuple(seat.points or 0 for seat in seats) if pairing.match.is_settled else (),
    )


def _scheduled(
    stage: Stage,
    entries: Sequence[Registration],
    places: Mapping[int, Place],
    number: int,
    in_event: int,
) -> Iterator[Encounter]:
    """Yield the pairings of a future round, if at least two players are left."""
    active = {entry.number for entry in entries if entry.is_active}
    if len(active) < 2:
        return
    order = [entry.number for entry in entries]
    cycles = queries.cycles(stage, len(entries))
    scheduled = round_robin_round(order, number, active=active, cycles=cycles)
    for table in scheduled.pairings:
        yield Encounter(in_event, (places[int(table.corp)], places[int(table.runner)]))
    for bye in scheduled.byes:
        yield Encounter(in_event, (places[int(bye.player)],))


def _rows(places: Sequence[Place], rounds: Sequence[ScheduledRound]) -> Iterator[CrossRow]:
    met: dict[tuple[int, int], list[tuple[Encounter, tuple[Points, ...]]]] = defaultdict(list)
    for encounter in (one for round_ in rounds for one in round_.encounters if not one.is_bye):
        first, second = (place.number for place in encounter.places)
        met[first, second].append((encounter, encounter.points))
        met[second, first].append((encounter, encounter.points[::-1]))
    for row in places:
        cells = (
            None if other == row else CrossCell(other, tuple(met[row.number, other.number]))
            for other in places
        )
        yield CrossRow(row, tuple(cells))
