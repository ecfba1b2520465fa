"""The event log: appended in the transaction of the change."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import Exists, F, OuterRef, QuerySet
from django.shortcuts import get_object_or_404

from core.errors import Refusal
from tournaments.event import permissions, queries, webhooks
from tournaments.event.actors import Actor
from tournaments.models import (
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    Round,
    Tournament,
    Webhook,
    log_actions,
)

About: TypeAlias = Round | Pairing | Registration
"""What an entry can be found by: a round, a table or bye, a player's place in the event."""

GONE = "This player was taken off the roster meanwhile. Check the roster again."

_taken_back: ContextVar[LogEntry | None] = ContextVar("taken_back", default=None)


@dataclass
class _Correction:
    """One at work: the event by its key, and what was recorded so far."""

    event: int
    changes: list[LogEntry] = field(default_factory=list)


_correction: ContextVar[_Correction | None] = ContextVar("correction", default=None)


class EventIsFinished(Refusal):
    """The event is over; only its owner can open it again."""


class PlayerRemoved(Refusal):
    """The player was taken off the roster since the page was read."""


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


def lock(tournament: Tournament, *columns: str) -> Tournament:
    """The newest row, locked until the transaction ends; the first lock of every change.

    With `columns` those alone are read at once: for what a whole hall does in the same minute.
    Its `has_webhooks` tells whether a program hears of it, so that nobody has to ask for each.
    Raises Http404 where the event was deleted meanwhile.
    """
    enabled = Webhook.objects.filter(tournament=OuterRef("pk"), disabled_at=None)
    rows = Tournament.objects.select_for_update().annotate(has_webhooks=Exists(enabled))
    return get_object_or_404(rows.only(*columns) if columns else rows, pk=tournament.pk)


def lock_unfinished(tournament: Tournament, *columns: str) -> Tournament:
    """As `lock`; refuses when the event is over, but for what is done as a correction."""
    locked = lock(tournament, *columns)
    correction = _correction.get()
    if locked.is_finished and (correction is None or correction.event != locked.pk):
        raise EventIsFinished("This event is finished. Open it again before changing it.")
    return locked


def read_again(registration: Registration, *fields: str) -> None:
    """The place as it is now, or these fields of it; wants a locked event. Raises PlayerRemoved."""
    try:
        registration.refresh_from_db(fields=fields or None)
    except Registration.DoesNotExist as gone:
        raise PlayerRemoved(GONE) from gone


def read_all_again(registrations: Iterable[Registration]) -> dict[int, Registration]:
    """These places as they are now, by key, with their players. Otherwise as `read_again`."""
    wanted = [one.pk for one in registrations]
    found = Registration.objects.select_related("player").in_bulk(wanted)
    if not found.keys() >= set(wanted):
        raise PlayerRemoved(GONE)
    return found


@contextmanager
def correcting(tournament: Tournament, actor: Actor, reason: str) -> Iterator[None]:
    """What is recorded in this block is one correction, with its reason, of a finished event.

    It counts up the version of the archive and is listed for everybody. An event under way is
    changed as ever. Raises EventIsFinished for who does not run the event, and without a reason.
    """
    # Whoever reads a page of the finished event may act after it was opened again.
    is_over = tournament.is_finished and lock(tournament).is_finished
    if not is_over or _correction.get() is not None:
        yield
        return
    if not permissions.can_run(actor, tournament):
        raise EventIsFinished("This event is finished. Only an organiser can correct it.")
    if not reason.strip():
        raise EventIsFinished("This event is finished. Say why it is corrected.")
    correction = _Correction(tournament.pk)
    token = _correction.set(correction)
    try:
        yield
    finally:
        _correction.reset(token)
    if correction.changes:
        what = _what(correction.changes[0])
        record_correction(tournament, actor, LogAction.EVENT_CORRECTED, what, reason)


def record_correction(
    tournament: Tournament, actor: Actor, action: LogAction, what: str, reason: str
) -> None:
    """Count up the version of a finished event; `what` and `reason` are for everybody."""
    version = queries.archive_version(tournament) + 1
    record(tournament, actor, action, what, after={"version": version}, reason=reason)


def _what(entry: LogEntry) -> str:
    """What was corrected, as everybody reads it."""
    if entry.action in log_actions.RESULTS:
        return f"Result of {entry.subject}"
    return f"{log_actions.words_of(entry.action)}: {entry.subject}"


def record(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    subject: object = "",
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    reason: str = "",
    public: bool | None = None,
    players: Collection[int] | None = None,
    about: About | None = None,
) -> LogEntry:
    """Append one change. A public one moves the version that all public pages carry.

    `public` is None where the action says it alone (LogAction.is_public). `players` are the
    primary keys of those whose own pages show it, public or not; None where a public one may be
    on those of all players. `subject` and `about` are those of a Change.
    """
    if public is None:
        public = action.is_public
    if public:
        move_version(tournament, everybody=players is None)
    if players:
        move_own_pages(tournament, players)
    change = Change(subject, before or {}, after or {}, about)
    entry = _entry(tournament, actor, action, change, reason)
    entry.undoes = _taken_back.get()
    _taken_back.set(None)
    entry.save()
    if correction := _correction.get():
        correction.changes.append(entry)
    if public:
        webhooks.of_change(tournament, action, subject, change.before)
    return entry


@contextmanager
def taking_back(entry: LogEntry) -> Iterator[None]:
    """The first change recorded in this block takes `entry` back."""
    token = _taken_back.set(entry)
    try:
        yield
    finally:
        _taken_back.reset(token)


def record_all(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    changes: Iterable[Change],
    *,
    players: Collection[int] | None = None,
) -> None:
    """Append the same change of many subjects, in two queries.

    Without `players` it is public; else only their own pages show it.
    """
    entries = [_entry(tournament, actor, action, change) for change in changes]
    if entries:
        entries[0].undoes = _taken_back.get()
        _taken_back.set(None)
        if players is None:
            move_version(tournament)
        else:
            move_own_pages(tournament, players)
        LogEntry.objects.bulk_create(entries)


def move_version(tournament: Tournament, *, everybody: bool = True) -> None:
    """What the public sees of this event is new: every copy of its pages is old.

    Those that players have of their own pages only where it may concern `everybody`.
    """
    moved = ["version", "hall_version"] if everybody else ["version"]
    rows = Tournament.objects.filter(pk=tournament.pk)
    rows.update(**{field: F(field) + 1 for field in moved})


def move_own_pages(tournament: Tournament, players: Collection[int]) -> None:
    """What these players see on their own pages of this event is new."""
    places = Registration.objects.filter(tournament=tournament, player__in=players)
    places.order_by().update(version=F("version") + 1)


def move_versions(events: QuerySet[Tournament]) -> None:
    """As `move_version`, of many events at once."""
    events.update(version=F("version") + 1, hall_version=F("hall_version") + 1)


def _entry(
    tournament: Tournament, actor: Actor, action: LogAction, change: Change, reason: str = ""
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
