"""The event log: appended in the transaction of the change it tells of."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, QuerySet

from core.errors import Refusal
from tournaments.actors import Actor
from tournaments.models import LogEntry, Tournament


class EventIsFinished(Refusal):
    """The event is over; only its owner can open it again."""

    code = "event_is_finished"


@dataclass(frozen=True)
class Change:
    """One of many equal changes: whom it is about, and the values."""

    subject: object
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)


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
) -> LogEntry:
    """Append one change. A public one moves the version that all public pages carry."""
    if public:
        move_version(Tournament.objects.filter(pk=tournament.pk))
    entry = _entry(tournament, actor, action, Change(subject, before or {}, after or {}), reason)
    entry.save()
    return entry


def record_all(
    tournament: Tournament, actor: Actor, action: str, changes: Iterable[Change]
) -> None:
    """Append the same public change of many subjects, in two queries."""
    entries = [_entry(tournament, actor, action, change) for change in changes]
    if entries:
        move_version(Tournament.objects.filter(pk=tournament.pk))
        LogEntry.objects.bulk_create(entries)


def move_version(events: QuerySet[Tournament]) -> None:
    """What the public sees of these events is new: every copy of their pages is old."""
    events.update(version=F("version") + 1)


def _entry(
    tournament: Tournament, actor: Actor, action: str, change: Change, reason: str = ""
) -> LogEntry:
    return LogEntry(
        tournament=tournament,
        user=actor.user,
        player=actor.player,
        action=action,
        subject=str(change.subject)[:160],
        before=change.before,
        after=change.after,
        reason=reason,
    )
