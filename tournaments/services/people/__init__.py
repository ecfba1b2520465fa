"""What a person asks of the site about themselves: tell me all, keep me, forget me."""

from tournaments.services.people.erasing import (
    NotYourGuest,
    OwnsOpenEvents,
    RunsTheSite,
    StillPlaying,
    erase_guest,
    erase_me,
    refuse_guest,
    refuse_me,
)
from tournaments.services.people.staying import stay
