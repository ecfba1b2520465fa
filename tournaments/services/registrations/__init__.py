"""Who plays: on the roster, waiting for a place, checked in, dropped, back again."""

from tournaments.services.late_entries import RegistrationClosed, TooLate
from tournaments.services.registrations.coming import (
    check_in,
    check_in_self,
    return_,
    return_self,
    undo_check_in,
)
from tournaments.services.registrations.joining import (
    NewEntry,
    add_entries,
    register,
    register_guest,
)
from tournaments.services.registrations.leaving import (
    drop,
    remove,
    remove_sign_ups,
    set_first_round_bye,
)
from tournaments.services.registrations.refusals import (
    AlreadyPlayed,
    CannotReturn,
    CheckInClosed,
    EventIsFull,
    NotWaiting,
    OrderIsFixed,
    RosterHasChanged,
    TooManySignUps,
)
from tournaments.services.registrations.waiting import fill_places, move_up, wait_again
