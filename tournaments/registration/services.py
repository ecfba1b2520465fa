"""Sign-up, check-in and drops, the waiting list, seats before round 1 and day 2."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal
from core.rate_limits import increment_counter
from core.text import comparison_key
from engine.table_plan import MAX_SEATS, MIN_SEATS, MeetingGuest, meeting_tables, parse_ranges
from players import services as player_services
from players.models import Player, User
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.permissions import NOBODY, Actor
from tournaments.event.services import ROWS_PER_STATEMENT, StateChange, state_change_to_dropped
from tournaments.models import DroppedBy, LogAction, Registration, RegistrationState, Tournament
from tournaments.models.codes import registration_of_code
from tournaments.rounds import late_entries
from tournaments.rounds.late_entries import RegistrationClosed

PLACE_MOVE = StateChange(RegistrationState.REGISTERED, LogAction.MOVED_UP)
WAITING_LIST_MOVE = StateChange(RegistrationState.WAITING, LogAction.PLAYER_ON_THE_WAITING_LIST)
CHECK_IN_MOVE = StateChange(RegistrationState.CHECKED_IN, LogAction.PLAYER_CHECKED_IN)
UNDO_CHECK_IN_MOVE = StateChange(RegistrationState.REGISTERED, LogAction.CHECK_IN_TAKEN_BACK)
RETURN_MOVE = StateChange(RegistrationState.CHECKED_IN, LogAction.PLAYER_RETURNED)

SIGN_UP_WINDOW = 600  # seconds


class EventIsFull(RegistrationClosed):
    pass


class TooManySignUps(RegistrationClosed):
    code = "too_many_guests"


class NotInvited(RegistrationClosed):
    pass


class NameTaken(RegistrationClosed):
    """The name is on the roster, and the user has not confirmed a different player."""


class OrderIsFixed(RegistrationClosed):
    """A round robin has begun, so its players and pairings are fixed."""


class CheckInClosed(Refusal):
    pass


class CannotReturn(Refusal):
    pass


class AlreadyPlayed(Refusal):
    """A player who has been paired cannot be removed from the roster."""


@transaction.atomic
def register_player(
    tournament: Tournament, player: Player, actor: Actor, *, address: str = ""
) -> Registration:
    """Register a player, or return the existing registration.

    In a full event the player goes on the waiting list, if there is one. Raises RegistrationClosed
    if registration is closed, full or too late, or after too many sign-ups from `address`.
    """
    locked = history.lock_unfinished(tournament)
    present = locked.registration_of(player)
    if present is not None:
        return present
    _refuse_erased_or_merged(player)
    _refuse_uninvited(locked, player)
    _refuse_closed_registration(locked)
    _refuse_many_sign_ups(locked, address)
    return _create_registration(locked, player, actor)


@transaction.atomic
def register_guest(
    tournament: Tournament,
    name: str,
    pronouns: str = "",
    user: User | None = None,
    *,
    address: str = "",
    is_another: bool = False,
) -> Registration:
    """Register a new player by name, like `register_player`; `user` is their account, if any.

    Also raises NameTaken, unless `is_another` confirms a different player of the same name.
    """
    locked = history.lock_unfinished(tournament)
    _refuse_uninvited(locked, None)
    _refuse_closed_registration(locked)
    # Forms also check similar names; an exact match here is usually a double click on "Join".
    has_name = locked.registrations.filter(player__name_key=comparison_key(name))
    if not is_another and has_name.exists():
        raise NameTaken(
            _(
                "%(name)s is already registered. If you have just joined, you are in. If you "
                "are a different person, join again and tick the box that says so."
            )
            % {"name": name}
        )
    _refuse_many_sign_ups(locked, address)
    player = player_services.create_player(name, pronouns, user=user)
    return _create_registration(locked, player, Actor(user=user, player=player))


def _refuse_erased_or_merged(player: Player) -> None:
    # Lock the player, so that a concurrent clean-up of inactive players sees the registration.
    locked = Player.objects.select_for_update().get(pk=player.pk)
    if locked.erased_at is not None:
        raise RegistrationClosed(_("This player has been erased. Join again with your name."))
    if locked.merged_into_id is not None:
        raise RegistrationClosed(
            _("This record was just merged into another one. Join as that player.")
        )


def _refuse_uninvited(tournament: Tournament, player: Player | None) -> None:
    if tournament.admits(player):
        return
    series = tournament.qualifying_series_names()
    if not series:
        raise NotInvited(
            _(
                "This event is by invitation, for players chosen by the organiser. If you are "
                "invited, log in or open your personal link first. Otherwise ask the organiser "
                "for a place."
            )
        )
    raise NotInvited(
        ngettext(
            "This event is by invitation, for players who qualified in %(series)s. If you "
            "qualified, log in or open your personal link first. Otherwise ask the organiser for a "
            "place.",
            "This event is by invitation, for players who qualified in one of these series: "
            "%(series)s. If you qualified, log in or open your personal link first. Otherwise ask "
            "the organiser for a place.",
            len(series),
        )
        % {"series": ", ".join(series)}
    )


def _refuse_closed_registration(tournament: Tournament) -> None:
    refuse_fixed_order(tournament)
    if not tournament.accepts_registrations:
        raise RegistrationClosed(_("Registration is closed. Ask the organiser to add you."))
    late_entries.refuse_too_late(tournament)
    if not tournament.can_register():
        raise EventIsFull(
            _("All %(max_players)s places are taken. Ask the organiser about a place.")
            % {"max_players": tournament.max_players}
        )


def _refuse_many_sign_ups(tournament: Tournament, address: str) -> None:
    limit = tournament.guests_per_address
    if not address or limit is None:
        return
    if increment_counter(f"sign-ups:{tournament.pk}:{address}", SIGN_UP_WINDOW) > limit:
        raise TooManySignUps(
            _(
                "%(limit)s players have joined from your network in the last ten minutes. "
                "Wait a few minutes, or ask the organiser to add you."
            )
            % {"limit": limit}
        )


def _create_registration(tournament: Tournament, player: Player, actor: Actor) -> Registration:
    waits = tournament.takes_waiting()
    registration = Registration.objects.create(
        tournament=tournament,
        player=player,
        number=tournament.next_player_number(),
        state=RegistrationState.WAITING if waits else RegistrationState.REGISTERED,
        # A late entry plays from the next round without a draft.
        joined_in_round=tournament.next_round_number(),
    )
    action = LogAction.PLAYER_ON_THE_WAITING_LIST if waits else LogAction.PLAYER_REGISTERED
    history.record(tournament, actor, action, registration)
    return registration


def refuse_fixed_order(tournament: Tournament) -> None:
    if tournament.numbers_in_fixed_order() is not None:
        raise OrderIsFixed(
            _("This round robin has begun and its pairings are fixed, so no one else can join.")
        )


@transaction.atomic
def check_in(registrations: Sequence[Registration], actor: Actor, *, late_reason: str = "") -> int:
    """Check the players in, and return how many were not checked in before.

    While check-in for day 2 is open, its players check in again. Ignores dropped players, who need
    `return_player`, and players on the waiting list. Raises OrderIsFixed, and TooLate for new
    players after the last round for late entries, unless there is a `late_reason`.
    """
    if not registrations:
        return 0
    tournament = history.lock_unfinished(registrations[0].tournament)
    arriving = _reload_in_state(tournament, registrations, RegistrationState.REGISTERED)
    _refuse_without_place(tournament, arriving)
    new = late_entries.find_late_entries(tournament, arriving)
    if new:
        late_entries.refuse_too_late(tournament, late_reason)
    event_services.change_states(tournament, arriving, actor, CHECK_IN_MOVE)
    if new and late_reason:
        late_entries.record_late_entry_override(tournament, actor, new, late_reason)
    if new:
        late_entries.admit_late_entries(tournament, new)
    seat_latecomers(tournament)
    again = check_in_for_day_two(tournament, registrations, actor)
    return max(len(arriving), again)


@transaction.atomic
def check_in_self(registration: Registration, actor: Actor) -> None:
    """Check a player in at their own request. Idempotent. Raises CheckInClosed."""
    registration.tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "state", "day_two_at")
    if registration.is_active and not registration.tournament.day_two_check_in_is_open():
        return
    if registration.day_two_at is not None:
        return
    if not registration.can_check_in():
        raise CheckInClosed(
            _(
                "You can check in here on the day of the event, until round 1 is paired. "
                "Ask the staff to check you in."
            )
        )
    check_in([registration], actor)


@transaction.atomic
def undo_check_in(registration: Registration, actor: Actor) -> None:
    """Undo the check-in of an active player. Raises AlreadyPlayed, and CannotReturn."""
    _undo_check_in_from(registration, actor, RegistrationState.CHECKED_IN)


@transaction.atomic
def put_back_on_roster(registration: Registration, actor: Actor) -> None:
    """Like `undo_check_in`, but also put dropped players back on the roster."""
    _undo_check_in_from(
        registration, actor, RegistrationState.CHECKED_IN, RegistrationState.DROPPED
    )


def _undo_check_in_from(
    registration: Registration, actor: Actor, *states: RegistrationState
) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_disqualified(registration)
    if undo_day_two_check_in(tournament, registration, actor):
        return
    if registration.has_been_paired():
        raise AlreadyPlayed(
            _("%(player)s has been paired. Drop the player instead.")
            % {"player": registration.player}
        )
    if reloaded := _reload_in_state(tournament, [registration], *states):
        event_services.change_states(tournament, reloaded, actor, UNDO_CHECK_IN_MOVE)
        late_entries.undo_late_entry(tournament, registration, actor)


@transaction.atomic
def return_player(registration: Registration, actor: Actor, *, is_here: bool = True) -> None:
    """Return a dropped player as staff; they play from the next draft.

    A player dropped before their first round becomes a late entry. If `is_here`, the player is also
    checked in for day 2 while that is open. Raises CannotReturn for disqualified players.
    """
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_disqualified(registration)
    returning = _reload_in_state(
        tournament, [registration], RegistrationState.DROPPED, RegistrationState.REGISTERED
    )
    _return_players(tournament, returning, actor, RETURN_MOVE)
    if is_here:
        check_in_for_day_two(tournament, returning, actor)


@transaction.atomic
def return_self(registration: Registration, actor: Actor) -> None:
    """Return a player who dropped themselves, until a round is published without them.

    If the event is full, they go on the waiting list. Raises CannotReturn, EventIsFull.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration)
    registration.tournament = tournament
    if registration.state != RegistrationState.DROPPED:
        return
    if not registration.can_return():
        raise CannotReturn(
            _("A round was paired without you, or the staff dropped you. Ask the staff.")
        )
    if tournament.takes_waiting():
        put_at_end_of_waiting_list(tournament, registration, actor)
        return
    was_checked_in = registration.checked_in_at is not None
    if _is_place_taken(tournament, was_checked_in=was_checked_in):
        raise EventIsFull(_("Your place is taken, or players are waiting for one. Ask the staff."))
    state = RegistrationState.CHECKED_IN if was_checked_in else RegistrationState.REGISTERED
    _return_players(tournament, [registration], actor, StateChange(state, RETURN_MOVE.action))


