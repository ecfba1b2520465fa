"""Undo rules for the roster: attendance, names, seeds, byes and merges."""

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import Q

from core.text import counted
from tournaments.desk.services.undo_kinds import CannotUndo, Kind, of_event, on_same, place_of
from tournaments.event import attendance, history, permissions
from tournaments.event.actors import Actor
from tournaments.models import DroppedBy, LogAction, LogEntry, RegistrationState, log_actions
from tournaments.registration.services import (
    merging,
    profiles,
    registrations,
    rosters,
    second_day,
    seeding,
    waiting_list,
)
from tournaments.rounds.services import late_entries

_run = permissions.can_run
MOVES = (
    LogAction.PLAYER_CHECKED_IN,
    LogAction.CHECK_IN_TAKEN_BACK,
    LogAction.PLAYER_DROPPED,
    LogAction.PLAYER_RETURNED,
)
WORDS = {
    RegistrationState.CHECKED_IN: "will be checked in and play from the next draft on",
    RegistrationState.REGISTERED: "will be on the roster, not checked in",
    RegistrationState.DROPPED: "will be out: no further pairings, all rounds played stay",
    RegistrationState.WAITING: "will be on the waiting list",
}


def _move_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place = place_of(entry)
    place.tournament = tournament = history.lock_unfinished(entry.tournament)
    if place.state != entry.after.get("state"):
        raise CannotUndo(f"{place.player} is {place.get_state_display()} by now.")
    state = RegistrationState(entry.before["state"])
    if state is RegistrationState.CHECKED_IN:
        registrations.return_(place, actor, is_here=False)
    elif state is RegistrationState.DROPPED:
        by = DroppedBy(entry.before.get("dropped_by") or DroppedBy.STAFF)
        attendance.move(tournament, [place], actor, attendance.leaving(by))
        if _brought_missed_rounds(entry):
            late_entries.take_back(tournament, place, actor)
    elif state is RegistrationState.REGISTERED:
        registrations.put_back(place, actor)
    else:
        waiting_list.wait_again(place, actor)


def _brought_missed_rounds(entry: LogEntry) -> bool:
    """Return True if the player returned as a late entry.

    In that case the next log entry credits the missed rounds.
    """
    after = entry.tournament.log.filter(pk__gt=entry.pk).order_by("pk").first()
    return (
        after is not None
        and after.action == LogAction.MISSED_ROUNDS_CREDITED
        and after.registration_id == entry.registration_id
    )


def _says_seed(entry: LogEntry) -> str:
    seed, group = entry.before["seed"], entry.before["avoid_group"]
    seeded = f"seed {seed}" if seed else "no seed"
    grouped = f"the group {group}" if group else "no group"
    return f"{place_of(entry).player} will have {seeded} and {grouped}."


_seeding = of_event(LogAction.SEEDED_BY_RATING)


def _seeds(entry: LogEntry) -> dict[int, int | None]:
    return {int(number): seed for number, seed in entry.before["seeds"].items()}


def _says_seeds(entry: LogEntry) -> str:
    seeds = _seeds(entry).values()
    unseeded = sum(seed is None for seed in seeds)
    if unseeded == len(seeds):
        return f"{counted(unseeded, 'player')} will have no seed."
    return f"{counted(len(seeds), 'player')} will have the seeds they had, {unseeded} of them none."


def _seeds_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    seeding.set_seeds(entry.tournament, actor, _seeds(entry), entry.subject)


def _same_seed(entry: LogEntry) -> Q:
    """Match manual seeding of the player, and any seeding by rating."""
    return on_same("registration", LogAction.SEED_AND_GROUP_SET)(entry) | _seeding(entry)


def _says_wish(entry: LogEntry) -> str:
    wish, name = entry.before, place_of(entry).player
    if "avoids_stream" in wish:
        return f"{name} will {'avoid' if wish['avoids_stream'] else 'not mind'} the stream."
    table = wish["fixed_table"]
    return f"{name} will have {f'table {table}' if table else 'no table of their own'}."


def _wish_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place, wish = place_of(entry), entry.before
    if "avoids_stream" in wish:
        rosters.set_avoids_stream(place, actor, avoids=wish["avoids_stream"])
    else:
        rosters.set_fixed_table(place, actor, wish["fixed_table"])


def _same_wish(entry: LogEntry) -> Q:
    same = Q(action=LogAction.TABLE_WISH_SET, registration=entry.registration_id)
    return same & Q(after__has_any_keys=list(entry.before))


def _says_name(entry: LogEntry) -> str:
    if entry.before == entry.after:
        raise CannotUndo("Only the pronouns were changed, and the log does not keep those.")
    return f"{place_of(entry).player} will be {entry.before['name']} again."


def _name_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    place = place_of(entry)
    profiles.rename(place, actor, entry.before["name"])


