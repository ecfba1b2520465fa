"""The event's settings, and its registration open or closed."""

from typing import Any

from django.db.models import Field, Q

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import LogEntry, Stage, Tournament
from tournaments.services import events
from tournaments.services.undo.kinds import Kind, of_event

OPENED, CLOSED = "registration opened", "registration closed"


def _settings_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    values = {key: _value(key, kept) for key, kept in entry.before.items()}
    events.change_settings(entry.tournament, actor, **values)


def _value(key: str, kept: Any) -> Any:
    """What the log keeps as text is what the field makes of it."""
    model = Stage if key == "system" else Tournament
    field = model._meta.get_field(key)
    assert isinstance(field, Field)
    return field.to_python(kept)


def says(entry: LogEntry) -> str:
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
    return Q(action__in=events.CHANGES, after__has_any_keys=list(entry.before))


def _open(entry: LogEntry, actor: Actor, _reason: str) -> None:
    events.set_registration(entry.tournament, actor, is_open=True)


def _close(entry: LogEntry, actor: Actor, _reason: str) -> None:
    events.set_registration(entry.tournament, actor, is_open=False)


_run, _door = permissions.can_run, of_event(OPENED, CLOSED)
KINDS = {
    "settings changed": Kind(_run, says, _settings_back, _same_settings),
    OPENED: Kind(_run, lambda _: "Players cannot join by themselves any more.", _close, _door),
    CLOSED: Kind(_run, lambda _: "Players can join by themselves again.", _open, _door),
}
