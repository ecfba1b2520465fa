"""What the engine reads, refuses and answers.

Entrants in, tables and byes with their reasons out, and with a certificate: proof of what a round
was made from, so that it can be made again and compared.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from core.errors import Refusal
from engine.standings import PlayerId, opponents_at
from engine.standings.records import AnyId, id_order
from matches.scoring import Role

Cost: TypeAlias = Mapping[str, int]
"""Cost by level, the level that weighs most first."""

VERSION_2 = "2"
ENGINE_VERSION = "3"
"""Goes up whenever the same document and seed may give another round.

Version 3 can avoid second meetings of one game, looks ahead as far as the field allows, and has
fewer repeated table-mates in pods. A certificate states the oldest version whose rules give its
round, so a round that none of these rules touches has the certificate it always had.
"""
REPLAYABLE_VERSIONS = (VERSION_2, ENGINE_VERSION)


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
        roles: defaultdict[PlayerId, list[Role | None]] = defaultdict(list)
        for meeting in self.opponents:
            roles[meeting.opponent].append(meeting.role)
        return {opponent: tuple(played) for opponent, played in roles.items()}

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

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who stays there."""
        return self.corp, self.runner


@dataclass(frozen=True)
class LockedPod:
    """A pod that stays as it is, in its seat order, while the rest is seated anew."""

    number: int
    seats: tuple[PlayerId, ...]

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who stays there."""
        return self.seats


@dataclass(frozen=True)
class LockedBye:
    """A bye that stays while the rest is paired anew."""

    player: PlayerId

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who keeps it."""
        return (self.player,)


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

    `document` is the SHA-256 of the input as canonical JSON, `digest` that of the fields before it.
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


def kept_byes(
    field: Sequence[Entrant], locked: Sequence[Locked | LockedPod], round_number: int
) -> Iterator[tuple[Entrant, Reason, bool]]:
    """Locked byes and, in round 1, promised ones, with why and whether by a lock, by id.

    A lock weighs more than a promise.
    """
    by_lock = {lock.player for lock in locked if isinstance(lock, LockedBye)}
    bound = {player for lock in locked for player in lock.players}
    for entrant in sorted(field, key=lambda entrant: id_order(entrant.id)):
        if entrant.id in by_lock:
            yield entrant, Reason("locked", (entrant.id,), "{0} keeps the bye."), True
        elif round_number == 1 and entrant.first_round_bye and entrant.id not in bound:
            text = "{0} was given a bye for round 1."
            yield entrant, Reason("first_round_bye", (entrant.id,), text), False


class Explained(Protocol):
    """A table, a pod or a bye: it says why it is as it is."""

    @property
    def reasons(self) -> tuple[Reason, ...]: ...


def broken_rules(made: Iterable[Explained], rules: Sequence[str]) -> tuple[Reason, ...]:
    """The reasons that name a broken rule, the weightiest rule first."""
    weight = {rule: place for place, rule in enumerate(rules)}
    broken = [reason for one in made for reason in one.reasons if reason.kind in weight]
    return tuple(sorted(broken, key=lambda reason: weight[reason.kind]))


def certificate(
    entrants: Sequence[Entrant],
    locked: Sequence[Locked | LockedPod],
    round_number: int,
    *,
    planned_rounds: int | None = None,
    profile: str,
    seed: int,
    cost: Cost,
    engine_version: str = VERSION_2,
) -> Certificate:
    """The certificate of a round; the order in which entrants and locks are given is nothing.

    `engine_version` is the oldest version whose rules give the round.
    """
    document = _sha256(
        {
            "profile": profile,
            "round": round_number,
            "planned_rounds": planned_rounds,
            "entrants": [asdict(one) for one in sorted(entrants, key=lambda one: id_order(one.id))],
            "locked": sorted((asdict(lock) for lock in locked), key=_canonical),
        }
    )
    fields = {"document": document, "seed": seed, "engine_version": engine_version, "cost": cost}
    return Certificate(document, seed, engine_version, cost, digest=_sha256(fields))


def _sha256(document: Any) -> str:
    return hashlib.sha256(_canonical(document).encode()).hexdigest()


def _canonical(document: Any) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


class PairingRefused(Refusal):
    """The engine cannot pair this."""


class NotEnoughEntrants(PairingRefused):
    """A round needs two players."""


class DuplicateEntrants(PairingRefused):
    """Two entrants with one id."""


class MeetingsDisagree(PairingRefused):
    """One player's past does not fit the other's."""


class LockRefused(PairingRefused):
    """A locked table or bye that does not fit the field."""


class PointsTooLarge(PairingRefused):
    """The points are too far apart for exact arithmetic in the matching."""


def check(entrants: Sequence[Entrant], locked: Sequence[Locked | LockedPod]) -> None:
    """Raise the refusal that applies; answer nothing when the input can be paired."""
    check_entrants(entrants)
    check_locks({entrant.id for entrant in entrants}, locked)


def check_entrants(entrants: Sequence[Entrant]) -> None:
    """Raise NotEnoughEntrants, DuplicateEntrants or MeetingsDisagree."""
    if len(entrants) < 2:
        raise NotEnoughEntrants(
            f"A round needs at least 2 active players, there are {len(entrants)}. "
            "Add a player, or let one return."
        )
    twice = _repeated([entrant.id for entrant in entrants])
    if twice is not None:
        raise DuplicateEntrants(f"Player {twice} is in the field twice.")
    _check_meetings({entrant.id: entrant for entrant in entrants})


def _check_meetings(field: dict[PlayerId, Entrant]) -> None:
    for entrant in field.values():
        for opponent, roles in entrant.roles_against.items():
            other = field.get(opponent)
            if opponent == entrant.id:
                raise MeetingsDisagree(f"Player {entrant.id} has met themselves.")
            # A dropped opponent is not in the field, and has nothing to compare with.
            if other is None:
                continue
            answered = other.roles_against.get(entrant.id, ())
            if [role and role.other for role in answered] != list(roles):
                raise MeetingsDisagree(
                    f"Player {entrant.id} tells of {len(roles)} meetings with player {opponent}, "
                    f"who tells of {len(answered)}, or their roles do not fit."
                )


def check_locks(field: set[PlayerId], locked: Sequence[Locked | LockedPod]) -> None:
    """Raise LockRefused unless the locked players are in the field, and nothing is locked twice."""
    players = [player for lock in locked for player in lock.players]
    numbers = [lock.number for lock in locked if not isinstance(lock, LockedBye)]
    for player in players:
        if player not in field:
            raise LockRefused(f"Player {player} is locked but not in the field.")
    if (player_twice := _repeated(players)) is not None:
        raise LockRefused(f"Player {player_twice} is locked twice.")
    if (number_twice := _repeated(numbers)) is not None:
        raise LockRefused(f"Table {number_twice} is locked twice.")
    if any(number < 1 for number in numbers):
        raise LockRefused(f"Tables are numbered from 1, but table {min(numbers)} is locked.")


def _repeated(things: Sequence[PlayerId]) -> PlayerId | None:
    return next((thing for thing, count in Counter(things).items() if count > 1), None)
