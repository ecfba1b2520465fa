"""Why somebody cannot come, go or be there."""

from core.errors import Refusal
from tournaments.rounds.services.late_entries import RegistrationClosed


class EventIsFull(RegistrationClosed):
    """Every place is taken, and nobody waits for one."""


class TooManySignUps(RegistrationClosed):
    """Too many players joined from one address within ten minutes."""

    code = "too_many_guests"


class OrderIsFixed(RegistrationClosed):
    """A round robin has begun, and who meets whom is settled to its end."""


class CheckInClosed(Refusal):
    """Players cannot check themselves in now."""


class CannotReturn(Refusal):
    """Only the staff can take this player back."""


class NotWaiting(Refusal):
    """This player is not on the waiting list, or cannot move up without a word."""


class RosterHasChanged(Refusal):
    """The list was compared with a roster that is no longer so."""


class AlreadyPlayed(Refusal):
    """A player who has been paired stays on the roster."""
