"""API of events and their settings, validated by the forms of the pages."""

from collections.abc import Mapping
from typing import Any

import django_filters
from django.db import transaction
from django.urls import reverse
from django.utils.decorators import method_decorator
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse as api_reverse

from core.addresses import shared_url
from core.api_requests import ReasonSerializer, validated_body, validated_form
from core.api_viewsets import endpoint
from core.filters import ChoiceFilter, DayFilter, HasValueFilter, ordering_filter
from core.rate_limits import limit_searches
from decks import games
from players.models import User
from tournaments.decklists import services as decklists_services
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import Actor
from tournaments.models import Tournament
from tournaments.rounds.pages import stage_lines
from tournaments.settings import services
from tournaments.settings.forms import (
    SETTING_OF_FIELD,
    CreateEventForm,
    DaySettingsForm,
    SettingsForm,
)
from tournaments.settings.serializers import (
    JoiningSerializer,
    NewEventBody,
    SettingsBody,
    SettingsSerializer,
    StageSerializer,
)
from tournaments.web.serializers import EventDetailSerializer, EventSerializer
from tournaments.web.viewsets import EventViewSet, SiteViewSet, has_account

# Not a form field: registration has a service of its own.
REGISTRATION_SWITCH = "registration_is_open"
# Form fields with a different name in the API.
API_NAMES = {"format_id": "format"}
DAY_FIELDS = frozenset(DaySettingsForm.Meta.fields)
NO_SUCH_SETTING = "The game of this event has no such setting."


@transaction.atomic
def create_from_body(owner: User, body: Mapping[str, Any]) -> Tournament:
    """Create an event with all settings in the body. Raises ValidationError."""
    later = {name: body[name] for name in body if name in {*DAY_FIELDS, REGISTRATION_SWITCH}}
    first = {name: body[name] for name in body if name not in later}
    form = CreateEventForm({"decks_required": True, **_flat_deck_rules(first)})
    tournament = services.create_event(owner, **validated_form(form, API_NAMES).settings)
    return change_from_body(tournament, Actor(user=owner), later)


@transaction.atomic
def change_from_body(tournament: Tournament, actor: Actor, body: Mapping[str, Any]) -> Tournament:
    """Apply the settings in the body. Raises ValidationError and the refusals of the services."""
    tournament = history.lock_unfinished(tournament)
    named = {name: body[name] for name in body if name != REGISTRATION_SWITCH}
    if settings := settings_from_body(tournament, named):
        services.change_settings(tournament, actor, **settings)
    if REGISTRATION_SWITCH in body:
        services.set_registration(tournament, actor, is_open=body[REGISTRATION_SWITCH])
    return Tournament.objects.get(pk=tournament.pk)


