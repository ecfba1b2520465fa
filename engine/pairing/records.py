"""What the engine reads and answers: entrants in, tables and byes with their reasons out."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from engine.standings import PlayerId, opponents_at
from engine.standings.records import AnyId
from matches.scoring import Role

Cost: TypeAlias = Mapping[str, int]
"""Cost by level, the level that weighs most first."""


@dataclass(frozen=True)
class Meeting:
    """A past table, seen by one player: whom they met and which role they had in game 1.

    `round_number`, where known, lets a reason say when that was.
    """

    opponent: PlayerId
    role: Role | None = None
    round_number: int | None = None


@dataclass(frozen=True)
class PastSeat:
    """A past pod, seen by one player: their place in the seat order (1 is first), how many sat
    there, and how many sat at the largest pod of that round."""

    seat: int
    size: int
    largest: int

    @property
    def was_short(self) -> bool:
        """Whether others had a larger pod that round."""
        return self.size < self.largest


def meetings(
    roles: Mapping[AnyId, Role | None], round_number: int
) -> Iterator[tuple[AnyId, Meeting]]:
    """Each meeting at one table, by player; `roles` are those of game 1, by seat."""
    for player, opponents in opponents_at(roles).items():
        for opponent in opponents:
            yield player, Meeting(opponent, roles[player], round_number)


def past_seats(pods: Sequence[Sequence[AnyId]]) -> Iterator[tuple[AnyId, PastSeat]]:
    """Where each player sat in the pods of one round, which are in their seat order."""
    largest = max(map(len, pods), default=0)
    for pod in pods:
        for seat, player in enumerate(pod, start=1):
            yield player, PastSeat(seat, len(pod), largest)


@dataclass(frozen=True)
class Entrant:
    """A player to be paired.

    `byes` counts byes so far, first-round byes among them. `opponents` holds every past meeting,
    the earliest first. `seed` orders the fold of round 1, 1 best. Two players of one
    `avoid_group` are kept apart while that is possible. `seats` are the past pods of an event in
    pods; there every table-mate is a meeting without a role.
    """

    id: PlayerId
    match_points: int = 0
    byes: int = 0
    opponents: tuple[Meeting, ...] = ()
    first_round_bye: bool = False
    seed: int | None = None
    avoid_group: str | None = None
    seats: tuple[PastSeat, ...] = ()

    @cached_property
    def roles_against(self) -> Mapping[PlayerId, tuple[Role | None, ...]]:
        """This player's roles in game 1 of each meeting, by opponent."""
        roles: defaultdict[PlayerId, tuple[Role | None, ...]] = defaultdict(tuple)
        for meeting in self.opponents:
            roles[meeting.opponent] += (meeting.role,)
        return dict(roles)

    @cached_property
    def corp_first(self) -> int:
        """How often this player was Corp in game 1."""
        return sum(meeting.role is Role.CORP for meeting in self.opponents)

    @cached_property
    def balance(self) -> int:
        """Corp minus Runner over all meetings with a known role; byes have none."""
        runner = sum(meeting.role is Role.RUNNER for meeting in self.opponents)
        return self.corp_first - runner


@dataclass(frozen=True)
class LockedTable:
    """A table that stays as it is while the rest is paired anew; roles are those of game 1."""

    number: int
    corp: PlayerId
    runner: PlayerId


@dataclass(frozen=True)
class LockedPod:
    """A pod that stays as it is, in its seat order, while the rest is seated anew."""

    number: int
    seats: tuple[PlayerId, ...]


@dataclass(frozen=True)
class LockedBye:
    """A bye that stays while the rest is paired anew."""

    player: PlayerId


Locked: TypeAlias = LockedTable | LockedBye


@dataclass(frozen=True)
class Reason:
    """Why something is as it is. `text` names the players as {0}, {1}, in the order given."""

    kind: str
    players: tuple[PlayerId, ...]
    text: str

    def sentence(self, names: Mapping[PlayerId, str] | None = None) -> str:
        """The text with names filled in; without names it says "player 7"."""
        known = names or {}
        return self.text.format(*(known.get(id_, f"player {id_}") for id_ in self.players))


@dataclass(frozen=True)
class Sides:
    """A player's Corp minus Runner games, before a table and after it; of a match, game 1."""

    player: PlayerId
    before: int
    after: int


@dataclass(frozen=True)
class PairedTable:
    """A table with its price and reasons; the roles are those of game 1, `sides` Corp's first."""

    number: int
    corp: PlayerId
    runner: PlayerId
    point_gap: int
    cost: Cost
    reasons: tuple[Reason, ...]
    locked: bool = False
    sides: tuple[Sides, ...] = ()


@dataclass(frozen=True)
class PairedBye:
    """Who sits out, with the price and the reasons."""

    player: PlayerId
    cost: Cost
    reasons: tuple[Reason, ...]
    locked: bool = False


@dataclass(frozen=True)
class Certificate:
    """What a round was made from: the same document and seed give the same round again.

    `document` is the SHA-256 of the input as canonical JSON, `digest` that of the other fields.
    """

    document: str
    seed: int
    engine_version: str
    cost: Cost
    digest: str


@dataclass(frozen=True)
class PairedRound:
    """A round ready to be looked at.

    `cost` sums what the engine chose; locked tables and byes given before the matching are not
    in it. `relaxations` lists the rules that could not be kept, the weightiest first. `notes` tell
    of the rounds still planned, where these cannot be kept free of rematches for certain.
    """

    pairings: tuple[PairedTable, ...]
    byes: tuple[PairedBye, ...]
    cost: Cost
    relaxations: tuple[Reason, ...]
    certificate: Certificate
    notes: tuple[Reason, ...] = ()


def in_points(points: int | Fraction) -> str:
    """The number with its noun: "1 point", "7 points"."""
    return f"{points} point" + ("" if abs(points) == 1 else "s")


def how_often(count: int) -> str:
    """The count as an adverb: "never", "once", "3 times"."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