def _is_place_taken(tournament: Tournament, *, was_checked_in: bool) -> bool:
    if tournament.waiting_list_moves():
        return tournament.is_full()
    # After round 1 is published, a player who was checked in keeps their place.
    if was_checked_in:
        return False
    return tournament.is_full() or tournament.registrations.waiting_list().exists()


def _return_players(
    tournament: Tournament, returning: Sequence[Registration], actor: Actor, change: StateChange
) -> None:
    if change.to == RegistrationState.CHECKED_IN:
        _refuse_without_place(tournament, returning)
    new = late_entries.find_late_entries(tournament, returning)
    event_services.change_states(tournament, returning, actor, change)
    if new and change.to == RegistrationState.CHECKED_IN:
        late_entries.admit_late_entries(tournament, new)


def _refuse_disqualified(registration: Registration) -> None:
    if registration.is_disqualified():
        raise CannotReturn(
            _("%(player)s is disqualified and cannot return while the penalty applies.")
            % {"player": registration.player}
        )


def _reload_in_state(
    tournament: Tournament, registrations: Sequence[Registration], *states: RegistrationState
) -> list[Registration]:
    rows = tournament.registrations.select_related("player")
    return list(rows.filter(pk__in=[row.pk for row in registrations], state__in=states))


def _refuse_without_place(tournament: Tournament, arriving: Sequence[Registration]) -> None:
    placed = tournament.numbers_in_fixed_order()
    if placed is None:
        return
    late = [str(row.player) for row in arriving if row.number not in placed]
    if late:
        raise OrderIsFixed(
            _(
                "This round robin began without %(late)s, and its pairings are fixed, so "
                "they cannot join."
            )
            % {"late": ", ".join(late)}
        )


