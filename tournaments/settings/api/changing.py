"""An event made and changed by what a program tells: one transaction for all of it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from players.models import User
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.settings.forms import told as forms
from tournaments.settings.services import events

BY_HAND = "registration_is_open"
"""What is opened and closed, and no setting of a form."""


@transaction.atomic
def created(owner: User, told: Mapping[str, Any]) -> Tournament:
    """A new event with all that was said of it. Raises ValidationError."""
    later = {name: told[name] for name in told if name in {*forms.DAY, BY_HAND}}
    at_once = {name: told[name] for name in told if name not in later}
    tournament = events.create(owner, **forms.new_event(at_once))
    return changed(tournament, Actor(user=owner), later)


@transaction.atomic
def changed(tournament: Tournament, actor: Actor, told: Mapping[str, Any]) -> Tournament:
    """The event with what was said of it. Raises ValidationError and what the services refuse."""
    tournament = history.lock_unfinished(tournament)
    settings = {name: told[name] for name in told if name != BY_HAND}
    wanted = forms.changes(tournament, settings)
    if wanted:
        events.change_settings(tournament, actor, **wanted)
    if BY_HAND in told:
        events.set_registration(tournament, actor, is_open=told[BY_HAND])
    return Tournament.objects.get(pk=tournament.pk)
