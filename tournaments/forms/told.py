"""Settings that a program tells by name, checked by the forms of the pages."""

from collections.abc import Mapping
from typing import Any

from django import forms
from rest_framework.exceptions import ValidationError

from core.api_bodies import valid
from tournaments.forms.day import DayForm
from tournaments.forms.deck_rules import DECK_RULES
from tournaments.forms.events import CreateForm, SettingsForm
from tournaments.forms.scoring import ALWAYS, PLACES
from tournaments.models import Tournament

PARTS_OF = {"rank_points": "scoring_rule", **dict.fromkeys(DECK_RULES, "deck_rules")}
"""Fields that stand for a part of a setting."""
DAY = frozenset(DayForm.Meta.fields)
NOT_HERE = "The game of this event has no such setting."


def new_event(told: Mapping[str, Any]) -> dict[str, Any]:
    """What `services.events.create` wants. Raises ValidationError of the API."""
    typed = {"decks_required": True, **_typed({name: told[name] for name in set(told) - DAY})}
    return valid(CreateForm(typed)).settings


def changes(tournament: Tournament, told: Mapping[str, Any]) -> dict[str, Any]:
    """The settings to change, of all that a program may tell. Raises ValidationError of the API."""
    typed = _typed(told)
    of_day = {name: typed[name] for name in DAY & typed.keys()}
    of_event = {name: typed[name] for name in typed.keys() - DAY}
    return {
        **_changes(SettingsForm, tournament, of_event),
        **_changes(DayForm, tournament, of_day),
    }


def _changes(
    form_class: type[SettingsForm | DayForm], tournament: Tournament, typed: dict[str, Any]
) -> dict[str, Any]:
    if not typed:
        return {}
    # The form writes onto its instance.
    empty = form_class(instance=Tournament.objects.get(pk=tournament.pk))
    _refuse_others(empty, typed)
    form = form_class({**_kept(empty), **typed}, instance=empty.instance)
    settings = valid(form).settings
    named = {PARTS_OF.get(_field(name), _field(name)) for name in typed}
    return {name: value for name, value in settings.items() if name in named}


def _refuse_others(form: forms.BaseForm, typed: Mapping[str, Any]) -> None:
    others = {_field(name) for name in typed} - set(form.fields)
    if others:
        raise ValidationError({name: [NOT_HERE] for name in sorted(others)})


def _field(name: str) -> str:
    """The field a piece of it belongs to: each tie-breaker is sent on its own."""
    return "tie_breakers" if name.startswith("tie_breakers_") else name


def _kept(form: forms.BaseForm) -> dict[str, Any]:
    """The form sent as it stands on the page."""
    kept = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    if "tie_breakers" in kept:
        kept |= _places([id_ for id_ in kept.pop("tie_breakers") if id_ not in ALWAYS])
    return kept


def _typed(told: Mapping[str, Any]) -> dict[str, Any]:
    typed = {**told, **told.get("deck_rules", {})}
    typed.pop("deck_rules", None)
    if "rank_points" in typed:
        typed["rank_points"] = ", ".join(map(str, typed["rank_points"]))
    if "tie_breakers" in typed:
        typed |= _places(typed.pop("tie_breakers"))
    return typed


def _places(ids: list[str]) -> dict[str, str]:
    padded = [*ids, *[""] * (len(PLACES) - len(ids))]
    return {f"tie_breakers_{place}": id_ for place, id_ in enumerate(padded)}
