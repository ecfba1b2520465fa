"""The copy: settings, players and decks, with the rounds so far where wanted.

Players become guests of the same names, so that no account, mail or claim link comes along and
nobody finds the sandbox among their events. The rows of the event itself are only read.
"""

from django.db import transaction

from core.errors import Refusal
from players import services as player_services
from tournaments import history, permissions, queries
from tournaments.actors import Actor
from tournaments.codes import new_join_code
from tournaments.models import (
    DeckReceipt,
    DeckSubmission,
    Registration,
    RegistrationState,
    Staff,
    StaffRole,
    Tournament,
    Visibility,
)
from tournaments.services.events import free_slug
from tournaments.services.practice import rounds_copied
from tournaments.services.practice.rows import copied

MOST = 3
"""Sandboxes a person can have at once."""


class TooManyPractices(Refusal):
    """One has to go before there is another."""

    code = "too_many_practices"


@transaction.atomic
def copy(event: Tournament, actor: Actor, *, with_rounds: bool = False) -> Tournament:
    """A sandbox of this event that belongs to the actor. Raises TooManyPractices.

    Without rounds it begins before round 1 and whoever dropped is back on the roster; with them
    it goes on where the event is, drafts left out.
    """
    assert actor.user is not None, "a sandbox belongs to an account"
    event = history.lock(event)
    if queries.practices_of(actor.user).count() >= MOST:
        raise TooManyPractices(f"You have {MOST} practice events. Throw one away first.")
    practice = _event(event)
    Staff.objects.create(tournament=practice, user=actor.user, role=StaffRole.OWNER)
    places = _players(event, practice, with_rounds=with_rounds)
    if permissions.can_judge(actor, event):
        _decks(places)
    if with_rounds:
        rounds_copied.copy(event, practice, places)
    else:
        copied(event.stages.get(number=1), tournament=practice).save()
    history.record(practice, actor, "practice begun", event.name)
    return practice


def _event(event: Tournament) -> Tournament:
    practice = copied(
        event,
        name=f"Practice: {event.name}"[:120],
        slug=free_slug(f"practice {event.name}"),
        join_code=new_join_code(),
        visibility=Visibility.PRIVATE,
        practice_of_id=event.practice_of_id or event.pk,
        registration_is_open=False,
        finished_at=None,
        version=1,
    )
    practice.save()
    return practice


def _players(
    event: Tournament, practice: Tournament, *, with_rounds: bool
) -> dict[int, Registration]:
    """The new places by the primary key of the old ones."""
    old = list(event.registrations.select_related("player").order_by("number"))
    guests = player_services.create_players((one.player.name, one.player.pronouns) for one in old)
    new = [
        copied(place, tournament=practice, player=guest)
        for place, guest in zip(old, guests, strict=True)
    ]
    if not with_rounds:
        for place in new:
            _from_the_start(place)
    made = Registration.objects.bulk_create(new)
    return {place.pk: copy_ for place, copy_ in zip(old, made, strict=True)}


def _from_the_start(place: Registration) -> None:
    place.joined_in_round = 1
    if place.state == RegistrationState.DROPPED:
        place.state, place.dropped_at, place.dropped_by = RegistrationState.REGISTERED, None, ""


def _decks(places: dict[int, Registration]) -> None:
    """The same versions handed in once more: a version never changes, so it need not be copied."""
    old = list(DeckSubmission.objects.filter(registration__in=places))
    new = DeckSubmission.objects.bulk_create(
        copied(one, registration=places[one.registration_id]) for one in old
    )
    by_old = {one.pk: copy_ for one, copy_ in zip(old, new, strict=True)}
    receipts = DeckReceipt.objects.filter(submission__in=by_old)
    DeckReceipt.objects.bulk_create(
        copied(one, submission=by_old[one.submission_id], received_from=None) for one in receipts
    )
