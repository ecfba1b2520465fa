"""Undo rules for settings, staff roles and decks."""

from typing import Any

from django.db.models import Field, Q

from players.models import User
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.services import audiences, decks, waivers
from tournaments.desk.services.undo_kinds import CannotUndo, Kind, of_event, place_of
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import (
    DeckSubmission,
    LogAction,
    LogEntry,
    StaffRole,
    Stage,
    Tournament,
    log_actions,
)
from tournaments.settings.services import events, staff

_run, _own, _judge = permissions.can_run, permissions.can_own, permissions.can_judge
_door, _end = (
    of_event(LogAction.REGISTRATION_OPENED, LogAction.REGISTRATION_CLOSED),
    of_event(LogAction.EVENT_FINISHED, LogAction.EVENT_REOPENED),
)
ONE_LOCKED, ONE_OPENED = (
    (LogAction.DECK_LOCKED, LogAction.DECK_LOCKED_BY_STAFF),
    LogAction.DECK_UNLOCKED,
)
_all, _sight = (
    of_event(LogAction.ALL_DECKS_LOCKED, LogAction.ALL_DECKS_OPENED),
    of_event(LogAction.DECKS_REVEALED, LogAction.DECKS_HIDDEN),
)


def _settings_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    values = {key: _value(key, kept) for key, kept in entry.before.items()}
    events.change_settings(entry.tournament, actor, **values)


def _value(key: str, kept: Any) -> Any:
    """Convert a logged value back to the type of its field."""
    model = Stage if key == "system" else Tournament
    field = model._meta.get_field(key)
    assert isinstance(field, Field)
    return field.to_python(kept)


def _says_settings(entry: LogEntry) -> str:
    values = (f"{key.replace('_', ' ')}: {_in_words(kept)}" for key, kept in entry.before.items())
    return f"Will be again: {'; '.join(values)}."


def _in_words(kept: Any) -> str:
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


_role = Kind(_own, _says_role, _role_back, _same_account)


EVENT: dict[str, Kind] = {
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


def _deck(entry: LogEntry) -> DeckSubmission:
    place = place_of(entry)
    found = place.deck_submissions.filter(side=entry.after["side"]).first()
    if found is None:
        raise CannotUndo(f"{place.player} has no such deck here any more.")
    found.registration = place
    return found


def _of_deck(entry: LogEntry) -> Q:
    return Q(
        action__in=(*ONE_LOCKED, ONE_OPENED),
        registration=entry.registration_id,
        after__side=entry.after["side"],
    )


def _says_one(words: str, entry: LogEntry) -> str:
    return f"The {_deck(entry).get_side_display()} deck of {place_of(entry).player} {words}"


_unlocking = Kind(
    _judge,
    lambda entry: _says_one("can be changed by its player again.", entry),
    lambda entry, actor, reason: decks.unlock(_deck(entry), actor, reason),
    _of_deck,
)


def _of_waiver(entry: LogEntry) -> Q:
    return Q(action__in=deck_queries.WAIVER_CHANGES, registration=entry.registration_id)


DECKS: dict[str, Kind] = {
    LogAction.DECK_PROBLEM_WAIVED: Kind(
        _judge,
        lambda entry: f"The deck problems of {place_of(entry).player} will be listed again.",
        lambda entry, actor, reason: waivers.withdraw_waiver(place_of(entry), actor, reason),
        _of_waiver,
    ),
    LogAction.DECK_WAIVER_WITHDRAWN: Kind(
        _judge,
        lambda entry: f"The deck problems of {place_of(entry).player} will be waived again.",
        lambda entry, actor, _: waivers.restore_waiver(place_of(entry), actor, **entry.before),
        _of_waiver,
    ),
    LogAction.ALL_DECKS_LOCKED: Kind(
        _run,
        lambda _: "Players can change their lists again.",
        lambda entry, actor, reason: decks.reopen_all(entry.tournament, actor, reason),
        _all,
    ),
    LogAction.ALL_DECKS_OPENED: Kind(
        _run,
        lambda _: "No player can change a list any more.",
        lambda entry, actor, _: decks.lock_all(entry.tournament, actor),
        _all,
    ),
    LogAction.DECKS_REVEALED: Kind(
        _run,
        lambda _: "Decks are seen as the stages say again.",
        lambda entry, actor, _: audiences.set_revealed(entry.tournament, actor, revealed=False),
        _sight,
    ),
    LogAction.DECKS_HIDDEN: Kind(
        _run,
        lambda _: "Everybody will see all decks again.",
        lambda entry, actor, _: audiences.set_revealed(entry.tournament, actor, revealed=True),
        _sight,
    ),
    **dict.fromkeys(ONE_LOCKED, _unlocking),
    ONE_OPENED: Kind(
        _judge,
        lambda entry: _says_one("will be locked again.", entry),
        lambda entry, actor, _: decks.lock_by_staff(_deck(entry), actor),
        _of_deck,
    ),
}
