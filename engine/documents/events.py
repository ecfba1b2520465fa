"""The event document (docs/reference/engine.md): its records and a strict reader, and conversion
for pairing and standings.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.documents.json_text import DocumentNode, DocumentRefused
from engine.pairing.costs import avoids_second_meetings
from engine.pairing.pods import LARGEST_POD, SMALLEST_POD
from engine.pairing.records import Entrant, PastMeeting, PastSeat, meetings_at_table, seats_in_pods
from engine.standings.records import Bye as ByeRecord
from engine.standings.records import (
    PlayerId,
    RoundRecord,
    SeatResult,
    StandingsRecord,
    table_entries,
)
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS, System, SystemKind
from matches.scoring.results import Role


@dataclass(frozen=True)
class DocumentPlayer:
    id: PlayerId
    active: bool = True
    first_round_bye: bool = False
    # Folds round 1, and is the manual seed of the standings.
    seed: int | None = None
    group: str | None = None


@dataclass(frozen=True)
class DocumentSeat:
    id: PlayerId
    role: Role | None = None
    # None before the table is played.
    points: int | None = None
    games_won: int = 0
    # None for unknown games.
    agenda_points: int | None = None
    # None outside pods.
    victory_points: int | None = None


@dataclass(frozen=True)
class DocumentTable:
    number: int
    seats: tuple[DocumentSeat, ...]

    @property
    def is_open(self) -> bool:
        return any(seat.points is None for seat in self.seats)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(seat.id for seat in self.seats)


@dataclass(frozen=True)
class DocumentBye:
    player: PlayerId
    # None if missing.
    points: int | None = None

    @property
    def is_open(self) -> bool:
        return self.points is None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return (self.player,)


DocumentEntry: TypeAlias = DocumentTable | DocumentBye
DocumentRound: TypeAlias = tuple[DocumentEntry, ...]


def is_round_closed(round_: DocumentRound) -> bool:
    return not any(entry.is_open for entry in round_)


@dataclass(frozen=True)
class Event:
    system: System
    seed: int = 0
    planned_rounds: int | None = None
    # If None, the planned rounds decide.
    avoid_second_meetings: bool | None = None
    players: tuple[DocumentPlayer, ...] = ()
    rounds: tuple[DocumentRound, ...] = ()
    # Tables and byes that stay in the next round.
    locked: DocumentRound = ()
    tie_breakers: tuple[str, ...] = DEFAULT_TIE_BREAKERS
    # Pair before all results are in.
    force: bool = False
    # Standings after this round.
    as_of_round: int | None = None
    # Points in the document that make one point, for shared places.
    point_unit: int = 1

    @property
    def active(self) -> tuple[DocumentPlayer, ...]:
        return tuple(player for player in self.players if player.active)

    @property
    def entered(self) -> int:
        """The number of players who play or have played, without no-shows."""
        ids = {player.id for player in self.active}
        ids.update(player for round_ in self.rounds for entry in round_ for player in entry.players)
        return len(ids)

    @property
    def avoids_second_meetings(self) -> bool:
        return avoids_second_meetings(
            self.avoid_second_meetings, players=self.entered, planned_rounds=self.planned_rounds
        )

    @property
    def next_round(self) -> int:
        return len(self.rounds) + 1

    @property
    def closed_rounds(self) -> tuple[DocumentRound, ...]:
        """Only the last round can be incomplete."""
        return tuple(round_ for round_ in self.rounds if is_round_closed(round_))


# Reader of the rounds of an event: seats, roles and points.


# Limit of players times rounds, the work of pairing and standings.
MAX_PLAYER_ROUNDS = 2_000_000
MAX_TABLES = 100_000
MAX_POINTS = 1_000_000

TABLE_KEYS = ("table", "seats")
BYE_KEYS = ("bye", "points")
SEAT_KEYS = ("id", "role", "points", "games_won", "agenda_points", "victory_points")
ROLE_VALUES = tuple(role.value for role in Role)


def read_rounds(
    node: DocumentNode, system: System, players: Collection[PlayerId]
) -> tuple[DocumentRound, ...]:
    """Return all rounds. Only the last round may be without points."""
    if not node.is_set():
        return ()
    nodes = list(node.items())
    check_work(node, players=len(players), rounds=len(nodes))
    rounds = tuple(read_round(inner, system, players) for inner in nodes)
    missing = first_open_place(node, rounds[:-1])
    if missing is not None:
        raise missing.refusal(
            "Points are missing, and this round is not the last. Enter them: only the last round "
            "may be without."
        )
    return rounds


def check_work(node: DocumentNode, *, players: int, rounds: int) -> None:
    """Refuse more rounds than can be processed for this number of players."""
    if players * rounds > MAX_PLAYER_ROUNDS:
        raise node.refusal(
            f"{players:,} players in {rounds:,} rounds are {players * rounds:,} places, more than "
            f"the {MAX_PLAYER_ROUNDS:,} that can be worked through. With these players at most "
            f"{MAX_PLAYER_ROUNDS // players:,} rounds are possible."
        )


def read_round(node: DocumentNode, system: System, players: Collection[PlayerId]) -> DocumentRound:
    reader = _RoundReader(system, players)
    return tuple(reader.entry(inner) for inner in node.items(most=MAX_TABLES))


def first_open_place(node: DocumentNode, rounds: Sequence[DocumentRound]) -> DocumentNode | None:
    """Return the first place without points in "rounds", which is `node`."""
    if not rounds:
        return None
    for inner, round_ in zip(node.items(), rounds, strict=False):
        for place, entry in zip(inner.items(), round_, strict=True):
            if isinstance(entry, DocumentBye) and entry.is_open:
                return place.under("points")
            if entry.is_open:
                return next(place.under("seats").items()).under("points")
    return None


class _RoundReader:
    """Reader of a round that tracks seated players and used table numbers."""

    def __init__(self, system: System, players: Collection[PlayerId]) -> None:
        self.system = system
        self.in_pods = system.kind is SystemKind.PODS
        self.players = players
        self.doing: dict[PlayerId, str] = {}
        self.numbers: set[int] = set()

    def entry(self, node: DocumentNode) -> DocumentEntry:
        if isinstance(node.value, dict) and "bye" in node.value:
            node.object_of(BYE_KEYS)
            return DocumentBye(self._player(node.under("bye"), "has a bye"), _read_points(node))
        node.object_of(("bye", *TABLE_KEYS), needed=TABLE_KEYS)
        at = node.under("table")
        number = at.integer(1, MAX_TABLES)
        if number in self.numbers:
            raise at.refusal(f"Table {number} is in this round twice. Give one another number.")
        self.numbers.add(number)
        return DocumentTable(number, self._seats(node.under("seats"), number))

    def _seats(self, node: DocumentNode, number: int) -> tuple[DocumentSeat, ...]:
        nodes = list(node.items())
        least, most = (SMALLEST_POD, LARGEST_POD) if self.in_pods else (2, 2)
        if not least <= len(nodes) <= most:
            wanted = f"{least} to {most}" if self.in_pods else str(least)
            raise node.refusal(
                f'A table of the system "{self.system.id}" has {wanted} seats, but table {number} '
                f"has {len(nodes)}. Add or remove seats, or name another system."
            )
        seats = tuple(self._seat(inner, number) for inner in nodes)
        if not self.in_pods:
            _check_roles(nodes, seats)
        _check_points(nodes, seats)
        return seats

    def _seat(self, node: DocumentNode, number: int) -> DocumentSeat:
        node.object_of(SEAT_KEYS, needed=("id",))
        player = self._player(node.under("id"), f"sits at table {number}")
        role = node.under("role")
        agenda_points, victory_points = node.under("agenda_points"), node.under("victory_points")
        if self.in_pods and role.is_set():
            raise role.refusal("Pods have no roles. Remove the role.")
        if self.in_pods and agenda_points.is_set():
            raise agenda_points.refusal("Pods have no agenda points. Remove them.")
        if not self.in_pods and victory_points.is_set():
            raise victory_points.refusal("Only pods have victory points. Remove them.")
        return DocumentSeat(
            id=player,
            role=Role(role.one_of(ROLE_VALUES)) if role.is_set() else None,
            points=_read_points(node),
            games_won=node.under("games_won").optional_integer(0, MAX_POINTS) or 0,
            agenda_points=agenda_points.optional_integer(0, MAX_POINTS),
            victory_points=victory_points.optional_integer(0, MAX_POINTS),
        )

    def _player(self, node: DocumentNode, doing: str) -> PlayerId:
        player = node.player_id()
        if player not in self.players:
            raise unknown_player(node)
        if player in self.doing:
            raise node.refusal(
                f"Player {node.shown()} {doing}, but already {self.doing[player]} in this round. "
                "Remove one of them."
            )
        self.doing[player] = doing
        return player


def unknown_player(node: DocumentNode) -> DocumentRefused:
    return node.refusal(
        f'Player {node.shown()} is not in "players". Add the player, or correct the id.'
    )


def _check_roles(nodes: Sequence[DocumentNode], seats: Sequence[DocumentSeat]) -> None:
    first, second = seats
    if (first.role is None) is not (second.role is None):
        silent = nodes[0] if first.role is None else nodes[1]
        raise silent.under("role").refusal(
            "The other seat has a role. Give this one the other role, or remove both."
        )
    if first.role is not None and first.role is second.role:
        twice, free = first.role.label, first.role.other.label
        raise nodes[1].under("role").refusal(f"Both seats are {twice}. Make one of them {free}.")


def _check_points(nodes: Sequence[DocumentNode], seats: Sequence[DocumentSeat]) -> None:
    silent = [node for node, seat in zip(nodes, seats, strict=True) if seat.points is None]
    if silent and len(silent) < len(seats):
        at = silent[0].under("points")
        raise at.refusal(
            "Another seat of this table has points. Give points to every seat, or to none while "
            "the table is at play."
        )


def _read_points(node: DocumentNode) -> int | None:
    return node.under("points").optional_integer(-MAX_POINTS, MAX_POINTS)


# Strict reader of event documents (docs/reference/engine.md).


MAX_PLAYERS = 10_000
# "standings", "cut" and "event" are answers: they may stay in the document and are ignored.
EVENT_KEYS = (
    "datafort",
    "name",
    "system",
    "seed",
    "planned_rounds",
    "avoid_second_meetings",
    "players",
    "rounds",
    "locked",
    "tie_breakers",
    "force",
    "as_of_round",
    "point_unit",
    "standings",
    "cut",
    "event",
)
PLAYER_KEYS = ("id", "name", "active", "first_round_bye", "seed", "group")


def read_event(node: DocumentNode, more: Sequence[str] = ()) -> Event:
    """Return the event of a document, which may also have the keys in `more`.

    Raise DocumentRefused with the path of the first fault.
    """
    check_version(node)
    node.object_of((*EVENT_KEYS, *more), needed=("system", "players"))
    _check_name(node)
    system = read_system(node)
    players = read_players(node.under("players"))
    ids = {player.id for player in players}
    rounds = read_rounds(node.under("rounds"), system, ids)
    return Event(
        system=system,
        seed=read_seed(node),
        planned_rounds=_read_planned_rounds(node.under("planned_rounds"), len(players)),
        avoid_second_meetings=_read_avoid_second_meetings(
            node.under("avoid_second_meetings"), system
        ),
        players=players,
        rounds=rounds,
        locked=_read_locked(node.under("locked"), system, players),
        tie_breakers=_read_tie_breakers(node.under("tie_breakers")),
        force=node.under("force").flag(),
        as_of_round=_read_as_of_round(node.under("as_of_round"), rounds),
        point_unit=node.under("point_unit").optional_integer(1, MAX_POINTS) or 1,
    )


def read_players(node: DocumentNode) -> tuple[DocumentPlayer, ...]:
    players = []
    known: set[PlayerId] = set()
    for inner in node.items(most=MAX_PLAYERS):
        player = _read_player(inner)
        if player.id in known:
            id_ = inner.under("id")
            raise id_.refusal(f"Player {id_.shown()} is listed twice. Remove one.")
        known.add(player.id)
        players.append(player)
    return tuple(players)


def _read_player(node: DocumentNode) -> DocumentPlayer:
    node.object_of(PLAYER_KEYS, needed=("id",))
    _check_name(node)
    active, group = node.under("active"), node.under("group")
    return DocumentPlayer(
        id=node.under("id").player_id(),
        active=active.flag() if active.is_set() else True,
        first_round_bye=node.under("first_round_bye").flag(),
        seed=node.under("seed").optional_integer(1, MAX_POINTS),
        group=str(group.player_id()) if group.is_set() else None,
    )


def _check_name(node: DocumentNode) -> None:
    # Names are only for human readers.
    name = node.under("name")
    if name.is_set():
        name.text()


def _read_locked(
    node: DocumentNode, system: System, players: Collection[DocumentPlayer]
) -> DocumentRound:
    """Return the locked tables and byes of the next round. All their players must be active."""
    if not node.is_set():
        return ()
    active = {player.id: player.active for player in players}
    locked = read_round(node, system, active)
    for inner, entry in zip(node.items(), locked, strict=True):
        if isinstance(entry, DocumentBye):
            ids = [inner.under("bye")]
        else:
            ids = [seat.under("id") for seat in inner.under("seats").items()]
        for id_, player in zip(ids, entry.players, strict=True):
            if not active[player]:
                raise id_.refusal(
                    f"Player {player} is not active and cannot keep a place in the next round. "
                    "Let the player return, or unlock the table."
                )
    return locked


def _read_tie_breakers(node: DocumentNode) -> tuple[str, ...]:
    if not node.is_set():
        return DEFAULT_TIE_BREAKERS
    chosen: list[str] = []
    for inner in node.items(least=1):
        word = inner.one_of(TIE_BREAKERS)
        if word in chosen:
            raise inner.refusal(f'"{word}" is listed twice. Remove one.')
        chosen.append(word)
    return tuple(chosen)


def _read_planned_rounds(node: DocumentNode, players: int) -> int | None:
    if not node.is_set():
        return None
    planned = node.integer(1, MAX_PLAYER_ROUNDS)
    check_work(node, players=players, rounds=planned)
    return planned


def _read_avoid_second_meetings(node: DocumentNode, system: System) -> bool | None:
    if not node.is_set():
        return None
    if system.id != "single":
        raise node.refusal(
            f'The system "{system.id}" has no choice about second meetings; only "single" has. '
            "Remove the key."
        )
    return node.flag()


def _read_as_of_round(node: DocumentNode, rounds: Collection[DocumentRound]) -> int | None:
    if not node.is_set():
        return None
    closed = sum(is_round_closed(round_) for round_ in rounds)
    number = node.integer(0, MAX_PLAYER_ROUNDS)
    if number > closed:
        raise node.refusal(
            f"Rounds with all their results: {closed}. Write a number up to {closed}."
        )
    return number


DOCUMENT_VERSION = 1
LARGEST_SEED = 2**63 - 1


def check_version(node: DocumentNode, *, needed: bool = True) -> None:
    """Refuse a value that is not an object, and a document of a newer version."""
    if not isinstance(node.value, dict):
        raise node.refusal(f"A document is an object, not {node.shown()}.")
    version = node.under("datafort")
    if not version.is_set():
        if needed:
            raise version.refusal(f'The version is missing. Add "datafort": {DOCUMENT_VERSION}.')
    elif version.integer(1, LARGEST_SEED) > DOCUMENT_VERSION:
        raise version.refusal(
            f"This document was made by a later version ({version.value}); {DOCUMENT_VERSION} is "
            "the newest known here. Update Datafort."
        )


def read_system(node: DocumentNode) -> System:
    return SYSTEMS[node.under("system").one_of(SYSTEMS)]


def read_seed(node: DocumentNode) -> int:
    """Return the seed of all random draws; 0 by default."""
    return node.under("seed").optional_integer(0, LARGEST_SEED) or 0


# Conversion to the records that pairing and standings use


def standings_records(event: Event, rounds: Sequence[DocumentRound]) -> list[StandingsRecord]:
    """None where a player was not paired."""
    rows: dict[PlayerId, list[RoundRecord]] = {
        player.id: [None] * len(rounds) for player in event.players
    }
    for place, round_ in enumerate(rounds):
        for player, entry in _round_entries(round_):
            rows[player][place] = entry
    # An inactive player who played in a later round has not dropped yet.
    later = {
        player for round_ in event.rounds[len(rounds) :] for player, _ in _round_entries(round_)
    }
    return [
        StandingsRecord(
            player.id,
            tuple(rows[player.id]),
            manual_seed=player.seed,
            has_dropped=not player.active and player.id not in later,
        )
        for player in event.players
    ]


def _round_entries(round_: DocumentRound) -> Iterator[tuple[PlayerId, RoundRecord]]:
    for entry in round_:
        if isinstance(entry, DocumentBye):
            yield entry.player, ByeRecord(entry.points or 0)
        else:
            yield from table_entries(
                {
                    seat.id: SeatResult(
                        seat.points or 0, seat.games_won, seat.agenda_points, seat.victory_points
                    )
                    for seat in entry.seats
                }
            ).items()


def pairing_entrants(event: Event) -> list[Entrant]:
    """Return the active players with their past, earliest meeting first."""
    past = {record.id: record for record in standings_records(event, event.rounds)}
    met, sat = _past_meetings(event), _past_seats(event)
    return [
        Entrant(
            id=player.id,
            # Whole, like all points of a document.
            match_points=int(past[player.id].match_points),
            byes=past[player.id].byes,
            opponents=tuple(met[player.id]),
            first_round_bye=player.first_round_bye,
            seed=player.seed,
            avoid_group=player.group,
            seats=tuple(sat[player.id]),
        )
        for player in event.active
    ]


def _past_meetings(event: Event) -> dict[PlayerId, list[PastMeeting]]:
    # A table without points, which only a forced pairing accepts, also counts as a meeting.
    met: dict[PlayerId, list[PastMeeting]] = {player.id: [] for player in event.players}
    for number, round_ in enumerate(event.rounds, start=1):
        for table in _tables_of_round(round_):
            for player, meeting in meetings_at_table(
                {seat.id: seat.role for seat in table.seats}, number
            ):
                met[player].append(meeting)
    return met


def _past_seats(event: Event) -> dict[PlayerId, list[PastSeat]]:
    """Return everybody's past seats in pods. Tables with two roles have no seat order."""
    sat: dict[PlayerId, list[PastSeat]] = {player.id: [] for player in event.players}
    if event.system.kind is not SystemKind.PODS:
        return sat
    for round_ in event.rounds:
        for player, seat in seats_in_pods([table.players for table in _tables_of_round(round_)]):
            sat[player].append(seat)
    return sat


def _tables_of_round(round_: DocumentRound) -> list[DocumentTable]:
    return [entry for entry in round_ if isinstance(entry, DocumentTable)]
