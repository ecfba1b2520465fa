"""Answer `engine pair`: the next round of an event, with its costs, reasons and certificate."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict

from matches.scoring import Role
from tournaments.documents import field
from tournaments.documents.events import read_event
from tournaments.documents.json_text import Json
from tournaments.documents.nodes import Node
from tournaments.documents.records import Bye, Event, Table
from tournaments.documents.refusals import DocumentRefused
from tournaments.documents.rounds import first_open
from tournaments.pairing import (
    LockedBye,
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
from tournaments.systems import SystemKind


def pair(document: Json) -> Json:
    """{"round", "pairings", "cost", "relaxations", "certificate"} for an event document.

    Raise DocumentRefused for a document that is wrong, a system that is not paired round by
    round, missing results without "force", and a field that cannot be paired.
    """
    node = Node(document)
    event = read_event(node)
    if event.system.kind in _ELSEWHERE:
        raise node.under("system").refusal(_ELSEWHERE[event.system.kind])
    missing = first_open(node.under("rounds"), event.rounds) if event.rounds else None
    if missing is not None and not event.force:
        raise missing.refusal(
            "Points are missing. Enter all results of the round first; to pair without them, add "
            '"force": true, and the table counts as met, for no points.'
        )
    try:
        return {"round": event.next_round, **_ANSWERS[event.system.kind](node, event)}
    except PairingRefused as refusal:
        raise DocumentRefused(str(refusal), _path_of(refusal)) from refusal


_ELSEWHERE: Mapping[SystemKind, str] = {
    SystemKind.ELIMINATION: (
        "An elimination is not paired round by round. Give its seeds and results to "
        '"engine bracket", which says what can be played next.'
    ),
    SystemKind.MANUAL: "Rounds of this system are made by hand. Name another system to pair one.",
}


def _path_of(refusal: PairingRefused) -> str:
    if isinstance(refusal, NotEnoughEntrants):
        return "$.players"
    return "$.locked" if isinstance(refusal, LockRefused) else "$.rounds"


def _swiss(node: Node, event: Event) -> Json:
    paired = pair_round(
        field.entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        locked=list(_locks(node.under("locked"), event)),
    )
    tables = [_table(table) for table in paired.pairings]
    return _answer(paired, [*tables, *(_bye(bye) for bye in paired.byes)])


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


def _answer(paired: PairedRound, pairings: list[Json]) -> Json:
    return {
        "pairings": pairings,
        "cost": dict(paired.cost),
        "relaxations": [_reason(reason) for reason in paired.relaxations],
        "certificate": asdict(paired.certificate),
    }


def _table(table: PairedTable) -> Json:
    seats = [
        {"id": table.corp, "role": Role.CORP.value},
        {"id": table.runner, "role": Role.RUNNER.value},
    ]
    return {"table": table.number, "seats": seats, **_account(table)}


def _bye(bye: PairedBye) -> Json:
    return {"bye": bye.player, **_account(bye)}


def _account(entry: PairedTable | PairedBye) -> Json:
    return {
        "cost": dict(entry.cost),
        "reasons": [_reason(reason) for reason in entry.reasons],
        "locked": entry.locked,
    }


def _reason(reason: Reason) -> Json:
    return {"kind": reason.kind, "players": list(reason.players), "text": reason.sentence()}


_ANSWERS: Mapping[SystemKind, Callable[[Node, Event], Json]] = {SystemKind.SWISS: _swiss}
