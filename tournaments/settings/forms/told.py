"""Settings that a body of the API names, checked by the forms of the pages as they are."""

from collections.abc import Mapping
from typing import Any

from django import forms
from rest_framework.exceptions import ValidationError

from core.api_bodies import valid
from tournaments.event.forms import DECK_RULES
from tournaments.models import Tournament
from tournaments.settings.forms.day import DayForm
from tournaments.settings.forms.events import CreateForm, SettingsForm

PARTS_OF = {"rank_points": "scoring_rule", **dict.fromkeys(DECK_RULES, "deck_rules")}
"""Fields that stand for a part of a setting."""
DAY = frozenset(DayForm.Meta.fields)
NOT_HERE = "The game of this event has no such setting."


def new_event(told: Mapping[str, Any]) -> dict[str, Any]:
    """What `services.events.create` wants. Raises ValidationError of the API."""
    asked = {name: told[name] for name in set(told) - DAY}
    return valid(CreateForm({"decks_required": True, **_by_field(asked)})).settings


def changes(tournament: Tournament, told: Mapping[str, Any]) -> dict[str, Any]:
    """The settings to change, of all that a program may tell. Raises ValidationError of the API."""
    asked = _by_field(told)
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
        raise ValidationError({name: [NOT_HERE] for name in sorted(others)})
    form = form_class({**_kept(empty), **asked}, instance=empty.instance)
    named = {PARTS_OF.get(name, name) for name in asked}
    return {name: value for name, value in valid(form).settings.items() if name in named}


def _kept(form: forms.BaseForm) -> dict[str, Any]:
    """The form sent as it stands on the page."""
    return {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}


def _by_field(told: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of decks are fields of their own."""
    others = {name: value for name, value in told.items() if name != "deck_rules"}
    return {**others, **told.get("deck_rules", {})}