def _says_apart(entry: LogEntry) -> str:
    number, kept = entry.before["number"], place_of(entry).player
    back = f"{kept} gives back what came with number {number}."
    if entry.before["merged"]["state"] == RegistrationState.DROPPED:
        return f"Number {number} will be on the roster again, dropped as before. {back}"
    return (
        f"Number {number} will be on the roster, not checked in, or on the waiting list where all "
        f"places are taken. {back}"
    )


def _apart(entry: LogEntry, actor: Actor, _reason: str) -> None:
    gone, taken = entry.before["merged"], entry.after["merged"]
    merging.take_apart(place_of(entry), entry.before["number"], gone, taken, actor)


_moving = Kind(
    _run,
    lambda entry: f"{place_of(entry).player} {WORDS[RegistrationState(entry.before['state'])]}.",
    _move_back,
    on_same("registration", *MOVES),
)


def _was_marked(entry: LogEntry) -> bool:
    return entry.action == LogAction.MARKED_AS_PAID


_paying = Kind(
    permissions.can_mark_paid,
    lambda entry: (
        f"{place_of(entry).player} will {'not ' if _was_marked(entry) else ''}be marked as paid."
    ),
    lambda entry, actor, _: rosters.set_paid(
        entry.tournament, [place_of(entry)], actor, has_paid=not _was_marked(entry)
    ),
    on_same("registration", *log_actions.PAID_MARKS),
)


def _day_two_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    if entry.action == LogAction.CHECKED_IN_FOR_DAY_TWO:
        registrations.undo_check_in(place_of(entry), actor)
    else:
        registrations.check_in([place_of(entry)], actor)


def _opening_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    if entry.action == LogAction.DAY_TWO_CHECK_IN_OPENED:
        second_day.close_check_in(entry.tournament, actor)
    else:
        second_day.open_check_in(entry.tournament, actor)


_arriving_again = Kind(
    permissions.can_open_desk,
    lambda entry: (
        f"{place_of(entry).player} will "
        f"{'not ' if entry.action == LogAction.CHECKED_IN_FOR_DAY_TWO else ''}be checked in for "
        "day 2."
    ),
    _day_two_back,
    on_same("registration", *log_actions.DAY_TWO_MARKS, LogAction.PLAYER_DROPPED),
)
_opening_day_two = Kind(
    _run,
    lambda entry: (
        "Nobody has to check in again for day 2."
        if entry.action == LogAction.DAY_TWO_CHECK_IN_OPENED
        else "Players check in again for day 2, from the beginning."
    ),
    _opening_back,
    of_event(*log_actions.DAY_TWO_OPENING),
)


ROSTER: dict[str, Kind] = {
    **dict.fromkeys(MOVES, _moving),
    LogAction.FIRST_ROUND_BYE_GIVEN: Kind(
        _run,
        lambda entry: f"{place_of(entry).player} will have no bye in round 1.",
        lambda entry, actor, _: rosters.set_first_round_bye(place_of(entry), actor, has_bye=False),
        on_same("registration", LogAction.FIRST_ROUND_BYE_GIVEN, LogAction.FIRST_ROUND_BYE_TAKEN),
    ),
    LogAction.FIRST_ROUND_BYE_TAKEN: Kind(
        _run,
        lambda entry: f"{place_of(entry).player} will have a bye in round 1.",
        lambda entry, actor, _: rosters.set_first_round_bye(place_of(entry), actor, has_bye=True),
        on_same("registration", LogAction.FIRST_ROUND_BYE_GIVEN, LogAction.FIRST_ROUND_BYE_TAKEN),
    ),
    LogAction.SEED_AND_GROUP_SET: Kind(
        _run,
        _says_seed,
        lambda entry, actor, _: rosters.set_seed_and_group(place_of(entry), actor, **entry.before),
        _same_seed,
    ),
    LogAction.SEEDED_BY_RATING: Kind(
        _run,
        _says_seeds,
        _seeds_back,
        of_event(LogAction.SEEDED_BY_RATING, LogAction.SEED_AND_GROUP_SET),
    ),
    **dict.fromkeys(log_actions.PAID_MARKS, _paying),
    **dict.fromkeys(log_actions.DAY_TWO_MARKS, _arriving_again),
    **dict.fromkeys(log_actions.DAY_TWO_OPENING, _opening_day_two),
    LogAction.MOVED_ON_THE_WAITING_LIST: Kind(
        _run,
        lambda entry: (
            f"{place_of(entry).player} will be {ordinal(entry.before['place'])} on the waiting "
            "list again."
        ),
        lambda entry, actor, reason: waiting_list.move(
            place_of(entry), actor, place=entry.before["place"], reason=reason
        ),
        of_event(LogAction.MOVED_ON_THE_WAITING_LIST),
    ),
    LogAction.TABLE_WISH_SET: Kind(_run, _says_wish, _wish_back, _same_wish),
    LogAction.PLAYER_RENAMED: Kind(
        _run, _says_name, _name_back, on_same("registration", LogAction.PLAYER_RENAMED)
    ),
    LogAction.ENTRIES_MERGED: Kind(
        _run,
        _says_apart,
        _apart,
        on_same("registration", LogAction.ENTRIES_MERGED),
    ),
}