@transaction.atomic
def drop_player(registration: Registration, actor: Actor) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    rows = tournament.registrations.select_related("player").filter(pk=registration.pk)
    active = list(rows.exclude(state=RegistrationState.DROPPED))
    is_own = actor.player is not None and actor.player.pk == registration.player_id
    change = state_change_to_dropped(DroppedBy.PLAYER if is_own else DroppedBy.STAFF)
    event_services.change_states(tournament, active, actor, change)
    fill_places(tournament)


# Waiting list


class NotWaiting(Refusal):
    """The player is not on the waiting list, or the requested move is not possible."""


def fill_places(tournament: Tournament) -> list[Registration]:
    """Give free places to the next waiting players, until round 1 is published; return them.

    Requires a locked event. Call it after every change that frees a place.
    """
    if not tournament.waiting_list_moves():
        return []
    waiting = tournament.registrations.waiting_list()
    if tournament.max_players is not None:
        free = tournament.max_players - tournament.places_taken()
        waiting = waiting[: max(0, free)]
    moved = list(waiting)
    if moved:
        event_services.change_states(tournament, moved, NOBODY, PLACE_MOVE)
    return moved


@transaction.atomic
def give_place_to_waiting(registration: Registration, actor: Actor, *, reason: str = "") -> None:
    """Give a waiting player a place as staff; a full event requires a reason."""
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "state")
    if registration.state != RegistrationState.WAITING:
        raise NotWaiting(
            _("%(player)s is no longer on the waiting list.") % {"player": registration.player}
        )
    if tournament.is_full() and not reason.strip():
        raise NotWaiting(
            _(
                "All %(max_players)s places are taken. Give a reason to let %(player)s in "
                "over the limit."
            )
            % {"max_players": tournament.max_players, "player": registration.player}
        )
    event_services.change_states(tournament, [registration], actor, PLACE_MOVE)
    if reason.strip():
        history.record(
            tournament, actor, LogAction.LET_IN_OVER_THE_LIMIT, registration, reason=reason
        )


