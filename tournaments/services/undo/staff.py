"""Roles given and taken."""

from django.db.models import Q

from players.models import User
from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import LogEntry, StaffRole
from tournaments.services import staff
from tournaments.services.undo.kinds import CannotUndo, Kind

GIVEN, TAKEN = "role given", "role taken"


def _account(entry: LogEntry) -> User:
    key: int = {**entry.before, **entry.after}.get("account", 0)
    user = User.objects.filter(pk=key).first()
    if user is None:
        raise CannotUndo("This account does not exist any more.")
    return user


def _says(entry: LogEntry) -> str:
    role = entry.before.get("role")
    will = f"will be {StaffRole(role).label}" if role else "will have no role"
    return f"{_account(entry)} {will} at this event."


def _back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    user, role = _account(entry), entry.before.get("role")
    if role:
        staff.give_role(entry.tournament, actor, user, role)
        return
    held = entry.tournament.staff.filter(user=user).first()
    if held is None:
        raise CannotUndo(f"{user} has no role at this event any more.")
    staff.take_role(entry.tournament, actor, held)


def _same_account(entry: LogEntry) -> Q:
    key = _account(entry).pk
    return Q(action__in=(GIVEN, TAKEN)) & (Q(after__account=key) | Q(before__account=key))


KINDS = dict.fromkeys((GIVEN, TAKEN), Kind(permissions.can_own, _says, _back, _same_account))
