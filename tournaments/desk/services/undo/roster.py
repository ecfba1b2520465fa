"""Players: here or not, out and back, first-round byes, seeds."""

from django.db.models import Q

from tournaments.desk.services.undo.kinds import CannotUndo, Kind, on_same, place_of
from tournaments.event import attendance, history, permissions
from tournaments.event.actors import Actor
from tournaments.models import DroppedBy, LogAction, LogEntry, RegistrationState
from tournaments.registration.services import registrations, rosters
from tournaments.rounds.services import seeding

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
        registrations.return_(place, actor)
    elif state is RegistrationState.DROPPED:
        by = DroppedBy(entry.before.get("dropped_by") or DroppedBy.STAFF)
        attendance.move(tournament, [place], actor, attendance.leaving(by))
    elif state is RegistrationState.REGISTERED:
        registrations.undo_check_in(place, actor)
    else:
        registrations.wait_again(place, actor)


def _says_seed(entry: LogEntry) -> str:
    seed, group = entry.before["seed"], entry.before["avoid_group"]
    seeded = f"seed {seed}" if seed else "no seed"
    grouped = f"the group {group}" if group else "no group"
    return f"{place_of(entry).player} will have {seeded} and {grouped}."


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


_run = permissions.can_run
_moving = Kind(
    _run,
    lambda entry: f"{place_of(entry).player} {WORDS[RegistrationState(entry.before['state'])]}.",
    _move_back,
    on_same("registration", *MOVES),
)
KINDS: dict[str, Kind] = {
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
        lambda entry, actor, _: seeding.set_seed_and_group(place_of(entry), actor, **entry.before),
        on_same("registration", LogAction.SEED_AND_GROUP_SET),
    ),
    LogAction.TABLE_WISH_SET: Kind(_run, _says_wish, _wish_back, _same_wish),
}
