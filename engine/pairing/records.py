"""Input, output and refusals of the pairing engine.

Entrants go in; tables and byes with their reasons come out. A certificate records the input of a
round, so that the round can be made again and compared.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from core.errors import Refusal
from engine.standings.records import AnyId, PlayerId, id_order, opponents_at
from matches.scoring.results import Role

# Cost by level, heaviest level first.
Cost: TypeAlias = Mapping[str, int]

VERSION_2 = "2"
# Increase this whenever the same document and seed may give another round. Version 3 can avoid
# second meetings of a single game, and looks ahead as far as the field allows. It also has fewer
# repeated table-mates in pods. A certificate states the oldest version whose rules give its round.
# A round that none of the new rules affects therefore has an unchanged certificate.
ENGINE_VERSION = "3"
REPLAYABLE_VERSIONS = (VERSION_2, ENGINE_VERSION)


@dataclass(frozen=True)
class PastMeeting:
    opponent: PlayerId
    # The player's own role in game 1.
    role: Role | None = None
    # Mentioned in reasons, if known.
    round_number: int | None = None


@dataclass(frozen=True)
class PastSeat:
    # 1 is first.
    seat: int
    size: int
    # Size of the largest pod of that round.
    largest: int

    @property
    def was_short(self) -> bool:
        return self.size < self.largest


def meetings_at_table(
    roles: Mapping[AnyId, Role | None], round_number: int
) -> Iterator[tuple[AnyId, PastMeeting]]:
    """Yield each meeting at a table, by player; `roles` are those of game 1."""
    for player, opponents in opponents_at(roles).items():
        for opponent in opponents:
            yield player, PastMeeting(opponent, roles[player], round_number)


def seats_in_pods(pods: Sequence[Sequence[AnyId]]) -> Iterator[tuple[AnyId, PastSeat]]:
    """Yield each player's seat in the pods of a round, which are in seat order."""
    largest = max(map(len, pods), default=0)
    for pod in pods:
        for seat, player in enumerate(pod, start=1):
            yield player, PastSeat(seat, len(pod), largest)


@dataclass(frozen=True)
class Entrant:
    id: PlayerId
    match_points: int = 0
    # Past byes, including first-round byes.
    byes: int = 0
    # Every past meeting, earliest first; in pods one without a role for each table-mate.
    opponents: tuple[PastMeeting, ...] = ()
    first_round_bye: bool = False
    # Order of the fold of round 1; 1 is the best.
    seed: int | None = None
    # Players of the same group are kept apart if possible.
    avoid_group: str | None = None
    # Past pods.
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
        return sum(meeting.role is Role.CORP for meeting in self.opponents)

    @cached_property
    def balance(self) -> int:
        """Corp minus Runner over all meetings with a known role, without byes."""
        runner = sum(meeting.role is Role.RUNNER for meeting in self.opponents)
        return self.corp_first - runner


@dataclass(frozen=True)
class LockedTable:
    """A table that stays while the rest is paired again, with the roles of game 1."""

    number: int
    corp: PlayerId
    runner: PlayerId

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return self.corp, self.runner


@dataclass(frozen=True)
class LockedPod:
    """A pod that stays, in its seat order, while the rest is seated again."""

    number: int
    seats: tuple[PlayerId, ...]

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return self.seats


@dataclass(frozen=True)
class LockedBye:
    player: PlayerId

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return (self.player,)


Locked: TypeAlias = LockedTable | LockedBye


@dataclass(frozen=True)
class PairingReason:
    """A reason or warning as data; `reason_texts` has the English texts of the documents."""

    # The rule or subject; several codes can have the same kind.
    kind: str
    players: tuple[PlayerId, ...]
    # Names the sentence.
    code: str
    # JSON values of the sentence. "details" has the codes of further sentences, and "harmed" has
    # places in `players`.
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PairedTable:
    number: int
    # Roles of game 1.
    corp: PlayerId
    runner: PlayerId
    cost: Cost
    reasons: tuple[PairingReason, ...]
    locked: bool = False


