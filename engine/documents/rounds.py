"""Reader of the rounds of an event: seats, roles and points."""

from collections.abc import Collection, Sequence

from engine.documents.nodes import Node
from engine.documents.records import Bye, Entry, Round, Seat, Table
from engine.standings import PlayerId
from engine.systems import System, SystemKind
from matches.scoring import Role

# Limit of players times rounds, the work of pairing and standings.
MOST_PLACES = 2_000_000
MOST_TABLES = 100_000
MOST_POINTS = 1_000_000

TABLE_KEYS = ("table", "seats")
BYE_KEYS = ("bye", "points")
SEAT_KEYS = ("id", "role", "points", "games_won", "agenda_points", "victory_points")
ROLES = tuple(role.value for role in Role)
POD_SIZES = (2, 5)


def read_rounds(node: Node, system: System, players: Collection[PlayerId]) -> tuple[Round, ...]:
    """Return all rounds. Only the last round may be without points."""
    if not node.is_set():
        return ()
    nodes = list(node.items())
    check_work(node, players=len(players), rounds=len(nodes))
    rounds = tuple(read_round(inner, system, players) for inner in nodes)
    missing = first_open(node, rounds[:-1])
    if missing is not None:
        raise missing.refusal(
            "Points are missing, and this round is not the last. Enter them: only the last round "
            "may be without."
        )
    return rounds


def check_work(node: Node, *, players: int, rounds: int) -> None:
    """Refuse more rounds than can be processed for this number of players."""
    if players * rounds > MOST_PLACES:
        raise node.refusal(
            f"{players:,} players in {rounds:,} rounds are {players * rounds:,} places, more than "
            f"the {MOST_PLACES:,} that can be worked through. With these players at most "
            f"{MOST_PLACES // players:,} rounds are possible."
        )


def read_round(node: Node, system: System, players: Collection[PlayerId]) -> Round:
    """Return a round. Refuse repeated players and table numbers."""
    reader = _RoundReader(system, players)
    return tuple(reader.entry(inner) for inner in node.items(most=MOST_TABLES))


def first_open(node: Node, rounds: Sequence[Round]) -> Node | None:
    """Return the first place without points in "rounds", which is `node`."""
    if not rounds:
        return None
    for inner, round_ in zip(node.items(), rounds, strict=False):
        for place, entry in zip(inner.items(), round_, strict=True):
            if isinstance(entry, Bye) and entry.is_open:
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

    def entry(self, node: Node) -> Entry:
        if isinstance(node.value, dict) and "bye" in node.value:
            node.object_of(BYE_KEYS)
            return Bye(self._player(node.under("bye"), "has a bye"), _points(node))
        node.object_of(("bye", *TABLE_KEYS), needed=TABLE_KEYS)
        number = self._number(node.under("table"))
        return Table(number, self._seats(node.under("seats"), number))

    def _number(self, node: Node) -> int:
        number = node.integer(1, MOST_TABLES)
        if number in self.numbers:
            raise node.refusal(f"Table {number} is in this round twice. Give one another number.")
        self.numbers.add(number)
        return number

    def _seats(self, node: Node, number: int) -> tuple[Seat, ...]:
        nodes = list(node.items())
        least, most = POD_SIZES if self.in_pods else (2, 2)
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

    def _seat(self, node: Node, number: int) -> Seat:
        node.object_of(SEAT_KEYS, needed=("id",))
        return Seat(
            id=self._player(node.under("id"), f"sits at table {number}"),
            role=self._role(node.under("role")),
            points=_points(node),
            games_won=node.under("games_won").optional_integer(0, MOST_POINTS) or 0,
            agenda_points=self._agenda_points(node.under("agenda_points")),
            victory_points=self._victory_points(node.under("victory_points")),
        )

    def _role(self, node: Node) -> Role | None:
        if not node.is_set():
            return None
        if self.in_pods:
            raise node.refusal("Pods have no roles. Remove the role.")
        return Role(node.one_of(ROLES))

    def _agenda_points(self, node: Node) -> int | None:
        if self.in_pods and node.is_set():
            raise node.refusal("Pods have no agenda points. Remove them.")
        return node.optional_integer(0, MOST_POINTS)

    def _victory_points(self, node: Node) -> int | None:
        if not self.in_pods and node.is_set():
            raise node.refusal("Only pods have victory points. Remove them.")
        return node.optional_integer(0, MOST_POINTS)

    def _player(self, node: Node, doing: str) -> PlayerId:
        player = node.player_id()
        if player not in self.players:
            raise node.refusal(
                f'Player {node.shown()} is not in "players". Add the player, or correct the id.'
            )
        if player in self.doing:
            raise node.refusal(
                f"Player {node.shown()} {doing}, but already {self.doing[player]} in this round. "
                "Remove one of them."
            )
        self.doing[player] = doing
        return player


def _check_roles(nodes: Sequence[Node], seats: Sequence[Seat]) -> None:
    first, second = seats
    if (first.role is None) is not (second.role is None):
        silent = nodes[0] if first.role is None else nodes[1]
        raise silent.under("role").refusal(
            "The other seat has a role. Give this one the other role, or remove both."
        )
    if first.role is not None and first.role is second.role:
        twice, free = first.role.label, first.role.other.label
        raise nodes[1].under("role").refusal(f"Both seats are {twice}. Make one of them {free}.")


def _check_points(nodes: Sequence[Node], seats: Sequence[Seat]) -> None:
    silent = [node for node, seat in zip(nodes, seats, strict=True) if seat.points is None]
    if silent and len(silent) < len(seats):
        at = silent[0].under("points")
        raise at.refusal(
            "Another seat of this table has points. Give points to every seat, or to none while "
            "the table is at play."
        )


def _points(node: Node) -> int | None:
    return node.under("points").optional_integer(-MOST_POINTS, MOST_POINTS)
