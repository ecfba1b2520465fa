"""Who comes: let in at the door, missed at a table, and the table decided without them."""

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db import transaction

from core.errors import Refusal
from matches.models import MatchState
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import (
    Absence,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.models.codes import registration_of_code
from tournaments.registration.services import no_shows, registrations


class Outcome(StrEnum):
    """What became of it: `IN` now, `ALREADY` before, or `NO`."""

    IN = "in"
    ALREADY = "already"
    NO = "no"


@dataclass(frozen=True)
class Arrival:
    """The answer at the door; `registration` is None where the code is nobody's here."""

    outcome: Outcome
    words: str
    registration: Registration | None = None


def scan(tournament: Tournament, code: str, actor: Actor) -> Arrival:
    """Check in whoever this code is of."""
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
    """Check in a player of this event, unless there is a reason not to."""
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
    """Who is checked in checks in again for day 2, while that is open."""
    if not queries.day_two_check_in_is_open(tournament):
        return Arrival(Outcome.ALREADY, "is checked in already.", registration)
    if registrations.check_in([registration], actor):
        return Arrival(Outcome.IN, "is checked in for day 2.", registration)
    return Arrival(Outcome.ALREADY, "is checked in for day 2 already.", registration)


def _left(registration: Registration) -> str:
    by = registration.get_dropped_by_display()
    return f"is out of the event ({by})." if by else "is out of the event."


class NotMissed(Refusal):
    """Nobody can be missed at this table, or not this player."""


@transaction.atomic
def mark_missing(pairing: Pairing, missing: Registration, actor: Actor) -> Absence:
    """This player is not at the table. Said twice, it stays as it was said first.

    Raises NotMissed once somebody reported a result, and outside of a round that is played.
    """
    tournament, pairing = _open_table(pairing)
    assert pairing.match is not None
    if pairing.match.state != MatchState.OPEN:
        raise NotMissed(f"A result is reported at {pairing}, so nobody is absent.")
    if not pairing.match.seats.filter(player=missing.player_id).exists():
        raise NotMissed(f"{missing.player} does not sit at {pairing}.")
    known = pairing.absences.filter(registration=missing)
    if open_ := known.filter(applied_at=None).first():
        return open_
    # The table was decided for it before, and that was taken back.
    known.delete()
    after = {"table": pairing.table_number}
    history.record(tournament, actor, LogAction.PLAYER_MISSED, missing, after=after)
    return pairing.absences.create(registration=missing, user=actor.user, player=actor.player)


@transaction.atomic
def mark_present(pairing: Pairing, missing: Registration, actor: Actor) -> None:
    """They have come. Taken back twice, or after the table is decided, it changes nothing."""
    tournament, pairing = _open_table(pairing)
    gone, _ = pairing.absences.filter(registration=missing, applied_at=None).delete()
    if gone:
        history.record(tournament, actor, LogAction.MISSED_PLAYER_CAME, missing)


@transaction.atomic
def decide_no_show(pairing: Pairing, actor: Actor) -> None:
    """Staff do not wait any longer: as the policy of the event would, and at once.

    Raises NotMissed when nobody is missed there any more.
    """
    tournament, pairing = _open_table(pairing)
    missing = queries.absences_at(pairing)
    if not missing:
        raise NotMissed(f"Nobody is marked absent at {pairing} any more. Check the table again.")
    no_shows.count_out(tournament, pairing, missing, actor, "Decided by the staff.")


def _open_table(pairing: Pairing) -> tuple[Tournament, Pairing]:
    """The event locked, and the table as it stands under the lock."""
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    rows = Pairing.objects.select_related("match", "round__stage__tournament")
    found = rows.filter(pk=pairing.pk).exclude(match=None).first()
    if found is None or not found.round.is_played:
        raise NotMissed("This table is not played now. Look who sits where.")
    return tournament, found
