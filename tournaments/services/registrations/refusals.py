"""Why somebody cannot come, go or be there."""

from core.errors import Refusal


class RegistrationClosed(Refusal):
    """Players cannot register themselves now."""

    code = "registration_closed"


class EventIsFull(RegistrationClosed):
    """Every place is taken, and nobody waits for one."""

    code = "event_is_full"


class TooManyGuests(RegistrationClosed):
    """Too many new players joined from one address within ten minutes."""

    code = "too_many_guests"


class TooLate(RegistrationClosed):
    """The event takes nobody new after so many rounds; staff can with a reason."""

    code = "too_late_to_join"


class OrderIsFixed(RegistrationClosed):
    """A round robin has begun, and who meets whom is settled to its end."""

    code = "order_is_fixed"


class CheckInClosed(Refusal):
    """Players cannot check themselves in now."""

    code = "check_in_closed"


class CannotReturn(Refusal):
    """Only the staff can take this player back."""

    code = "cannot_return"


class NotWaiting(Refusal):
    """This player is not on the waiting list, or cannot move up without a word."""

    code = "not_waiting"


class RosterHasChanged(Refusal):
    """The list was compared with a roster that is no longer so."""

    code = "roster_has_changed"


class AlreadyPlayed(Refusal):
    """A player who has been paired stays on the roster."""

    code = "already_played"
