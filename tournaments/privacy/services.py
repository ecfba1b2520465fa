"""Erase a person at their own request or through their organiser, or extend their stay."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from players.models import Player, User
from tournaments.desk.services import practice
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.models import Registration, Tournament
from tournaments.privacy import erasing
from tournaments.privacy import queries as privacy_queries
from tournaments.registration.services import registrations


def stay(player: Player) -> None:
    """Restart the period after which an inactive player is erased."""
    Player.objects.filter(pk=player.pk, erased_at=None).update(stays_from=timezone.now())


class OwnsOpenEvents(Refusal):
    """Unfinished events would be left without an owner."""


class StillPlaying(Refusal):
    """Opponents in an unfinished event would face an anonymous player."""


class RunsTheSite(Refusal):
    """Another administrator must remove the rights of a site administrator first."""


class NotYourGuest(Refusal):
    """The person has an account, or also plays at events of other organisers."""


@transaction.atomic
def erase_me(actor: Actor) -> str:
    """Erase the actor and return the label that replaces their name. Cannot be undone.

    Drops them from events that have not begun and deletes their practice events. Raises
    OwnsOpenEvents, StillPlaying and RunsTheSite.
    """
    person = erasing.person_of(actor.user, actor.player)
    erasing.lock_events(person)
    refuse_me(actor)
    _leave_what_is_to_come(person.player, actor)
    if person.user is not None:
        for sandbox in queries.practices_of(person.user):
            practice.throw_away(sandbox)
    return erasing.erase(person)


def refuse_me(actor: Actor) -> None:
    """Raise the refusal of `erase_me`, if any."""
    person = erasing.person_of(actor.user, actor.player)
    if person.user is not None:
        _refuse_owner(person.user)
    if person.player is not None:
        _refuse_playing(person.player, "Leave")


@transaction.atomic
def erase_guest(place: Registration, actor: Actor) -> str:
    """Erase a guest at their request, like `erase_me`. Raises NotYourGuest and StillPlaying."""
    person = erasing.person_of(None, place.player)
    erasing.lock_events(person)
    refuse_guest(place, actor)
    _leave_what_is_to_come(place.player, actor)
    return erasing.erase(person, actor)


def refuse_guest(place: Registration, actor: Actor) -> None:
    """Raise the refusal of `erase_guest`, if any."""
    player = place.player
    if player.user_id is not None:
        raise NotYourGuest(
            f"{player} has an account. Only they can have it erased: on their own page, under "
            "“What we keep about you”."
        )
    events = Tournament.objects.filter(registrations__player=player)
    others = [event for event in events if not permissions.can_run(actor, event)]
    if others:
        raise NotYourGuest(
            f"{player} plays at events you do not run too ({_known(others, actor)}). With a "
            "personal link they can have themselves erased: on their own page, under “What we "
            "keep about you”."
        )
    _refuse_playing(player, "Drop the player from")


def _refuse_owner(user: User) -> None:
    if user.is_staff or user.is_superuser:
        raise RunsTheSite(
            "You administer this site. Another administrator has to take these rights from your "
            "account first."
        )
    if owned := list(privacy_queries.open_events_owned(user)):
        raise OwnsOpenEvents(
            f"You own events that are not over: {_named(owned)}. Hand each to somebody else on "
            "its page “Staff”, or finish it."
        )


def _refuse_playing(player: Player, do: str) -> None:
    if played := list(privacy_queries.open_events_played(player)):
        raise StillPlaying(f"{player} is playing. {do} these events first: {_named(played)}.")


def _leave_what_is_to_come(player: Player | None, actor: Actor) -> None:
    if player is not None:
        for place in privacy_queries.places_to_come(player):
            registrations.drop(place, actor)


def _known(events: Sequence[Tournament], actor: Actor) -> str:
    """List the events the actor may know by name, plus a hint if there are more."""
    known = [str(event) for event in events if visibility.can_know(actor, event)]
    return ", ".join(known if len(known) == len(events) else [*known, "other events"])


def _named(events: Iterable[Tournament]) -> str:
    return ", ".join(str(event) for event in events)
