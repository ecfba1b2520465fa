"""The event log: entries are appended in the transaction of the change."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import Exists, F, OuterRef, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import Refusal
from tournaments.event import permissions, webhooks
from tournaments.event.permissions import Actor
from tournaments.models import (
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    Round,
    Tournament,
    Webhook,
    event_log,
)

# Objects by which a log entry can be found.
LogSubject: TypeAlias = Round | Pairing | Registration

PLAYER_REMOVED_MESSAGE = gettext_lazy(
    "This player has been removed from the roster. Check the roster again."
)

_entry_to_undo: ContextVar[LogEntry | None] = ContextVar("taken_back", default=None)


@dataclass
class _Correction:
    """The correction in progress: event key and entries recorded so far."""

    event: int
    changes: list[LogEntry] = field(default_factory=list)


_current_correction: ContextVar[_Correction | None] = ContextVar("correction", default=None)


class EventIsFinished(Refusal):
    pass


class PlayerRemoved(Refusal):
    """The player was removed from the roster after the page was loaded."""


@dataclass(frozen=True)
class LoggedChange:
    """The subject and values of a change.

    `about` links the entry to an object if `subject` is text.
    """

    subject: object
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    about: LogSubject | None = None


def lock(tournament: Tournament, *columns: str) -> Tournament:
    """Return the current row, locked until the transaction ends; the first lock of every change.

    With `columns`, only these are loaded, for frequent requests. Annotated with `has_webhooks` to
    save a query per log entry. Raises Http404 if the event was deleted.
    """
    enabled = Webhook.objects.filter(tournament=OuterRef("pk"), disabled_at=None)
    rows = Tournament.objects.select_for_update().annotate(has_webhooks=Exists(enabled))
    return get_object_or_404(rows.only(*columns) if columns else rows, pk=tournament.pk)


def lock_unfinished(tournament: Tournament, *columns: str) -> Tournament:
    """Like `lock`. Raise EventIsFinished for a finished event, except during a correction."""
    locked = lock(tournament, *columns)
    correction = _current_correction.get()
    if locked.is_finished and (correction is None or correction.event != locked.pk):
        raise EventIsFinished(_("This event is finished. Reopen it to make changes."))
    return locked


def reload_registration(registration: Registration, *fields: str) -> None:
    """Reload a registration, or only `fields`. Requires a locked event. Raise PlayerRemoved."""
    try:
        registration.refresh_from_db(fields=fields or None)
    except Registration.DoesNotExist as gone:
        raise PlayerRemoved(str(PLAYER_REMOVED_MESSAGE)) from gone


def reload_registrations(registrations: Iterable[Registration]) -> dict[int, Registration]:
    """Reload registrations with their players, by key. Raise PlayerRemoved if any is gone."""
    keys = {registration.pk for registration in registrations}
    reloaded = Registration.objects.select_related("player").in_bulk(keys)
    if reloaded.keys() != keys:
        raise PlayerRemoved(str(PLAYER_REMOVED_MESSAGE))
    return reloaded


@contextmanager
def record_as_correction(tournament: Tournament, actor: Actor, reason: str) -> Iterator[None]:
    """Record all changes in this block as a correction of a finished event.

    Increments the archive version and shows publicly. No effect on running events. Raises
    EventIsFinished if the actor does not run the event or there is no reason.
    """
    # The event may have been reopened since the page was loaded.
    is_finished = tournament.is_finished and lock(tournament).is_finished
    if not is_finished or _current_correction.get() is not None:
        yield
        return
    if not permissions.can_run(actor, tournament):
        raise EventIsFinished(_("This event is finished. Only an organiser can correct it."))
    if not reason.strip():
        raise EventIsFinished(_("This event is finished. Give a reason for the correction."))
    correction = _Correction(tournament.pk)
    token = _current_correction.set(correction)
    try:
        yield
    finally:
        _current_correction.reset(token)
    if correction.changes:
        first = correction.changes[0]
        what = f"{event_log.action_label(first.action)}: {first.subject}"
        if first.action in event_log.RESULT_CHANGES:
            what = f"Result of {first.subject}"
        record_correction(tournament, actor, LogAction.EVENT_CORRECTED, what, reason)


def record_correction(
    tournament: Tournament, actor: Actor, action: LogAction, what: str, reason: str
) -> None:
    """Increment the version of a finished event; `what` and `reason` are public."""
    version = tournament.archive_version() + 1
    record(tournament, actor, action, what, after={"version": version}, reason=reason)


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
    about: LogSubject | None = None,
) -> LogEntry:
    """Append one change. A public one increments the version of all public pages.

    `public` defaults to `action.is_public`. `players` are the primary keys of players whose own
    pages change, even if the change is not public. None means that a public change may affect the
    pages of all players. `subject` and `about` are those of a LoggedChange.
    """
    if public is None:
        public = action.is_public
    if public:
        tournament.bump_version(everybody=players is None)
    if players:
        bump_player_versions(tournament, players)
    change = LoggedChange(subject, before or {}, after or {}, about)
    entry = _unsaved_entry(tournament, actor, action, change, reason)
    entry.undoes = _entry_to_undo.get()
    _entry_to_undo.set(None)
    entry.save()
    if correction := _current_correction.get():
        correction.changes.append(entry)
    if public:
        webhooks.notify_change(tournament, action, subject, change.before)
    return entry


@contextmanager
def record_as_undo(entry: LogEntry) -> Iterator[None]:
    """Mark the first change recorded in this block as the undo of `entry`."""
    token = _entry_to_undo.set(entry)
    try:
        yield
    finally:
        _entry_to_undo.reset(token)


def record_all(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    changes: Iterable[LoggedChange],
    *,
    players: Collection[int] | None = None,
) -> None:
    """Append the same action for many subjects, in two queries.

    Public without `players`; otherwise only these players' own pages change.
    """
    entries = [_unsaved_entry(tournament, actor, action, change) for change in changes]
    if entries:
        entries[0].undoes = _entry_to_undo.get()
        _entry_to_undo.set(None)
        if players is None:
            tournament.bump_version()
        else:
            bump_player_versions(tournament, players)
        LogEntry.objects.bulk_create(entries)


def bump_player_versions(tournament: Tournament, players: Collection[int]) -> None:
    places = Registration.objects.filter(tournament=tournament, player__in=players)
    places.order_by().update(version=F("version") + 1)


def bump_versions_of_events(events: QuerySet[Tournament]) -> None:
    """Like `Tournament.bump_version`, for many events."""
    events.update(version=F("version") + 1, shared_version=F("shared_version") + 1)


def _unsaved_entry(
    tournament: Tournament, actor: Actor, action: LogAction, change: LoggedChange, reason: str = ""
) -> LogEntry:
    subject = change.subject
    about = subject if isinstance(subject, LogSubject) else change.about
    return LogEntry(
        tournament=tournament,
        user=actor.user,
        player=actor.player,
        action=action,
        subject=_subject_in_words(subject)[:160],
        before=change.before,
        after=change.after,
        reason=reason,
        **_subject_keys(about),
    )


def _subject_in_words(subject: object) -> str:
    if isinstance(subject, Registration):
        return str(subject.player)
    if isinstance(subject, Pairing):
        seat = str(subject) if subject.bye is None else f"bye of {subject.bye.player}"
        return f"round {subject.round.number}, {seat}"
    return str(subject)


def _subject_keys(about: LogSubject | None) -> dict[str, int | None]:
    if isinstance(about, Round):
        return {"round_id": about.pk}
    if isinstance(about, Registration):
        return {"registration_id": about.pk}
    if isinstance(about, Pairing):
        keys = {"round_id": about.round_id, "pairing_id": about.pk}
        return {**keys, "registration_id": about.bye_id}
    return {}
