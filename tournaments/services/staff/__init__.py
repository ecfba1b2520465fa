"""Who runs an event: roles given, taken and handed over, and invitations to them."""

from tournaments.services.staff.invitations import (
    InvitationOver,
    InvitationRefused,
    InvitationUnknown,
    accept,
    invitation,
    invite,
    withdraw,
)
from tournaments.services.staff.roles import StaffRefused, give_role, hand_over, take_role
