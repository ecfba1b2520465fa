"""Settings that a body of the API names: checked by the forms of the pages, changed at once."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db import transaction
from rest_framework.exceptions import ValidationError

from core.api_bodies import valid
from players.models import User
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.settings.forms.create import CreateForm
from tournaments.settings.forms.day import DayForm
from tournaments.settings.forms.deck_rules import DECK_RULES
from tournaments.settings.forms.settings import SettingsForm
from tournaments.settings.services import events

BY_HAND = "registration_is_open"
"""What is opened and closed, and no setting of a form."""
PARTS_OF = {"rank_points": "scoring_rule", **dict.fromkeys(DECK_RULES, "deck_rules")}
"""Fields that stand for a part of a setting."""
NAMES = {"format_id": "format"}
"""Fields of the forms that have another name in a body."""
DAY = frozenset(DayForm.Meta.fields)
NOT_HERE = "The game of this event has no such setting."


@transaction.atomic
def create_event(owner: User, body: Mapping[str, Any]) -> Tournament:
    """A new event with all that was said of it. Raises ValidationError."""
    later = {name: body[name] for name in body if name in {*DAY, BY_HAND}}
    at_once = {name: body[name] for name in body if name not in later}
    tournament = events.create(owner, **new_event(at_once))
    return change_event(tournament, Actor(user=owner), later)


@transaction.atomic
def change_event(tournament: Tournament, actor: Actor, body: Mapping[str, Any]) -> Tournament:
    """The event with what was said of it. Raises ValidationError and what the services refuse."""
    tournament = history.lock_unfinished(tournament)
    settings = {name: body[name] for name in body if name != BY_HAND}
    wanted = changes(tournament, settings)
    if wanted:
        events.change_settings(tournament, actor, **wanted)
    if BY_HAND in body:
        events.set_registration(tournament, actor, is_open=body[BY_HAND])
    return Tournament.objects.get(pk=tournament.pk)


def new_event(body: Mapping[str, Any]) -> dict[str, Any]:
    """What `services.events.create` wants. Raises ValidationError of the API."""
    asked = {name: body[name] for name in set(body) - DAY}
    form = CreateForm({"decks_required": True, **_by_field(asked)})
    return valid(form, NAMES).settings


def changes(tournament: Tournament, body: Mapping[str, Any]) -> dict[str, Any]:
    """The settings to change, of all that a body may name. Raises ValidationError of the API."""
    asked = _by_field(body)
    of_day = {name: asked[name] for name in DAY & asked.keys()}
    of_event = {name: asked[name] for name in asked.keys() - DAY}
    return {
        **_changes(SettingsForm, tournament, of_event),
        **_changes(DayForm, tournament, of_day),
    }


def _changes(
    form_class: type[SettingsForm | DayForm], tournament: Tournament, asked: dict[str, Any]
) -> dict[str, Any]:
    if not asked:
        return {}
    # The form writes onto its instance.
    empty = form_class(instance=Tournament.objects.get(pk=tournament.pk))
    if others := asked.keys() - empty.fields.keys():
        raise ValidationError({NAMES.get(name, name): [NOT_HERE] for name in sorted(others)})
    form = form_class({**_kept(empty), **asked}, instance=empty.instance)
    named = {PARTS_OF.get(name, name) for name in asked}
    return {name: value for name, value in valid(form, NAMES).settings.items() if name in named}


def _kept(form: forms.BaseForm) -> dict[str, Any]:
    """The form sent as it stands on the page."""
    return {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}


def _by_field(body: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of decks are fields of their own."""
    others = {name: value for name, value in body.items() if name != "deck_rules"}
    return {**others, **body.get("deck_rules", {})}
