"""Rounds: published and taken back, closed and opened again; the event's end."""

from tournaments import kept_clocks, permissions
from tournaments.actors import Actor
from tournaments.models import LogEntry
from tournaments.services import events, rounds
from tournaments.services.undo.kinds import Kind, of_event, of_round, round_of

PUBLISHED, TAKEN_BACK = "round published", "round taken back"
CLOSED, FORCED, REOPENED = "round closed", "round closed by force", "round reopened"
FINISHED, OPENED = "event finished", "event reopened"


def _unpublish(entry: LogEntry, actor: Actor, reason: str) -> None:
    rounds.unpublish(round_of(entry), actor, reason)


def _publish(entry: LogEntry, actor: Actor, _reason: str) -> None:
    round_ = round_of(entry)
    rounds.publish(round_, actor, again=entry)
    if "clock" in entry.before:
        kept_clocks.lay_back(round_, entry.before["clock"])


def _reopen(entry: LogEntry, actor: Actor, reason: str) -> None:
    rounds.reopen(round_of(entry), actor, reason)


def _close(entry: LogEntry, actor: Actor, _reason: str) -> None:
    rounds.close(round_of(entry), actor)


def _open_event(entry: LogEntry, actor: Actor, reason: str) -> None:
    events.reopen(entry.tournament, actor, reason)


def _finish(entry: LogEntry, actor: Actor, _reason: str) -> None:
    events.finish(entry.tournament, actor)


def _says_published(entry: LogEntry) -> str:
    has_run = entry.before.get("clock", {}).get("started_at")
    return _says(f"will be published again{', with its clock' if has_run else ''}.", entry)


def _says(words: str, entry: LogEntry) -> str:
    return f"Round {round_of(entry).number} {words}"


_run, _own = permissions.can_run, permissions.can_own
_seen = of_round(PUBLISHED, TAKEN_BACK)
_open = of_round(CLOSED, FORCED, REOPENED)
_over = of_event(FINISHED, OPENED)
_reopening = Kind(
    _run,
    lambda entry: _says("will be open again: results can be told, its standings wait.", entry),
    _reopen,
    _open,
)
KINDS = {
    PUBLISHED: Kind(
        _run,
        lambda entry: _says("will be a draft again: players see no pairings of it.", entry),
        _unpublish,
        _seen,
    ),
    TAKEN_BACK: Kind(_run, _says_published, _publish, _seen),
    CLOSED: _reopening,
    FORCED: _reopening,
    REOPENED: Kind(_run, lambda entry: _says("will be closed again.", entry), _close, _open),
    FINISHED: Kind(_own, lambda _: "The event will be open again.", _open_event, _over),
    OPENED: Kind(_run, lambda _: "The event will be finished again.", _finish, _over),
}
