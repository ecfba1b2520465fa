"""Answer `engine pair`: the next round of an event, with its costs, reasons and certificate."""

from collections.abc import Callable, Mapping

from tournaments.documents.events import read_event
from tournaments.documents.json_text import Json
from tournaments.documents.nodes import Node
from tournaments.documents.pods import pods_round
from tournaments.documents.records import Event
from tournaments.documents.refusals import DocumentRefused
from tournaments.documents.round_robin import round_robin
from tournaments.documents.rounds import first_open
from tournaments.documents.swiss import swiss_round
from tournaments.pairing import LockRefused, NotEnoughEntrants, PairingRefused
from tournaments.pairing.round_robin import NotInTheOrder
from tournaments.systems import SystemKind

ROUNDS: Mapping[SystemKind, Callable[[Node, Event], Json]] = {
    SystemKind.SWISS: swiss_round,
    SystemKind.PODS: pods_round,
    SystemKind.ROUND_ROBIN: round_robin,
}
ELSEWHERE: Mapping[SystemKind, str] = {
    SystemKind.ELIMINATION: (
        "An elimination is not paired round by round. Give its seeds and results to "
        '"engine bracket", which says what can be played next.'
    ),
    SystemKind.MANUAL: "Rounds of this system are made by hand. Name another system to pair one.",
}


def pair(document: Json) -> Json:
    """{"round", "pairings", "cost", "relaxations", "notes", "certificate"} for an event document.

    Raise DocumentRefused for a document that is wrong, a system that is not paired round by
    round, missing results without "force", and a field that cannot be paired.
    """
    node = Node(document)
    event = read_event(node)
    if event.system.kind in ELSEWHERE:
        raise node.under("system").refusal(ELSEWHERE[event.system.kind])
    _check_results(node.under("rounds"), event)
    try:
        return {"round": event.next_round, **ROUNDS[event.system.kind](node, event)}
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