@transaction.atomic
def move_on_waiting_list(
    registration: Registration, actor: Actor, *, place: int, reason: str
) -> None:
    """Move a waiting player to a different position; 1 moves up next. Raises NotWaiting."""
    tournament = history.lock_unfinished(registration.tournament)
    waiting = list(tournament.registrations.waiting_list())
    before = next((rank for rank, row in enumerate(waiting, 1) if row.pk == registration.pk), None)
    if before is None:
        raise NotWaiting(
            _("%(player)s is no longer on the waiting list.") % {"player": registration.player}
        )
    if not 1 <= place <= len(waiting):
        raise NotWaiting(
            _("Choose a place from 1 to %(waiting)s on the waiting list.")
            % {"waiting": len(waiting)}
        )
    if not reason.strip():
        raise NotWaiting(_("Give a reason. The staff see it in the log."))
    if place == before:
        return
    waiting.insert(place - 1, waiting.pop(before - 1))
    for rank, row in enumerate(waiting, start=1):
        row.waiting_rank = rank
    Registration.objects.bulk_update(waiting, ["waiting_rank"], batch_size=ROWS_PER_STATEMENT)
    history.record(
        tournament,
        actor,
        LogAction.MOVED_ON_THE_WAITING_LIST,
        registration,
        before={"place": before},
        after={"place": place},
        reason=reason.strip(),
    )


