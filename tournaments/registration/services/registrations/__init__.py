"""Who plays: on the roster, waiting for a place, checked in, dropped, back again."""

from tournaments.registration.services.registrations.coming import (
    check_in,
    check_in_self,
    return_,
    return_self,
    undo_check_in,
)
from tournaments.registration.services.registrations.joining import (
    NewEntry,
    add_entries,
    register,
    register_guest,
)
from tournaments.registration.services.registrations.leaving import (
    drop,
    remove,
    remove_sign_ups,
    set_first_round_bye,
)
from tournaments.registration.services.registrations.refusals import (
    AlreadyPlayed,
    CannotReturn,
    CheckInClosed,
    EventIsFull,
    NotWaiting,
    OrderIsFixed,
    RosterHasChanged,
    TooManySignUps,
)
from tournaments.registration.services.registrations.waiting import fill_places, move_up, wait_again
from tournaments.rounds.services.late_entries import RegistrationClosed, TooLate