def settings_from_body(tournament: Tournament, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings to change. Raises ValidationError."""
    fields = _flat_deck_rules(body)
    of_day = {name: fields[name] for name in DAY_FIELDS & fields.keys()}
    of_event = {name: fields[name] for name in fields.keys() - DAY_FIELDS}
    return {
        **_settings_from_form(SettingsForm, tournament, of_event),
        **_settings_from_form(DaySettingsForm, tournament, of_day),
    }


def _settings_from_form(
    form_class: type[SettingsForm | DaySettingsForm], tournament: Tournament, fields: dict[str, Any]
) -> dict[str, Any]:
    """Validate these fields together with the stored values of all others."""
    if not fields:
        return {}
    # A ModelForm modifies its instance, so load a separate one.
    empty = form_class(instance=Tournament.objects.get(pk=tournament.pk))
    if unknown := fields.keys() - empty.fields.keys():
        raise ValidationError(
            {API_NAMES.get(name, name): [NO_SUCH_SETTING] for name in sorted(unknown)}
        )
    stored = {
        name: empty.get_initial_for_field(field, name) for name, field in empty.fields.items()
    }
    form = validated_form(form_class({**stored, **fields}, instance=empty.instance), API_NAMES)
    named = {SETTING_OF_FIELD.get(name, name) for name in fields}
    return {name: value for name, value in form.settings.items() if name in named}


def _flat_deck_rules(body: Mapping[str, Any]) -> dict[str, Any]:
    others = {name: value for name, value in body.items() if name != "deck_rules"}
    return {**others, **body.get("deck_rules", {})}


CHANGE_REFUSALS = (
    EventIsFinished,
    services.SettingIsFixed,
    services.OwnFactorMissing,
    *decklists_services.VERDICT_REFUSALS,
)


class EventFilter(django_filters.FilterSet):
    """Filters of the list of events."""

    game = ChoiceFilter(choices=games.choices())
    starts_on_after = DayFilter(
        field_name="starts_on", lookup_expr="gte", help_text="This day or later."
    )
    starts_on_before = DayFilter(
        field_name="starts_on", lookup_expr="lte", help_text="This day or earlier."
    )
    finished = HasValueFilter(field_name="finished_at")
    ordering = ordering_filter("starts_on", "name")


class EventListViewSet(SiteViewSet):
    """The list of events."""

    tag = "events"
    queryset = Tournament.objects.listed().order_by("-starts_on", "-pk")

    @endpoint("events_list", "Public events", EventSerializer(many=True), filters=EventFilter)
    @method_decorator(limit_searches)
    def list(self, request: Request) -> Response:
        """Public events. The default order is newest first."""
        return self.list_response(self.filter_queryset(self.get_queryset()), EventSerializer)

    @endpoint(
        "events_create",
        "Create an event",
        SettingsSerializer,
        body=NewEventBody,
        status=201,
        permission=has_account,
        refusals=(services.OwnFactorMissing,),
    )
    def create(self, request: Request) -> Response:
        """Create an event owned by your account, with any of its settings.

        A token bound to one event cannot create events.
        """
        tournament = create_from_body(self.organiser(), validated_body(NewEventBody, request))
        address = api_reverse("api:event", args=[tournament.slug], request=request)
        created = SettingsSerializer(tournament, context=self.get_serializer_context())
        return Response(created.data, status=201, headers={"Location": address})


class TournamentViewSet(EventViewSet):
    """An event and its settings."""

    tag = "events"

    @endpoint("events_read", "One event", EventDetailSerializer, shared=True)
    def retrieve(self, request: Request, slug: str) -> Response:
        """An event with its rules. A private event is visible to its players and staff only."""
        event = Tournament.objects.with_player_count().get(pk=self.tournament.pk)
        body = EventDetailSerializer(event, context=self.get_serializer_context())
        return Response(body.data)

    @endpoint(
        "events_delete",
        "Delete an event",
        status=204,
        permission=event_permissions.can_own,
        fresh_session=True,
        refusals=(services.CannotDelete,),
    )
    def destroy(self, request: Request, slug: str) -> Response:
        """Delete an event without published rounds, with all its data.

        Repeating the request answers 404, even with the same idempotency key.
        """
        services.delete_event(self.tournament, self.actor)
        return Response(status=204)

    @endpoint("settings_read", "Settings", SettingsSerializer, permission=event_permissions.can_run)
    def read_settings(self, request: Request, slug: str) -> Response:
        """All settings of the event, for organisers."""
        return self._settings(self.tournament)

    @endpoint(
        "settings_change",
        "Change settings",
        SettingsSerializer,
        body=SettingsBody,
        permission=event_permissions.can_run,
        refusals=CHANGE_REFUSALS,
    )
    def change_settings(self, request: Request, slug: str) -> Response:
        """Change the settings in the body. The answer has all settings."""
        body = validated_body(SettingsBody, request, partial=True)
        return self._settings(change_from_body(self.tournament, self.actor, body))

    @endpoint(
        "events_finish",
        "Finish the event",
        SettingsSerializer,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished, services.NotOver),
    )
    def finish(self, request: Request, slug: str) -> Response:
        """Finish the event and make its standings final. Refused while a round or cut is open."""
        if not self.tournament.is_finished:
            services.finish_event(self.tournament, self.actor)
        return self._settings(Tournament.objects.get(pk=self.tournament.pk))

    @endpoint(
        "events_reopen",
        "Reopen a finished event",
        SettingsSerializer,
        body=ReasonSerializer,
        permission=event_permissions.can_own,
    )
    def reopen(self, request: Request, slug: str) -> Response:
        """Reopen a finished event. The reason is logged."""
        services.reopen_event(
            self.tournament, self.actor, validated_body(ReasonSerializer, request)["reason"]
        )
        return self._settings(Tournament.objects.get(pk=self.tournament.pk))

    @endpoint(
        "joining_read", "Join code", JoiningSerializer, permission=event_permissions.can_open_desk
    )
    def joining(self, request: Request, slug: str) -> Response:
        """The join code and its address, as printed on the poster."""
        code = self.tournament.join_code
        address = shared_url(request, reverse("tournaments:join_code", args=[code]))
        return Response(JoiningSerializer({"join_code": code, "url": address}).data)

    @endpoint(
        "stages_list",
        "Stages",
        StageSerializer(many=True),
        permission=event_permissions.can_open_desk,
    )
    def stages(self, request: Request, slug: str) -> Response:
        """The stages of the event in order, with their pairing system and scoring rule."""
        return self.list_response(stage_lines(self.tournament), StageSerializer)

    def _settings(self, tournament: Tournament) -> Response:
        context = self.get_serializer_context()
        return Response(SettingsSerializer(tournament, context=context).data)