@dataclass(frozen=True)
class PairedBye:
    player: PlayerId
    cost: Cost
    reasons: tuple[PairingReason, ...]
    locked: bool = False


@dataclass(frozen=True)
class Certificate:
    """Proof of a round's input: the same document and seed give the same round again."""

    # SHA-256 of the input as canonical JSON.
    document: str
    seed: int
    engine_version: str
    cost: Cost
    # SHA-256 of the preceding fields.
    digest: str


@dataclass(frozen=True)
class PairedRound:
    pairings: tuple[PairedTable, ...]
    byes: tuple[PairedBye, ...]
    # Sum over the engine's choices, without locked tables and given byes.
    cost: Cost
    # Broken rules, heaviest first.
    relaxations: tuple[PairingReason, ...]
    certificate: Certificate
    # On planned rounds that cannot surely be kept free of rematches.
    notes: tuple[PairingReason, ...] = ()


def settled_byes(
    field: Sequence[Entrant], locked: Sequence[Locked | LockedPod], round_number: int
) -> Iterator[tuple[Entrant, PairingReason, bool]]:
    """Yield (player, reason, is locked) of locked byes and byes promised for round 1, by id."""
    by_lock = {lock.player for lock in locked if isinstance(lock, LockedBye)}
    bound = {player for lock in locked for player in lock.players}
    for entrant in sorted(field, key=lambda entrant: id_order(entrant.id)):
        if entrant.id in by_lock:
            yield entrant, PairingReason("locked", (entrant.id,), "locked_bye"), True
        # A lock takes precedence over a promise.
        elif round_number == 1 and entrant.first_round_bye and entrant.id not in bound:
            yield entrant, PairingReason("first_round_bye", (entrant.id,), "first_round_bye"), False


class WithReasons(Protocol):
    @property
    def reasons(self) -> tuple[PairingReason, ...]: ...


def broken_rules(
    explained: Iterable[WithReasons], rules: Sequence[str]
) -> tuple[PairingReason, ...]:
    """Return the reasons that name a broken rule, heaviest rule first."""
    weight = {rule: place for place, rule in enumerate(rules)}
    broken = [reason for item in explained for reason in item.reasons if reason.kind in weight]
    return tuple(sorted(broken, key=lambda reason: weight[reason.kind]))


def make_certificate(
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
    """`engine_version` is the oldest version whose rules give the round."""
    document = _sha256(
        {
            "profile": profile,
            "round": round_number,
            "planned_rounds": planned_rounds,
            "entrants": [
                asdict(entrant) for entrant in sorted(entrants, key=lambda item: id_order(item.id))
            ],
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
    pass


class NotEnoughEntrants(PairingRefused):
    pass


class DuplicateEntrants(PairingRefused):
    pass


class MeetingsDisagree(PairingRefused):
    pass


class LockRefused(PairingRefused):
    pass


class PointsTooLarge(PairingRefused):
    """The points are too far apart for exact arithmetic in the matching."""


def check_input(entrants: Sequence[Entrant], locked: Sequence[Locked | LockedPod]) -> None:
    """Raise a PairingRefused if the input cannot be paired."""
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
            met = field.get(opponent)
            if opponent == entrant.id:
                raise MeetingsDisagree(f"Player {entrant.id} has met themselves.")
            # A dropped opponent is not in the field, so there is nothing to compare.
            if met is None:
                continue
            answered = met.roles_against.get(entrant.id, ())
            if [role and role.other for role in answered] != list(roles):
                raise MeetingsDisagree(
                    f"Player {entrant.id} has {len(roles)} meetings with player {opponent}, who "
                    f"has {len(answered)} with them, or their roles do not fit."
                )


def check_locks(field: set[PlayerId], locked: Sequence[Locked | LockedPod]) -> None:
    """Raise LockRefused."""
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