@transaction.atomic
def return_to_waiting_list(registration: Registration, actor: Actor) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    rows = tournament.registrations.select_related("player").filter(pk=registration.pk)
    dropped = rows.filter(state=RegistrationState.DROPPED)
    returning = [row for row in dropped if not row.is_disqualified()]
    event_services.change_states(tournament, returning, actor, WAITING_LIST_MOVE)
    fill_places(tournament)


def put_at_end_of_waiting_list(
    tournament: Tournament, registration: Registration, actor: Actor
) -> None:
    """Put a returning player at the end of the waiting list. Requires a locked event."""
    registration.created_at, registration.waiting_rank = timezone.now(), None
    registration.save(update_fields=["created_at", "waiting_rank"])
    event_services.change_states(tournament, [registration], actor, WAITING_LIST_MOVE)


# Seats before round 1, such as for announcements


class NoMeeting(Refusal):
    pass


@transaction.atomic
def seat_meeting(
    tournament: Tournament, actor: Actor, *, seats: int, with_registered: bool = False
) -> int:
    """Assign all seats by name, `seats` players per table, and return the number of players.

    Players who are not checked in get seats only `with_registered`. Raises NoMeeting once round 1
    is published, for an invalid `seats`, and without players.
    """
    locked = history.lock_unfinished(tournament)
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise NoMeeting(
            _("A table seats %(min_seats)s to %(max_seats)s players, not %(seats)s.")
            % {"min_seats": MIN_SEATS, "max_seats": MAX_SEATS, "seats": seats}
        )
    if locked.rounds.published().exists():
        raise NoMeeting(_("Round 1 is published, so players sit at its tables."))
    states = [RegistrationState.CHECKED_IN]
    if with_registered:
        states.append(RegistrationState.REGISTERED)
    _clear_meeting_tables(locked)
    players = list(locked.registrations.filter(state__in=states))
    if not players:
        raise NoMeeting(_("No players are checked in. Check players in first."))
    _assign_meeting_tables(locked, players, seats)
    locked.meeting_seats = seats
    locked.save(update_fields=["meeting_seats"])
    history.record(locked, actor, LogAction.PLAYERS_SEATED, after={"players": len(players)})
    return len(players)


@transaction.atomic
def clear_meeting(tournament: Tournament, actor: Actor) -> None:
    locked = history.lock_unfinished(tournament)
    if locked.meeting_seats is None:
        return
    _clear_meeting_tables(locked)
    locked.meeting_seats = None
    locked.save(update_fields=["meeting_seats"])
    history.record(locked, actor, LogAction.MEETING_CLEARED)


def seat_latecomers(locked: Tournament) -> None:
    """Seat checked-in players without a seat, while the meeting is on. Requires a locked event."""
    if not locked.meeting_is_on():
        return
    assert locked.meeting_seats is not None
    late = list(locked.registrations.active().filter(meeting_table=None))
    if late:
        seated = locked.registrations.seated_for_meeting()
        _assign_meeting_tables(locked, [*seated, *late], locked.meeting_seats)


