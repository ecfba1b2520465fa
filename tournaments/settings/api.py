"""Events and their settings in the API."""

import django_filters
from django.urls import reverse
from django.utils.decorators import method_decorator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse as api_reverse

from core.api_bodies import Reason, given
from core.api_viewsets import endpoint
from core.filters import ChoiceFilter, DayFilter, HasValueFilter, ordering_filter
from core.rate_limits import searches_limited
from core.site_address import shared_url
from decks import games
from tournaments.decklists import deck_verdicts
from tournaments.event import permissions, queries
from tournaments.event.history import EventIsFinished
from tournaments.models import Tournament
from tournaments.rounds.pages.stages import stage_lines
from tournaments.settings.forms.api_body import change_event, create_event
from tournaments.settings.serializers import (
    JoiningSerializer,
    NewEventBody,
    SettingsBody,
    SettingsSerializer,
    StageSerializer,
)
from tournaments.settings.services import deleting, events
from tournaments.web.api.viewsets import EventViewSet, SiteViewSet, with_account
from tournaments.web.serializers import EventDetailSerializer, EventSerializer

NOT_CHANGED = (
    EventIsFinished,
    events.SettingIsFixed,
    events.OwnFactorMissing,
    *deck_verdicts.NOT_JUDGED,
)


class EventFilter(django_filters.FilterSet):
    """What the list of events can be narrowed by."""

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
    """The events of the site."""

    queryset = queries.listed().order_by("-starts_on", "-pk")

    @endpoint("events_list", "Public events", EventSerializer(many=True), filters=EventFilter)
    @method_decorator(searches_limited)
    def list(self, request: Request) -> Response:
        """Public events, newest first without `ordering`."""
        return self.listed(self.filter_queryset(self.get_queryset()), EventSerializer)

    @endpoint(
        "events_create",
        "A new event",
        SettingsSerializer,
        body=NewEventBody,
        status=201,
        who=with_account,
        refusals=(events.OwnFactorMissing,),
    )
    def create(self, request: Request) -> Response:
        """Make an event that belongs to the asking account, with any of its settings.

        A token that is bound to one event makes no other.
        """
        tournament = create_event(self.organiser(), given(NewEventBody, request))
        address = api_reverse("api:event", args=[tournament.slug], request=request)
        created = SettingsSerializer(tournament, context=self.get_serializer_context())
        return Response(created.data, status=201, headers={"Location": address})


class TournamentViewSet(EventViewSet):
    """One event: its rules, its settings, its end."""

    @endpoint("events_read", "One event", EventDetailSerializer, shared=True)
    def retrieve(self, request: Request, slug: str) -> Response:
        """An event with its rules. One that is private exists for its own people only."""
        event = queries.with_figures(self.tournament)
        body = EventDetailSerializer(event, context=self.get_serializer_context())
        return Response(body.data)

    @endpoint(
        "events_delete",
        "Delete an event",
        status=204,
        who=permissions.can_own,
        fresh_session=True,
        refusals=(deleting.CannotDelete,),
    )
    def destroy(self, request: Request, slug: str) -> Response:
        """Delete an event of which no round is published, with all that hangs on it.

        Sent again, it is a 404: the event is gone, and the key with it.
        """
        deleting.delete(self.tournament, self.actor)
        return Response(status=204)

    @endpoint("settings_read", "Settings", SettingsSerializer, who=permissions.can_run)
    def read_settings(self, request: Request, slug: str) -> Response:
        """All settings of the event, for those who run it."""
        return self._settings(self.tournament)

    @endpoint(
        "settings_change",
        "Change settings",
        SettingsSerializer,
        body=SettingsBody,
        who=permissions.can_run,
        refusals=NOT_CHANGED,
    )
    def change_settings(self, request: Request, slug: str) -> Response:
        """Change the settings that are named; the answer is all of them."""
        said = given(SettingsBody, request, partial=True)
        return self._settings(change_event(self.tournament, self.actor, said))

    @endpoint(
        "events_finish",
        "Finish the event",
        SettingsSerializer,
        who=permissions.can_run,
        refusals=(EventIsFinished, events.NotOver),
    )
    def finish(self, request: Request, slug: str) -> Response:
        """The standings are final. Refused while a round or a cut is open."""
        if not self.tournament.is_finished:
            events.finish(self.tournament, self.actor)
        return self._settings(Tournament.objects.get(pk=self.tournament.pk))

    @endpoint(
        "events_reopen",
        "Open a finished event again",
        SettingsSerializer,
        body=Reason,
        who=permissions.can_own,
    )
    def reopen(self, request: Request, slug: str) -> Response:
        """Take back the end of the event; the reason goes into the log."""
        events.reopen(self.tournament, self.actor, given(Reason, request)["reason"])
        return self._settings(Tournament.objects.get(pk=self.tournament.pk))

    @endpoint("joining_read", "The join code", JoiningSerializer, who=permissions.can_open_desk)
    def joining(self, request: Request, slug: str) -> Response:
        """The join code and its address, as they stand on the poster."""
        code = self.tournament.join_code
        address = shared_url(request, reverse("tournaments:join_code", args=[code]))
        return Response(JoiningSerializer({"join_code": code, "url": address}).data)

    @endpoint("stages_list", "Stages", StageSerializer(many=True), who=permissions.can_open_desk)
    def stages(self, request: Request, slug: str) -> Response:
        """How each part of the event is paired and scored, first to last."""
        return self.listed(stage_lines(self.tournament), StageSerializer)

    def _settings(self, tournament: Tournament) -> Response:
        context = self.get_serializer_context()
        return Response(SettingsSerializer(tournament, context=context).data)
