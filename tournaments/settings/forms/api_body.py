"""Validate settings in API request bodies with the forms of the pages."""

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

# Not a form field: registration has a service of its own.
BY_HAND = "registration_is_open"
# Form fields that are part of a larger setting.
PARTS_OF = {"rank_points": "scoring_rule", **dict.fromkeys(DECK_RULES, "deck_rules")}
# Form fields with a different name in the API.
NAMES = {"format_id": "format"}
DAY = frozenset(DayForm.Meta.fields)
NOT_HERE = "The game of this event has no such setting."


@transaction.atomic
def create_event(owner: User, body: Mapping[str, Any]) -> Tournament:
    """Create an event with all settings in the body. Raises ValidationError."""
    later = {name: body[name] for name in body if name in {*DAY, BY_HAND}}
    at_once = {name: body[name] for name in body if name not in later}
    tournament = events.create(owner, **new_event(at_once))
    return change_event(tournament, Actor(user=owner), later)


@transaction.atomic
def change_event(tournament: Tournament, actor: Actor, body: Mapping[str, Any]) -> Tournament:
    """Apply the settings in the body. Raises ValidationError and the refusals of the services."""
    tournament = history.lock_unfinished(tournament)
    settings = {name: body[name] for name in body if name != BY_HAND}
    wanted = changes(tournament, settings)
    if wanted:
        events.change_settings(tournament, actor, **wanted)
    if BY_HAND in body:
        events.set_registration(tournament, actor, is_open=body[BY_HAND])
    return Tournament.objects.get(pk=tournament.pk)


def new_event(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `services.events.create`. Raises the API's ValidationError."""
    asked = {name: body[name] for name in set(body) - DAY}
    form = CreateForm({"decks_required": True, **_by_field(asked)})
    return valid(form, NAMES).settings


def changes(tournament: Tournament, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings to change. Raises the API's ValidationError."""
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
    # A ModelForm modifies its instance, so load a separate one.
    empty = form_class(instance=Tournament.objects.get(pk=tournament.pk))
    if others := asked.keys() - empty.fields.keys():
        raise ValidationError({NAMES.get(name, name): [NOT_HERE] for name in sorted(others)})
    form = form_class({**_kept(empty), **asked}, instance=empty.instance)
    named = {PARTS_OF.get(name, name) for name in asked}
    return {name: value for name, value in valid(form, NAMES).settings.items() if name in named}


def _kept(form: forms.BaseForm) -> dict[str, Any]:
    """Return the initial values of the form as data."""
    return {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}


def _by_field(body: Mapping[str, Any]) -> dict[str, Any]:
    """Move the deck rules to the top level, as the forms have a field for each."""
    others = {name: value for name, value in body.items() if name != "deck_rules"}
    return {**others, **body.get("deck_rules", {})}