def _clear_meeting_tables(tournament: Tournament) -> None:
    tournament.registrations.exclude(meeting_table=None).update(meeting_table=None)


def _assign_meeting_tables(
    tournament: Tournament, players: Sequence[Registration], seats: int
) -> None:
    guests = [MeetingGuest(entry.fixed_table, entry.meeting_table) for entry in players]
    tables = meeting_tables(guests, seats, parse_ranges(tournament.table_numbers))
    for entry, table in zip(players, tables, strict=True):
        entry.meeting_table = table
    Registration.objects.bulk_update(players, ["meeting_table"], batch_size=ROWS_PER_STATEMENT)


# Day 2


class NotDayTwo(Refusal):
    """Day 2 does not begin now, or its check-in is not open."""


class MissingHaveChanged(Refusal):
    pass


@transaction.atomic
def open_day_two_check_in(tournament: Tournament, actor: Actor) -> None:
    """Open check-in for day 2; all its players check in again. Idempotent. Raises NotDayTwo."""
    locked = history.lock_unfinished(tournament)
    if not locked.begins_day_two():
        raise NotDayTwo(_day_two_too_early(locked))
    if locked.day_two_opened_at is not None:
        return
    locked.registrations.exclude(day_two_at=None).update(day_two_at=None)
    _set_day_two_check_in(locked, actor, is_open=True)


@transaction.atomic
def close_day_two_check_in(tournament: Tournament, actor: Actor) -> None:
    """Close check-in that was opened by mistake. Raises NotDayTwo."""
    locked = history.lock_unfinished(tournament)
    if not locked.day_two_check_in_is_open():
        raise NotDayTwo(_("Check-in for day 2 is not open."))
    _set_day_two_check_in(locked, actor, is_open=False)


def discard_day_two_check_ins(tournament: Tournament, actor: Actor) -> None:
    """Discard the check-ins if day 2 begins with a different round. Requires a locked event."""
    if tournament.day_two_opened_at is not None:
        tournament.registrations.exclude(day_two_at=None).update(day_two_at=None)
        _set_day_two_check_in(tournament, actor, is_open=False)


def _set_day_two_check_in(tournament: Tournament, actor: Actor, *, is_open: bool) -> None:
    tournament.day_two_opened_at = timezone.now() if is_open else None
    tournament.save(update_fields=["day_two_opened_at"])
    action = LogAction.DAY_TWO_CHECK_IN_OPENED if is_open else LogAction.DAY_TWO_CHECK_IN_CLOSED
    history.record(tournament, actor, action)


def _day_two_too_early(tournament: Tournament) -> str:
    if tournament.day_two_on is None:
        return _("This event has no day 2. Set its date in the settings.")
    if tournament.day_two_round is not None:
        return _(
            "Day 2 begins with round %(day_two_round)s. Check-in can open once the round "
            "before it is closed, and ends when round %(day_two_round)s is paired."
        ) % {"day_two_round": tournament.day_two_round}
    return _("Day 2 begins with the cut. Check-in opens once the last round before it is closed.")


def check_in_for_day_two(
    tournament: Tournament, registrations: Sequence[Registration], actor: Actor
) -> int:
    # Requires a locked event.
    if not tournament.day_two_check_in_is_open():
        return 0
    keys = [registration.pk for registration in registrations]
    arriving = list(tournament.missing_on_day_two().filter(pk__in=keys))
    for registration in arriving:
        registration.day_two_at = timezone.now()
    Registration.objects.bulk_update(arriving, ["day_two_at"], batch_size=ROWS_PER_STATEMENT)
    changes = [history.LoggedChange(registration) for registration in arriving]
    history.record_all(tournament, actor, LogAction.CHECKED_IN_FOR_DAY_TWO, changes)
    return len(arriving)


