"""The event: its settings, its registration open or closed, its staff, its end."""

from typing import Any

from django.db.models import Field, Q

from players.models import User
from tournaments.desk.services.undo.kinds import CannotUndo, Kind, of_event
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import LogAction, LogEntry, StaffRole, Stage, Tournament, log_actions
from tournaments.settings.services import events, staff


def _settings_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    values = {key: _value(key, kept) for key, kept in entry.before.items()}
    events.change_settings(entry.tournament, actor, **values)


def _value(key: str, kept: Any) -> Any:
    """What the log keeps as text is what the field makes of it."""
    model = Stage if key == "system" else Tournament
    field = model._meta.get_field(key)
    assert isinstance(field, Field)
    return field.to_python(kept)


def _says_settings(entry: LogEntry) -> str:
    """Each setting with the value it will have."""
    told = (f"{key.replace('_', ' ')}: {_shown(kept)}" for key, kept in entry.before.items())
    return f"Will be again: {'; '.join(told)}."


def _shown(kept: Any) -> str:
    if kept is None or kept == "":
        return "nothing"
    if isinstance(kept, bool):
        return "yes" if kept else "no"
    return ", ".join(map(str, kept)) if isinstance(kept, list | dict) else str(kept)


def _same_settings(entry: LogEntry) -> Q:
    return Q(action__in=log_actions.SETTING_CHANGES, after__has_any_keys=list(entry.before))


def _account(entry: LogEntry) -> User:
    key: int = {**entry.before, **entry.after}.get("account", 0)
    user = User.objects.filter(pk=key).first()
    if user is None:
        raise CannotUndo("This account does not exist any more.")
    return user


def _says_role(entry: LogEntry) -> str:
    role = entry.before.get("role")
    will = f"will be {StaffRole(role).label}" if role else "will have no role"
    return f"{_account(entry)} {will} at this event."


def _role_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
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
    return Q(action__in=(LogAction.ROLE_GIVEN, LogAction.ROLE_TAKEN)) & (
        Q(after__account=key) | Q(before__account=key)
    )


_run, _own = permissions.can_run, permissions.can_own
_door, _end = (
    of_event(LogAction.REGISTRATION_OPENED, LogAction.REGISTRATION_CLOSED),
    of_event(LogAction.EVENT_FINISHED, LogAction.EVENT_REOPENED),
)
_role = Kind(_own, _says_role, _role_back, _same_account)
KINDS: dict[str, Kind] = {
    LogAction.SETTINGS_CHANGED: Kind(_run, _says_settings, _settings_back, _same_settings),
    LogAction.REGISTRATION_OPENED: Kind(
        _run,
        lambda _: "Players cannot join by themselves any more.",
        lambda entry, actor, _: events.set_registration(entry.tournament, actor, is_open=False),
        _door,
    ),
    LogAction.REGISTRATION_CLOSED: Kind(
        _run,
        lambda _: "Players can join by themselves again.",
        lambda entry, actor, _: events.set_registration(entry.tournament, actor, is_open=True),
        _door,
    ),
    LogAction.ROLE_GIVEN: _role,
    LogAction.ROLE_TAKEN: _role,
    LogAction.EVENT_FINISHED: Kind(
        _own,
        lambda _: "The event will be open again.",
        lambda entry, actor, reason: events.reopen(entry.tournament, actor, reason),
        _end,
    ),
    LogAction.EVENT_REOPENED: Kind(
        _run,
        lambda _: "The event will be finished again.",
        lambda entry, actor, _: events.finish(entry.tournament, actor),
        _end,
    ),
}
