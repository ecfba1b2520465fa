"""Fields with a past in pods, and all possible seatings of a small field."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from hypothesis import strategies as st

from engine.pairing.pods import PodRound
from engine.pairing.records import Entrant, PastMeeting, PastSeat
from engine.standings.records import PlayerId

PLACE_POINTS = (5, 3, 2, 1, 0)

Cost = tuple[int, int, int, int, int]


class History:
    """Past seats and results of the players of an event in pods."""

    def __init__(self, players: Sequence[PlayerId]) -> None:
        self.points = dict.fromkeys(players, 0)
        self.meetings: dict[PlayerId, list[PastMeeting]] = {player: [] for player in players}
        self.seats: dict[PlayerId, list[PastSeat]] = {player: [] for player in players}

    def play(self, pods: Sequence[Sequence[PlayerId]], chance: random.Random) -> None:
        """Play a round with random places."""
        largest = max(map(len, pods), default=0)
        for pod in pods:
            place_points = chance.sample(PLACE_POINTS, len(pod))
            for seat, (player, points) in enumerate(zip(pod, place_points, strict=True), start=1):
                self.points[player] += points
                self.meetings[player] += [PastMeeting(mate) for mate in pod if mate != player]
                self.seats[player].append(PastSeat(seat, len(pod), largest))

    def entrants(self, groups: dict[PlayerId, str] | None = None) -> list[Entrant]:
        """The field in the format of the engine."""
        return [
            Entrant(
                player,
                match_points=self.points[player],
                opponents=tuple(self.meetings[player]),
                seats=tuple(self.seats[player]),
                avoid_group=(groups or {}).get(player),
            )
            for player in self.points
        ]


@st.composite
def fields(draw: st.DrawFn, min_players: int = 2, max_players: int = 8) -> list[Entrant]:
    """Fields with a past that no engine made: odd pods, late entries, missed rounds."""
    players: list[PlayerId] = list(range(1, draw(st.integers(min_players, max_players)) + 1))
    history, chance = History(players), random.Random(draw(st.integers(0, 999)))
    for _ in range(draw(st.integers(0, 4))):
        order = chance.sample(players, chance.randint(0, len(players)))
        pods = []
        while len(order) > 1:
            size = chance.randint(2, 5)
            pods.append(order[:size])
            order = order[size:]
        history.play([pod for pod in pods if len(pod) > 1], chance)
    return history.entrants({player: chance.choice("xyz") for player in players[::2]})


def cost_of(pods: Sequence[Sequence[Entrant]]) -> Cost:
    """The five cost levels of a whole round in seat order, computed independently."""
    largest = max(map(len, pods))
    short = repeat = group = gap = ends = 0
    for pod in pods:
        if len(pod) < largest:
            short += sum(
                past_seat.size < past_seat.largest for entrant in pod for past_seat in entrant.seats
            )
        for first, second in combinations(pod, 2):
            meetings = [meeting.opponent for meeting in first.opponents].count(second.id)
            repeat += meetings * meetings
            group += first.avoid_group is not None and first.avoid_group == second.avoid_group
            gap += (first.match_points - second.match_points) ** 2
        ends += sum(past_seat.seat == 1 for past_seat in pod[0].seats)
        ends += sum(past_seat.seat == past_seat.size for past_seat in pod[-1].seats)
    return repeat, short, group, gap, ends


def levels_of(round_: PodRound) -> Cost:
    """The five cost levels as stated by the engine."""
    cost = round_.cost
    return (
        cost["repeat"],
        cost["second_short_pod"],
        cost["avoid_group"],
        cost["point_gap"],
        cost["seat_order"],
    )


def least_cost(field: Sequence[Entrant], sizes: Sequence[int]) -> Cost:
    """The lowest cost, by trying every seating in every order."""
    return min(
        cost_of([_best_order(pod) for pod in pods]) for pods in every_seating(field, tuple(sizes))
    )


def _best_order(pod: Sequence[Entrant]) -> Sequence[Entrant]:
    return min(permutations(pod), key=lambda order: cost_of([order]))


def every_seating(
    field: Sequence[Entrant], sizes: tuple[int, ...]
) -> Iterator[list[tuple[Entrant, ...]]]:
    """All divisions of a field into pods of these sizes."""
    if not sizes:
        yield []
        return
    for pod in combinations(field, sizes[0]):
        remaining = [entrant for entrant in field if entrant not in pod]
        for pods in every_seating(remaining, sizes[1:]):
            yield [pod, *pods]


def seats_of(round_: PodRound) -> list[tuple[PlayerId, ...]]:
    return [pod.seats for pod in round_.pods]


def entrants_of(round_: PodRound, field: Sequence[Entrant]) -> list[list[Entrant]]:
    """The pods of a round as entrants, in seat order."""
    by_id = {entrant.id: entrant for entrant in field}
    return [[by_id[player] for player in pod.seats] for pod in round_.pods]