def undo_day_two_check_in(tournament: Tournament, registration: Registration, actor: Actor) -> bool:
    # Requires a locked event. If True, the check-in of day 1 remains.
    if not tournament.day_two_check_in_is_open():
        return False
    players = tournament.day_two_players().filter(pk=registration.pk)
    if players.exclude(day_two_at=None).update(day_two_at=None):
        history.record(tournament, actor, LogAction.DAY_TWO_CHECK_IN_TAKEN_BACK, registration)
    return players.exists()


@transaction.atomic
def drop_missing_on_day_two(tournament: Tournament, numbers: Collection[int], actor: Actor) -> int:
    """Drop all players not checked in for day 2, and return their number.

    Raises NotDayTwo, and MissingHaveChanged unless they are the players with these `numbers`.
    """
    locked = history.lock_unfinished(tournament)
    if not locked.day_two_check_in_is_open():
        raise NotDayTwo(_("Check-in for day 2 is not open."))
    missing = list(locked.missing_on_day_two())
    if {registration.number for registration in missing} != set(numbers):
        raise MissingHaveChanged(_("The list has changed. Check the names again, then drop them."))
    change = state_change_to_dropped(DroppedBy.DAY_TWO)
    event_services.change_states(locked, missing, actor, change)
    return len(missing)


# Check-in at the door


class DoorOutcome(StrEnum):
    """Result at the door: checked in now, already checked in, or refused."""

    IN = "in"
    ALREADY = "already"
    NO = "no"


@dataclass(frozen=True)
class Arrival:
    """Answer at the door, below the player's name.

    `registration` is None if the code is not from this event.
    """

    outcome: DoorOutcome
    words: str
    registration: Registration | None = None


def check_in_by_code(tournament: Tournament, code: str, actor: Actor) -> Arrival:
    key = registration_of_code(code)
    if key is None:
        return Arrival(DoorOutcome.NO, _("This is not a check-in code."))
    registration = Registration.objects.filter(pk=key).select_related("player").first()
    if registration is None:
        return Arrival(DoorOutcome.NO, _("This player is no longer on the roster."))
    if registration.tournament_id != tournament.pk:
        return Arrival(DoorOutcome.NO, _("This is the code of another event."))
    return check_in_at_door(tournament, registration, actor)


@transaction.atomic
def check_in_at_door(tournament: Tournament, registration: Registration, actor: Actor) -> Arrival:
    """Check in a player of this event, or return the reason against it."""
    locked = history.lock(tournament)
    try:
        history.reload_registration(registration, "state", "created_at")
    except history.PlayerRemoved as refusal:
        return Arrival(DoorOutcome.NO, str(refusal))
    registration.tournament = locked
    if registration.is_active:
        return _check_in_again_at_door(locked, registration, actor)
    if registration.state == RegistrationState.DROPPED:
        by = registration.get_dropped_by_display()
        words = _("Out of the event.")
        if by:
            words = _("Out of the event (%(reason)s).") % {"reason": by}
        return Arrival(DoorOutcome.NO, words, registration)
    if registration.state == RegistrationState.WAITING:
        place = ordinal(registration.waiting_position())
        words = _("%(place)s on the waiting list, without a place yet.") % {"place": place}
        return Arrival(DoorOutcome.NO, words, registration)
    try:
        check_in([registration], actor)
    except Refusal as refusal:
        words = _("Not checked in: %(reason)s") % {"reason": refusal}
        return Arrival(DoorOutcome.NO, words, registration)
    return Arrival(DoorOutcome.IN, _("Checked in."), registration)


def _check_in_again_at_door(
    tournament: Tournament, registration: Registration, actor: Actor
) -> Arrival:
    if not tournament.day_two_check_in_is_open():
        return Arrival(DoorOutcome.ALREADY, _("Already checked in."), registration)
    if check_in([registration], actor):
        return Arrival(DoorOutcome.IN, _("Checked in for day 2."), registration)
    return Arrival(DoorOutcome.ALREADY, _("Already checked in for day 2."), registration)
