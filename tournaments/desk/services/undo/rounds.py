"""Rounds: drafted, published and taken back, closed and opened again; and their clocks."""

from django.db.models import Q

from tournaments.desk.services.undo.kinds import CannotUndo, Kind, on_same, pairing_of, round_of
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import LogAction, LogEntry, Pairing
from tournaments.rounds.services import clock, drafting, rounds


def _swap_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    numbers = entry.after.get("players", [])
    two = list(entry.tournament.registrations.select_related("player").filter(number__in=numbers))
    if len(two) != 2:
        raise CannotUndo("One of the two players is not on the roster any more.")
    round_ = round_of(entry)
    drafting.swap_seats(round_, two[0], two[1], actor)
    # Where the engine had seated them, its reasons hold again.
    for key, account in entry.before.get("accounts", {}).items():
        Pairing.objects.filter(pk=int(key), round=round_).update(**account)


def _later_draft(entry: LogEntry) -> Q:
    """Whatever changed who sits where in the same draft."""
    changes = (
        LogAction.SEATS_SWAPPED,
        LogAction.PAIRED_BY_HAND,
        LogAction.ROUND_DRAFTED,
        LogAction.REST_PAIRED_ANEW,
    )
    return Q(action__in=changes, round=entry.round_id)


def _says_lock(entry: LogEntry) -> str:
    will = "be free" if entry.action == LogAction.LOCKED else "stay"
    return f"{entry.subject.capitalize()} will {will} when the rest is paired anew."


def _publish(entry: LogEntry, actor: Actor, _reason: str) -> None:
    round_ = round_of(entry)
    rounds.publish(round_, actor, again=entry)
    if "clock" in entry.before:
        rounds.restore_clocks(round_, entry.before["clock"])


def _says_published(entry: LogEntry) -> str:
    has_run = entry.before.get("clock", {}).get("started_at")
    return _says(f"will be published again{', with its clock' if has_run else ''}.", entry)


def _says(words: str, entry: LogEntry) -> str:
    return f"Round {round_of(entry).number} {words}"


def _minutes(entry: LogEntry) -> int:
    """How many the change gave; below zero when it took some."""
    given: int = entry.after["extra_minutes"] - entry.before["extra_minutes"]
    return given


def _says_time(entry: LogEntry) -> str:
    given = _minutes(entry)
    more = "less" if given > 0 else "more"
    return f"{entry.subject.capitalize()} will have {abs(given)} minutes {more}."


_run = permissions.can_run
_locking = Kind(
    _run,
    _says_lock,
    lambda entry, actor, _: drafting.set_lock(
        pairing_of(entry), actor, locked=entry.action == LogAction.UNLOCKED
    ),
    on_same("pairing", LogAction.LOCKED, LogAction.UNLOCKED),
)
_seen = on_same("round", LogAction.ROUND_PUBLISHED, LogAction.ROUND_TAKEN_BACK)
_open = on_same(
    "round", LogAction.ROUND_CLOSED, LogAction.ROUND_CLOSED_BY_FORCE, LogAction.ROUND_REOPENED
)
_reopening = Kind(
    _run,
    lambda entry: _says("will be open again: results can be told, its standings wait.", entry),
    lambda entry, actor, reason: rounds.reopen(round_of(entry), actor, reason),
    _open,
)
_of_clock = on_same("round", LogAction.CLOCK_PAUSED, LogAction.CLOCK_RESUMED)
_adding = Kind(
    _run,
    _says_time,
    lambda entry, actor, _: clock.add(round_of(entry), -_minutes(entry), actor),
    on_same("round", LogAction.MINUTES_ADDED, LogAction.MINUTES_TAKEN),
)
KINDS: dict[str, Kind] = {
    LogAction.SEATS_SWAPPED: Kind(
        _run,
        lambda entry: f"{entry.subject} will change seats again in the draft of {entry.round}.",
        _swap_back,
        _later_draft,
    ),
    LogAction.LOCKED: _locking,
    LogAction.UNLOCKED: _locking,
    LogAction.ROUND_PUBLISHED: Kind(
        _run,
        lambda entry: _says("will be a draft again: players see no pairings of it.", entry),
        lambda entry, actor, reason: rounds.unpublish(round_of(entry), actor, reason),
        _seen,
    ),
    LogAction.ROUND_TAKEN_BACK: Kind(_run, _says_published, _publish, _seen),
    LogAction.ROUND_CLOSED: _reopening,
    LogAction.ROUND_CLOSED_BY_FORCE: _reopening,
    LogAction.ROUND_REOPENED: Kind(
        _run,
        lambda entry: _says("will be closed again.", entry),
        lambda entry, actor, _: rounds.close(round_of(entry), actor),
        _open,
    ),
    LogAction.CLOCK_PAUSED: Kind(
        _run,
        lambda _: "The clock will go on.",
        lambda entry, actor, _: clock.resume(round_of(entry), actor),
        _of_clock,
    ),
    LogAction.CLOCK_RESUMED: Kind(
        _run,
        lambda _: "The clock will stand still.",
        lambda entry, actor, _: clock.pause(round_of(entry), actor),
        _of_clock,
    ),
    LogAction.MINUTES_ADDED: _adding,
    LogAction.MINUTES_TAKEN: _adding,
    LogAction.TABLE_GIVEN_TIME: Kind(
        permissions.can_judge,
        _says_time,
        lambda entry, actor, reason: clock.add_to_table(
            pairing_of(entry), -_minutes(entry), actor, reason
        ),
        on_same("pairing", LogAction.TABLE_GIVEN_TIME),
    ),
}
