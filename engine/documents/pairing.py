"""Answer `engine pair`: the next round of an event with costs, reasons and certificate."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace

from engine.documents import field
from engine.documents.events import read_event
from engine.documents.json_text import DocumentRefused, Json
from engine.documents.nodes import Node
from engine.documents.records import Bye, Entry, Event, Table
from engine.documents.rounds import MOST_POINTS, first_open
from engine.pairing import (
    ENGINE_VERSION,
    PROFILES,
    VERSION_2,
    LockedBye,
    LockedPod,
    LockedTable,
    LockRefused,
    NotEnoughEntrants,
    PairedBye,
    PairedRound,
    PairedTable,
    PairingRefused,
    Reason,
    pair_round,
)
from engine.pairing.pods import Pod, PodRound, seat_pods
from engine.pairing.round_robin import NotInTheOrder, cycles_in, round_robin_round, rounds_needed
from engine.standings import PlayerId
from engine.standings.records import lots
from engine.systems import SystemKind
from matches.scoring import Role

ELSEWHERE: Mapping[SystemKind, str] = {
    SystemKind.ELIMINATION: (
        "An elimination is not paired round by round. Give its seeds and results to "
        '"engine bracket", which says what can be played next.'
    ),
    SystemKind.MANUAL: "Rounds of this system are made by hand. Name another system to pair one.",
}


def pair(document: Json, engine_version: str = ENGINE_VERSION) -> Json:
    """Return {"round", "pairings", "cost", "relaxations", "notes", "certificate"}.

    With an older `engine_version` the answer is the same as in that version. Raise DocumentRefused
    for an invalid document or a field that cannot be paired. It is also raised for missing results
    without "force", and for a system without paired rounds.
    """
    node = Node(document)
    event = read_event(node)
    if event.system.kind in ELSEWHERE:
        raise node.under("system").refusal(ELSEWHERE[event.system.kind])
    _check_results(node.under("rounds"), event)
    try:
        make = ROUNDS[event.system.kind]
        return {"round": event.next_round, **make(node, event, engine_version)}
    except PairingRefused as refusal:
        raise DocumentRefused(str(refusal), _path_of(refusal)) from refusal


def _check_results(node: Node, event: Event) -> None:
    missing = first_open(node, event.rounds)
    if missing is not None and not event.force:
        raise missing.refusal(
            "Points are missing. Enter all results of the round first; to pair without them, add "
            '"force": true, and the table counts as met, for no points.'
        )


def _path_of(refusal: PairingRefused) -> str:
    if isinstance(refusal, NotEnoughEntrants | NotInTheOrder):
        return "$.players"
    return "$.locked" if isinstance(refusal, LockRefused) else "$.rounds"


def _swiss_round(node: Node, event: Event, engine_version: str) -> Json:
    """Pair the next Swiss round. Raise PairingRefused."""
    is_old = engine_version == VERSION_2
    paired = pair_round(
        field.entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        profile=PROFILES[event.system.id] if is_old else field.profile(event),
        planned_rounds=event.planned_rounds,
        locked=list(_locks(node.under("locked"), event)),
        engine_version=engine_version,
    )
    return _answer(paired, map(_table, paired.pairings), paired.notes)


def _locks(node: Node, event: Event) -> Iterator[LockedTable | LockedBye]:
    for place, entry in enumerate(event.locked):
        if isinstance(entry, Bye):
            yield LockedBye(entry.player)
        else:
            yield _locked_table(Node(node.value[place], node, place), entry)


def _locked_table(node: Node, table: Table) -> LockedTable:
    corp, runner = table.seat_with(Role.CORP), table.seat_with(Role.RUNNER)
    if corp is None or runner is None:
        raise node.under("seats").refusal("A locked table needs roles. Say who is Corp.")
    return LockedTable(table.number, corp.id, runner.id)


def _pods_round(_node: Node, event: Event, engine_version: str) -> Json:
    """Seat the next round in pods. Raise PairingRefused."""
    seated = seat_pods(
        field.entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        point_unit=event.point_unit,
        locked=[_lock(entry) for entry in event.locked],
        engine_version=engine_version,
    )
    return _answer(seated, map(_pod, seated.pods))


def _lock(entry: Entry) -> LockedPod | LockedBye:
    if isinstance(entry, Bye):
        return LockedBye(entry.player)
    return LockedPod(entry.number, entry.players)


def _pod(pod: Pod) -> Json:
    seats = [{"id": player, "role": None} for player in pod.seats]
    return {"table": pod.number, "seats": seats, **_account(pod)}


def _round_robin(node: Node, event: Event, _engine_version: str) -> Json:
    """Return the next round of the fixed schedule. Raise PairingRefused; DocumentRefused for locks.

    If more rounds are planned than a single cycle takes, there are more cycles.
    """
    if event.locked:
        raise node.under("locked").refusal(
            "The table of a round robin is fixed, so nothing can be locked. Remove the locks."
        )
    order = order_of(event)
    paired = round_robin_round(
        order,
        event.next_round,
        active={player.id for player in event.active},
        cycles=cycles_in(event.planned_rounds or 0, len(order)),
    )
    cycle = rounds_needed(len(order))
    relaxations = (*paired.relaxations, *_met_before(event, paired, cycle))
    return _answer(replace(paired, relaxations=relaxations), map(_table, paired.pairings))


def order_of(event: Event) -> list[PlayerId]:
    """Return the players of round 1, seeds first and then by draw: the same in every round."""
    began = {player.id for player in event.active}
    if event.rounds:
        began = {player for entry in event.rounds[0] for player in entry.players}
    seeds = {player.id: player.seed for player in event.players if player.id in began}
    drawn = lots(seeds, event.seed)
    by_lot = sorted(seeds, key=drawn.__getitem__)
    return sorted(by_lot, key=lambda player: seeds[player] or MOST_POINTS + 1)


def _met_before(event: Event, paired: PairedRound, cycle: int) -> Iterator[Reason]:
    """Yield rematches caused by rounds made by hand or by another order."""
    past = {entrant.id: entrant for entrant in field.entrants(event)}
    meant = (event.next_round - 1) // cycle
    for table in paired.pairings:
        if len(past[table.corp].roles_against.get(table.runner, ())) > meant:
            text = "{0} and {1} meet again: they have met outside the fixed table."
            yield Reason("rematch", (table.corp, table.runner), text)


ROUNDS: Mapping[SystemKind, Callable[[Node, Event, str], Json]] = {
    SystemKind.SWISS: _swiss_round,
    SystemKind.PODS: _pods_round,
    SystemKind.ROUND_ROBIN: _round_robin,
}


def _answer(
    round_: PairedRound | PodRound, tables: Iterable[Json], notes: Iterable[Reason] = ()
) -> Json:
    """Build the answer of `pair`: tables by number, then byes."""
    return {
        "pairings": [*tables, *map(_bye, round_.byes)],
        "cost": dict(round_.cost),
        "relaxations": _reasons(round_.relaxations),
        "notes": _reasons(notes),
        "certificate": asdict(round_.certificate),
    }


def _table(entry: PairedTable) -> Json:
    seats = [
        {"id": entry.corp, "role": Role.CORP.value},
        {"id": entry.runner, "role": Role.RUNNER.value},
    ]
    return {"table": entry.number, "seats": seats, **_account(entry)}


def _bye(entry: PairedBye) -> Json:
    return {"bye": entry.player, **_account(entry)}


def _account(entry: PairedTable | PairedBye | Pod) -> Json:
    return {
        "cost": dict(entry.cost),
        "reasons": _reasons(entry.reasons),
        "locked": entry.locked,
    }


def _reasons(reasons: Iterable[Reason]) -> list[Json]:
    """Return each reason with its players and as a sentence."""
    return [
        {"kind": reason.kind, "players": list(reason.players), "text": reason.sentence()}
        for reason in reasons
    ]
