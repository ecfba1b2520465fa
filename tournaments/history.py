"""The event log: appended in the transaction of the change it tells of."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import F, QuerySet

from core.errors import Refusal
from tournaments.actors import Actor
from tournaments.models import LogEntry, Pairing, Registration, Round, Tournament

About: TypeAlias = Round | Pairing | Registration
"""What an entry can be found by: a round, a table or bye, a player's place in the event."""

_taken_back: ContextVar[LogEntry | None] = ContextVar("taken_back", default=None)


class EventIsFinished(Refusal):
    """The event is over; only its owner can open it again."""

    code = "event_is_finished"


@dataclass(frozen=True)
class Change:
    """One of many equal changes: whom it is about, and the values.

    A round, a pairing or a registration as `subject` is what the entry is found by; where the
    subject is said otherwise, `about` is.
    """

    subject: object
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    about: About | None = None


def lock(tournament: Tournament) -> Tournament:
    """The newest row, locked until the transaction ends; the first lock of every change."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def lock_unfinished(tournament: Tournament) -> Tournament:
    """As `lock`; refuses when the event is over."""
    locked = lock(tournament)
    if locked.is_finished:
        raise EventIsFinished("This event is finished. Open it again before changing it.")
    return locked


def record(
    tournament: Tournament,
    actor: Actor,
    action: str,
    subject: object = "",
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    reason: str = "",
    public: bool = True,
    about: About | None = None,
) -> LogEntry:
    """Append one change. A public one moves the version that all public pages carry.

    `subject` and `about` are those of a Change.
    """
    if public:
        move_version(Tournament.objects.filter(pk=tournament.pk))
    change = Change(subject, before or {}, after or {}, about)
    entry = _entry(tournament, actor, action, change, reason)
    entry.undoes = _taken_back.get()
    _taken_back.set(None)
    entry.save()
    return entry


@contextmanager
def taking_back(entry: LogEntry) -> Iterator[None]:
    """The first change recorded in this block is told to take `entry` back."""
    token = _taken_back.set(entry)
    try:
        yield
    finally:
        _taken_back.reset(token)


def record_all(
    tournament: Tournament, actor: Actor, action: str, changes: Iterable[Change]
) -> None:
    """Append the same public change of many subjects, in two queries."""
    entries = [_entry(tournament, actor, action, change) for change in changes]
    if entries:
        entries[0].undoes = _taken_back.get()
        _taken_back.set(None)
        move_version(Tournament.objects.filter(pk=tournament.pk))
        LogEntry.objects.bulk_create(entries)


def move_version(events: QuerySet[Tournament]) -> None:
    """What the public sees of these events is new: every copy of their pages is old."""
    events.update(version=F("version") + 1)


def _entry(
    tournament: Tournament, actor: Actor, action: str, change: Change, reason: str = ""
) -> LogEntry:
    subject = change.subject
    about = subject if isinstance(subject, About) else change.about
    return LogEntry(
        tournament=tournament,
        user=actor.user,
        player=actor.player,
        action=action,
        subject=_in_words(subject)[:160],
        before=change.before,
        after=change.after,
        reason=reason,
        **_keys(about),
    )


def _in_words(subject: object) -> str:
    """As the log says it, whose reader knows which event it is."""
    if isinstance(subject, Registration):
        return str(subject.player)
    if isinstance(subject, Pairing):
        seat = str(subject) if subject.bye is None else f"bye of {subject.bye.player}"
        return f"round {subject.round.number}, {seat}"
    return str(subject)


def _keys(about: About | None) -> dict[str, int | None]:
    if isinstance(about, Round):
        return {"round_id": about.pk}
    if isinstance(about, Registration):
        return {"registration_id": about.pk}
    if isinstance(about, Pairing):
        keys = {"round_id": about.round_id, "pairing_id": about.pk}
        return {**keys, "registration_id": about.bye_id}
    return {}
