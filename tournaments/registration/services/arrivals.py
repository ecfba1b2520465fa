"""Check players in at the door, by code or by name."""

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db import transaction

from core.errors import Refusal
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.models.codes import registration_of_code
from tournaments.registration.services import registrations


class Outcome(StrEnum):
    """Result at the door: checked in now, already checked in, or refused."""

    IN = "in"
    ALREADY = "already"
    NO = "no"


@dataclass(frozen=True)
class Arrival:
    """Answer at the door; `registration` is None if the code is not from this event."""

    outcome: Outcome
    words: str
    registration: Registration | None = None


def scan(tournament: Tournament, code: str, actor: Actor) -> Arrival:
    """Check in the player with this code."""
    key = registration_of_code(code)
    if key is None:
        return Arrival(Outcome.NO, "This is not a check-in code.")
    found = Registration.objects.filter(pk=key).select_related("player").first()
    if found is None:
        return Arrival(Outcome.NO, "This player is no longer on the roster.")
    if found.tournament_id != tournament.pk:
        return Arrival(Outcome.NO, "This is the code of another event.")
    return arrive(tournament, found, actor)


@transaction.atomic
def arrive(tournament: Tournament, registration: Registration, actor: Actor) -> Arrival:
    """Check in a player of this event, or return the reason against it."""
    locked = history.lock(tournament)
    try:
        history.read_again(registration, "state", "created_at")
    except history.PlayerRemoved as refusal:
        return Arrival(Outcome.NO, str(refusal))
    registration.tournament = locked
    if registration.is_active:
        return _on_day_two(locked, registration, actor)
    if registration.state == RegistrationState.DROPPED:
        return Arrival(Outcome.NO, _left(registration), registration)
    if registration.state == RegistrationState.WAITING:
        place = ordinal(queries.place_on_waiting_list(registration))
        words = f"is {place} on the waiting list and has no place yet."
        return Arrival(Outcome.NO, words, registration)
    try:
        registrations.check_in([registration], actor)
    except Refusal as refusal:
        return Arrival(Outcome.NO, f"cannot come in. {refusal}", registration)
    return Arrival(Outcome.IN, "is checked in.", registration)


def _on_day_two(tournament: Tournament, registration: Registration, actor: Actor) -> Arrival:
    """Check an active player in again for day 2, while its check-in is open."""
    if not queries.day_two_check_in_is_open(tournament):
        return Arrival(Outcome.ALREADY, "is checked in already.", registration)
    if registrations.check_in([registration], actor):
        return Arrival(Outcome.IN, "is checked in for day 2.", registration)
    return Arrival(Outcome.ALREADY, "is checked in for day 2 already.", registration)


def _left(registration: Registration) -> str:
    by = registration.get_dropped_by_display()
    return f"is out of the event ({by})." if by else "is out of the event."
