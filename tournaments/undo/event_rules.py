"""Undo rules of the roster, settings, staff roles and decks."""

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import Field, Q
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from players.models import User
from tournaments.decklists import queries as deck_queries
from tournaments.decklists import services as decklists_services
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.permissions import (
    Actor,
    can_judge,
    can_mark_paid,
    can_open_desk,
    can_own,
    can_run,
)
from tournaments.models import (
    DeckSubmission,
    DroppedBy,
    LogAction,
    LogEntry,
    RegistrationState,
    StaffRole,
    Stage,
    Tournament,
    event_log,
)
from tournaments.registration import guests, roster_changes
from tournaments.registration import services as registration_services
from tournaments.rounds import late_entries
from tournaments.settings import services as settings_services
from tournaments.undo.undo_rules import (
    CannotUndo,
    UndoRule,
    registration_of,
    with_actions,
    with_same,
)

# The roster


ATTENDANCE_ACTIONS = (
    LogAction.PLAYER_CHECKED_IN,
    LogAction.CHECK_IN_TAKEN_BACK,
    LogAction.PLAYER_DROPPED,
    LogAction.PLAYER_RETURNED,
)
STATES_IN_WORDS = {
    RegistrationState.CHECKED_IN: gettext_lazy(
        "%(player)s will be checked in and play from the next draft."
    ),
    RegistrationState.REGISTERED: gettext_lazy("%(player)s will be on the roster, not checked in."),
    RegistrationState.DROPPED: gettext_lazy(
        "%(player)s will be dropped and not paired again. Past rounds still count."
    ),
    RegistrationState.WAITING: gettext_lazy("%(player)s will be on the waiting list."),
}


