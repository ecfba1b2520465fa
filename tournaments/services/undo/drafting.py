"""A draft: seats swapped, tables locked."""

from django.db.models import Q

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import LogEntry, Pairing, Registration
from tournaments.services import drafting
from tournaments.services.undo.kinds import CannotUndo, Kind, of_pairing, pairing_of, round_of

SWAPPED = "seats swapped"
LOCKS = ("locked", "unlocked")


def _says_swap(entry: LogEntry) -> str:
    return f"{entry.subject} will change seats again in the draft of {entry.round}."


def _swap_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    one, other = _two(entry)
    round_ = round_of(entry)
    drafting.swap_seats(round_, one, other, actor)
    # Where the engine had seated them, its reasons hold again.
    for key, account in entry.before.get("accounts", {}).items():
        Pairing.objects.filter(pk=int(key), round=round_).update(**account)


def _two(entry: LogEntry) -> list[Registration]:
    numbers = entry.after.get("players", [])
    two = list(entry.tournament.registrations.select_related("player").filter(number__in=numbers))
    if len(two) != 2:
        raise CannotUndo("One of the two players is not on the roster any more.")
    return two


def _later_draft(entry: LogEntry) -> Q:
    """Whatever changed who sits where in the same draft."""
    changes = (SWAPPED, "paired by hand", "round drafted", "rest paired anew")
    return Q(action__in=changes, round=entry.round_id)


def _says_lock(entry: LogEntry) -> str:
    if entry.action == LOCKS[0]:
        return f"{entry.subject.capitalize()} will be free when the rest is paired anew."
    return f"{entry.subject.capitalize()} will stay when the rest is paired anew."


def _lock_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    drafting.set_lock(pairing_of(entry), actor, locked=entry.action == LOCKS[1])


KINDS = {
    SWAPPED: Kind(permissions.can_run, _says_swap, _swap_back, _later_draft),
    **dict.fromkeys(LOCKS, Kind(permissions.can_run, _says_lock, _lock_back, of_pairing(*LOCKS))),
}
