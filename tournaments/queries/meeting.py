"""The player meeting before round 1."""

from django.db.models import QuerySet

from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.queries.rounds import visible_rounds


def meeting_is_on(tournament: Tournament) -> bool:
    """Whether players are seated for the meeting: until round 1 says where they sit."""
    if tournament.meeting_seats is None or tournament.is_finished:
        return False
    return not visible_rounds(tournament).exists()


def seated_for_the_meeting(tournament: Tournament) -> QuerySet[Registration]:
    """Who has a seat at the meeting, by name; who has left it is not among them."""
    seated = tournament.registrations.exclude(meeting_table=None)
    return seated.exclude(state=RegistrationState.DROPPED).select_related("player")