def _restore_attendance(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place = registration_of(entry)
    place.tournament = tournament = history.lock_unfinished(entry.tournament)
    if place.state != entry.after.get("state"):
        raise CannotUndo(
            gettext("%(player)s is now %(state)s.")
            % {"player": place.player, "state": place.get_state_display()}
        )
    state = RegistrationState(entry.before["state"])
    if state is RegistrationState.CHECKED_IN:
        registration_services.return_player(place, actor, is_here=False)
    elif state is RegistrationState.DROPPED:
        by = DroppedBy(entry.before.get("dropped_by") or DroppedBy.STAFF)
        change = event_services.state_change_to_dropped(by)
        event_services.change_states(tournament, [place], actor, change)
        # A player who returns as a late entry is credited with the missed rounds in the next entry.
        following = tournament.log.filter(pk__gt=entry.pk).order_by("pk").first()
        credit = LogAction.MISSED_ROUNDS_CREDITED, entry.registration_id
        if following and (following.action, following.registration_id) == credit:
            late_entries.undo_late_entry(tournament, place, actor)
    elif state is RegistrationState.REGISTERED:
        registration_services.put_back_on_roster(place, actor)
    else:
        registration_services.return_to_waiting_list(place, actor)


def _describe_seed(entry: LogEntry) -> str:
    seed, group = entry.before["seed"], entry.before["avoid_group"]
    if seed and group:
        text = gettext("%(player)s will have seed %(seed)s and group %(group)s.")
    elif seed:
        text = gettext("%(player)s will have seed %(seed)s and no group.")
    elif group:
        text = gettext("%(player)s will have no seed and group %(group)s.")
    else:
        text = gettext("%(player)s will have no seed and no group.")
    return text % {"player": registration_of(entry).player, "seed": seed, "group": group}


def _previous_seeds(entry: LogEntry) -> dict[int, int | None]:
    return {int(number): seed for number, seed in entry.before["seeds"].items()}


def _describe_seeds(entry: LogEntry) -> str:
    seeds = _previous_seeds(entry).values()
    unseeded = sum(seed is None for seed in seeds)
    numbers = {"number": len(seeds), "unseeded": unseeded}
    if unseeded == len(seeds):
        text = ngettext(
            "%(number)s player will have no seed.",
            "%(number)s players will have no seed.",
            len(seeds),
        )
    elif unseeded:
        text = ngettext(
            "%(number)s player will have the previous seed again; %(unseeded)s had none.",
            "%(number)s players will have their previous seeds again; %(unseeded)s of them had "
            "none.",
            len(seeds),
        )
    else:
        text = ngettext(
            "%(number)s player will have the previous seed again.",
            "%(number)s players will have their previous seeds again.",
            len(seeds),
        )
    return text % numbers


def _describe_table_preference(entry: LogEntry) -> str:
    preference = entry.before
    table = preference.get("fixed_table")
    if preference.get("avoids_stream"):
        text = gettext("%(player)s will avoid feature tables.")
    elif "avoids_stream" in preference:
        text = gettext("%(player)s will no longer avoid feature tables.")
    elif table:
        text = gettext("%(player)s will have fixed table %(table)s.")
    else:
        text = gettext("%(player)s will have no fixed table.")
    return text % {"player": registration_of(entry).player, "table": table}


def _restore_table_preference(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place, preference = registration_of(entry), entry.before
    if "avoids_stream" in preference:
        roster_changes.set_avoids_stream(place, actor, avoids=preference["avoids_stream"])
    else:
        roster_changes.set_fixed_table(place, actor, preference["fixed_table"])


def _same_table_preference(entry: LogEntry) -> Q:
    same = Q(action=LogAction.TABLE_WISH_SET, registration=entry.registration_id)
    return same & Q(after__has_any_keys=list(entry.before))


def _describe_name(entry: LogEntry) -> str:
    if entry.before == entry.after:
        raise CannotUndo(
            gettext(
                "Only the pronouns were changed. The log does not store them, so this cannot "
                "be undone."
            )
        )
    return gettext("%(player)s will be %(before)s again.") % {
        "player": registration_of(entry).player,
        "before": entry.before["name"],
    }


def _describe_unmerge(entry: LogEntry) -> str:
    number, player = entry.before["number"], registration_of(entry).player
    if entry.before["merged"]["state"] == RegistrationState.DROPPED:
        text = gettext(
            "Number %(number)s will be on the roster again, dropped as before. %(player)s "
            "loses what came from number %(number)s."
        )
    else:
        text = gettext(
            "Number %(number)s will be on the roster, not checked in, or on the waiting "
            "list if the event is full. %(player)s loses what came from number %(number)s."
        )
    return text % {"number": number, "player": player}


def _about_player(message: str | Promise, entry: LogEntry) -> str:
    return str(message) % {"player": registration_of(entry).player}


_ATTENDANCE_RULE = UndoRule(
    can_run,
    lambda entry: _about_player(STATES_IN_WORDS[RegistrationState(entry.before["state"])], entry),
    _restore_attendance,
    with_same("registration", *ATTENDANCE_ACTIONS),
)


_BYE_RULE = UndoRule(
    can_run,
    lambda entry: _about_player(
        gettext("%(player)s will have no bye in round 1.")
        if entry.action == LogAction.FIRST_ROUND_BYE_GIVEN
        else gettext("%(player)s will have a bye in round 1."),
        entry,
    ),
    lambda entry, actor, _: roster_changes.set_first_round_bye(
        registration_of(entry), actor, has_bye=entry.action == LogAction.FIRST_ROUND_BYE_TAKEN
    ),
    with_same("registration", LogAction.FIRST_ROUND_BYE_GIVEN, LogAction.FIRST_ROUND_BYE_TAKEN),
)


def _is_paid_mark(entry: LogEntry) -> bool:
    return entry.action == LogAction.MARKED_AS_PAID


_PAYMENT_RULE = UndoRule(
    can_mark_paid,
    lambda entry: _about_player(
        gettext("%(player)s will not be marked as paid.")
        if _is_paid_mark(entry)
        else gettext("%(player)s will be marked as paid."),
        entry,
    ),
    lambda entry, actor, _: roster_changes.set_paid(
        entry.tournament, [registration_of(entry)], actor, has_paid=not _is_paid_mark(entry)
    ),
    with_same("registration", *event_log.PAID_MARKS),
)


def _restore_day_two_mark(entry: LogEntry, actor: Actor, _reason: str) -> None:
    if entry.action == LogAction.CHECKED_IN_FOR_DAY_TWO:
        registration_services.undo_check_in(registration_of(entry), actor)
    else:
        registration_services.check_in([registration_of(entry)], actor)


def _restore_day_two_opening(entry: LogEntry, actor: Actor, _reason: str) -> None:
    if entry.action == LogAction.DAY_TWO_CHECK_IN_OPENED:
        registration_services.close_day_two_check_in(entry.tournament, actor)
    else:
        registration_services.open_day_two_check_in(entry.tournament, actor)


_DAY_TWO_MARK_RULE = UndoRule(
    can_open_desk,
    lambda entry: _about_player(
        gettext("%(player)s will not be checked in for day 2.")
        if entry.action == LogAction.CHECKED_IN_FOR_DAY_TWO
        else gettext("%(player)s will be checked in for day 2."),
        entry,
    ),
    _restore_day_two_mark,
    with_same("registration", *event_log.DAY_TWO_MARKS, LogAction.PLAYER_DROPPED),
)
_DAY_TWO_OPENING_RULE = UndoRule(
    can_run,
    lambda entry: (
        gettext("Check-in for day 2 will be closed.")
        if entry.action == LogAction.DAY_TWO_CHECK_IN_OPENED
        else gettext("Check-in for day 2 will start again, with no player checked in.")
    ),
    _restore_day_two_opening,
    with_actions(*event_log.DAY_TWO_OPENINGS),
)


ROSTER_RULES: dict[str, UndoRule] = {
    **dict.fromkeys(ATTENDANCE_ACTIONS, _ATTENDANCE_RULE),
    LogAction.FIRST_ROUND_BYE_GIVEN: _BYE_RULE,
    LogAction.FIRST_ROUND_BYE_TAKEN: _BYE_RULE,
    LogAction.SEED_AND_GROUP_SET: UndoRule(
        can_run,
        _describe_seed,
        lambda entry, actor, _: roster_changes.set_seed_and_group(
            registration_of(entry), actor, **entry.before
        ),
        lambda entry: (
            Q(action=LogAction.SEED_AND_GROUP_SET, registration=entry.registration_id)
            | Q(action=LogAction.SEEDED_BY_RATING)
        ),
    ),
    LogAction.SEEDED_BY_RATING: UndoRule(
        can_run,
        _describe_seeds,
        lambda entry, actor, _: roster_changes.set_seeds(
            entry.tournament, actor, _previous_seeds(entry), entry.subject
        ),
        with_actions(LogAction.SEEDED_BY_RATING, LogAction.SEED_AND_GROUP_SET),
    ),
    **dict.fromkeys(event_log.PAID_MARKS, _PAYMENT_RULE),
    **dict.fromkeys(event_log.DAY_TWO_MARKS, _DAY_TWO_MARK_RULE),
    **dict.fromkeys(event_log.DAY_TWO_OPENINGS, _DAY_TWO_OPENING_RULE),
    LogAction.MOVED_ON_THE_WAITING_LIST: UndoRule(
        can_run,
        lambda entry: (
            gettext("%(player)s will be %(ordinal)s on the waiting list again.")
            % {
                "player": registration_of(entry).player,
                "ordinal": ordinal(entry.before["place"]),
            }
        ),
        lambda entry, actor, reason: registration_services.move_on_waiting_list(
            registration_of(entry), actor, place=entry.before["place"], reason=reason
        ),
        with_actions(LogAction.MOVED_ON_THE_WAITING_LIST),
    ),
    LogAction.TABLE_WISH_SET: UndoRule(
        can_run, _describe_table_preference, _restore_table_preference, _same_table_preference
    ),
    LogAction.PLAYER_RENAMED: UndoRule(
        can_run,
        _describe_name,
        lambda entry, actor, _: guests.rename_guest(
            registration_of(entry), actor, entry.before["name"]
        ),
        with_same("registration", LogAction.PLAYER_RENAMED),
    ),
    LogAction.ENTRIES_MERGED: UndoRule(
        can_run,
        _describe_unmerge,
        lambda entry, actor, _: roster_changes.undo_entry_merge(
            registration_of(entry),
            entry.before["number"],
            entry.before["merged"],
            entry.after["merged"],
            actor,
        ),
        with_same("registration", LogAction.ENTRIES_MERGED),
    ),
}


# Settings and staff roles


_same_registration_switch = with_actions(
    LogAction.REGISTRATION_OPENED, LogAction.REGISTRATION_CLOSED
)
_same_event_end = with_actions(LogAction.EVENT_FINISHED, LogAction.EVENT_REOPENED)


def _restore_settings(entry: LogEntry, actor: Actor, _reason: str) -> None:
    values = {}
    for key, logged in entry.before.items():
        field = (Stage if key == "system" else Tournament)._meta.get_field(key)
        assert isinstance(field, Field)
        values[key] = field.to_python(logged)
    settings_services.change_settings(entry.tournament, actor, **values)


def _describe_settings(entry: LogEntry) -> str:
    settings = []
    for key, value in entry.before.items():
        if value is None or value == "":
            words = gettext("nothing")
        elif isinstance(value, bool):
            words = gettext("yes") if value else gettext("no")
        else:
            words = ", ".join(map(str, value)) if isinstance(value, list | dict) else str(value)
        settings.append(f"{key.replace('_', ' ')}: {words}")
    return gettext("These settings will be restored: %(settings)s.") % {
        "settings": "; ".join(settings)
    }


def _account_of(entry: LogEntry) -> User:
    key: int = {**entry.before, **entry.after}.get("account", 0)
    user = User.objects.filter(pk=key).first()
    if user is None:
        raise CannotUndo(gettext("This account no longer exists."))
    return user


def _describe_role(entry: LogEntry) -> str:
    role = entry.before.get("role")
    if not role:
        return gettext("%(account)s will have no role at this event.") % {
            "account": _account_of(entry)
        }
    return gettext("%(account)s will be %(role)s at this event.") % {
        "account": _account_of(entry),
        "role": StaffRole(role).label,
    }


def _restore_role(entry: LogEntry, actor: Actor, _reason: str) -> None:
    user, role = _account_of(entry), entry.before.get("role")
    if role:
        settings_services.give_role(entry.tournament, actor, user, role)
        return
    member = entry.tournament.staff.filter(user=user).first()
    if member is None:
        raise CannotUndo(gettext("%(user)s no longer has a role at this event.") % {"user": user})
    settings_services.remove_role(entry.tournament, actor, member)


def _same_account(entry: LogEntry) -> Q:
    key = _account_of(entry).pk
    return Q(action__in=(LogAction.ROLE_GIVEN, LogAction.ROLE_TAKEN)) & (
        Q(after__account=key) | Q(before__account=key)
    )


_ROLE_RULE = UndoRule(can_own, _describe_role, _restore_role, _same_account)


EVENT_RULES: dict[str, UndoRule] = {
    LogAction.SETTINGS_CHANGED: UndoRule(
        can_run,
        _describe_settings,
        _restore_settings,
        lambda entry: Q(
            action__in=event_log.SETTING_CHANGES, after__has_any_keys=list(entry.before)
        ),
    ),
    LogAction.REGISTRATION_OPENED: UndoRule(
        can_run,
        lambda _: gettext("Registration will be closed."),
        lambda entry, actor, _: settings_services.set_registration(
            entry.tournament, actor, is_open=False
        ),
        _same_registration_switch,
    ),
    LogAction.REGISTRATION_CLOSED: UndoRule(
        can_run,
        lambda _: gettext("Registration will be open again."),
        lambda entry, actor, _: settings_services.set_registration(
            entry.tournament, actor, is_open=True
        ),
        _same_registration_switch,
    ),
    LogAction.ROLE_GIVEN: _ROLE_RULE,
    LogAction.ROLE_TAKEN: _ROLE_RULE,
    LogAction.EVENT_FINISHED: UndoRule(
        can_own,
        lambda _: gettext("The event will be open again."),
        lambda entry, actor, reason: settings_services.reopen_event(
            entry.tournament, actor, reason
        ),
        _same_event_end,
    ),
    LogAction.EVENT_REOPENED: UndoRule(
        can_run,
        lambda _: gettext("The event will be finished again."),
        lambda entry, actor, _: settings_services.finish_event(entry.tournament, actor),
        _same_event_end,
    ),
}


# Decks


DECK_LOCK_ACTIONS = (LogAction.DECK_LOCKED, LogAction.DECK_LOCKED_BY_STAFF)
_same_lock_of_all = with_actions(LogAction.ALL_DECKS_LOCKED, LogAction.ALL_DECKS_OPENED)
_same_deck_reveal = with_actions(LogAction.DECKS_REVEALED, LogAction.DECKS_HIDDEN)


def _deck_of(entry: LogEntry) -> DeckSubmission:
    place = registration_of(entry)
    deck = place.deck_submissions.filter(side=entry.after["side"]).first()
    if deck is None:
        raise CannotUndo(gettext("%(player)s no longer has this deck.") % {"player": place.player})
    deck.registration = place
    return deck


def _same_deck(entry: LogEntry) -> Q:
    return Q(
        action__in=(*DECK_LOCK_ACTIONS, LogAction.DECK_UNLOCKED),
        registration=entry.registration_id,
        after__side=entry.after["side"],
    )


def _about_deck(message: str, entry: LogEntry) -> str:
    return message % {
        "side": _deck_of(entry).get_side_display(),
        "player": registration_of(entry).player,
    }


_UNLOCK_RULE = UndoRule(
    can_judge,
    lambda entry: _about_deck(gettext("%(player)s can change the %(side)s deck again."), entry),
    lambda entry, actor, reason: decklists_services.unlock_deck(_deck_of(entry), actor, reason),
    _same_deck,
)


def _same_waiver(entry: LogEntry) -> Q:
    return Q(action__in=deck_queries.WAIVER_CHANGES, registration=entry.registration_id)


DECK_RULES: dict[str, UndoRule] = {
    LogAction.DECK_PROBLEM_WAIVED: UndoRule(
        can_judge,
        lambda entry: _about_player(
            gettext("The deck problems of %(player)s will be listed again."), entry
        ),
        lambda entry, actor, reason: decklists_services.withdraw_waiver(
            registration_of(entry), actor, reason
        ),
        _same_waiver,
    ),
    LogAction.DECK_WAIVER_WITHDRAWN: UndoRule(
        can_judge,
        lambda entry: _about_player(
            gettext("The deck problems of %(player)s will be waived again."), entry
        ),
        lambda entry, actor, _: decklists_services.restore_waiver(
            registration_of(entry), actor, **entry.before
        ),
        _same_waiver,
    ),
    LogAction.ALL_DECKS_LOCKED: UndoRule(
        can_run,
        lambda _: gettext("Players can change their decklists again."),
        lambda entry, actor, reason: decklists_services.reopen_all_decks(
            entry.tournament, actor, reason
        ),
        _same_lock_of_all,
    ),
    LogAction.ALL_DECKS_OPENED: UndoRule(
        can_run,
        lambda _: gettext("Players can no longer change their decklists."),
        lambda entry, actor, _: decklists_services.lock_all_decks(entry.tournament, actor),
        _same_lock_of_all,
    ),
    LogAction.DECKS_REVEALED: UndoRule(
        can_run,
        lambda _: gettext("Decks will be visible as set for each stage."),
        lambda entry, actor, _: decklists_services.set_decks_revealed(
            entry.tournament, actor, revealed=False
        ),
        _same_deck_reveal,
    ),
    LogAction.DECKS_HIDDEN: UndoRule(
        can_run,
        lambda _: gettext("Everyone will see all decks again."),
        lambda entry, actor, _: decklists_services.set_decks_revealed(
            entry.tournament, actor, revealed=True
        ),
        _same_deck_reveal,
    ),
    **dict.fromkeys(DECK_LOCK_ACTIONS, _UNLOCK_RULE),
    LogAction.DECK_UNLOCKED: UndoRule(
        can_judge,
        lambda entry: _about_deck(
            gettext("The %(side)s deck of %(player)s will be locked again."), entry
        ),
        lambda entry, actor, _: decklists_services.lock_deck_by_staff(_deck_of(entry), actor),
        _same_deck,
    ),
}
