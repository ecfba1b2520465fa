"""The clock: paused, going on, given time."""

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import LogEntry
from tournaments.services import clock
from tournaments.services.undo.kinds import Kind, of_pairing, of_round, pairing_of, round_of

PAUSED, RESUMED = "clock paused", "clock resumed"
ADDED, TAKEN = "minutes added", "minutes taken"
TABLE = "table given time"


def _minutes(entry: LogEntry) -> int:
    """How many the change gave; below zero when it took some."""
    given: int = entry.after["extra_minutes"] - entry.before["extra_minutes"]
    return given


def _says_time(entry: LogEntry) -> str:
    given = _minutes(entry)
    more = "less" if given > 0 else "more"
    return f"{entry.subject.capitalize()} will have {abs(given)} minutes {more}."


_of_clock = of_round(PAUSED, RESUMED)
_of_minutes = of_round(ADDED, TAKEN)
_adding = Kind(
    permissions.can_run,
    _says_time,
    lambda entry, actor, _: clock.add(round_of(entry), -_minutes(entry), actor),
    _of_minutes,
)


def _table_back(entry: LogEntry, actor: Actor, reason: str) -> None:
    clock.add_to_table(pairing_of(entry), -_minutes(entry), actor, reason)


def _pause(entry: LogEntry, actor: Actor, _reason: str) -> None:
    clock.pause(round_of(entry), actor)


def _resume(entry: LogEntry, actor: Actor, _reason: str) -> None:
    clock.resume(round_of(entry), actor)


KINDS = {
    PAUSED: Kind(permissions.can_run, lambda _: "The clock will go on.", _resume, _of_clock),
    RESUMED: Kind(permissions.can_run, lambda _: "The clock will stand still.", _pause, _of_clock),
    ADDED: _adding,
    TAKEN: _adding,
    TABLE: Kind(permissions.can_judge, _says_time, _table_back, of_pairing(TABLE)),
}
