"""A round in pods from an event document."""

from tournaments.documents import field, layout
from tournaments.documents.json_text import Json
from tournaments.documents.nodes import Node
from tournaments.documents.records import Bye, Entry, Event
from tournaments.pairing import LockedBye, LockedPod
from tournaments.pairing.pods import Pod, seat_pods


def pods_round(_node: Node, event: Event) -> Json:
    """The next round in pods, seats in seat order. Raise PairingRefused."""
    seated = seat_pods(
        field.entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        point_unit=event.point_unit,
        locked=[_lock(entry) for entry in event.locked],
    )
    pods = [_pod(pod) for pod in seated.pods]
    byes = [layout.bye(entry) for entry in seated.byes]
    return layout.answer([*pods, *byes], seated.cost, seated.relaxations, seated.certificate)


def _lock(entry: Entry) -> LockedPod | LockedBye:
    if isinstance(entry, Bye):
        return LockedBye(entry.player)
    return LockedPod(entry.number, entry.players)


def _pod(pod: Pod) -> Json:
    seats = [{"id": player, "role": None} for player in pod.seats]
    return {"table": pod.number, "seats": seats, **layout.account(pod)}
