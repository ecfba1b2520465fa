"""Events, their players and their standings."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import given
from core.api_writes import WriteView
from core.filters import ChoiceFilter, DayFilter, HasValueFilter, ordering_filter
from core.openapi import operation
from decks import games
from tournaments.event import permissions, queries
from tournaments.models import Registration, Standing, Tournament
from tournaments.results.serializers.standings import StandingSerializer
from tournaments.settings.api import changing
from tournaments.settings.serializers import NewEventBody, SettingsBody, SettingsSerializer
from tournaments.web import queries as web_queries
from tournaments.web.api.access import EventView, account
from tournaments.web.serializers import EventDetailSerializer, EventSerializer, PlayerSerializer


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


@extend_schema_view(get=operation("events_list", "Public events"))
class EventList(WriteView, ListAPIView[Tournament]):
    """Public events, newest first unless told otherwise."""

    serializer_class = EventSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = EventFilter
    queryset = queries.listed().order_by("-starts_on", "-pk")

    @operation("events_create", "A new event", SettingsSerializer, body=NewEventBody, status=201)
    def post(self, request: Request) -> Response:
        """Make an event that belongs to the asking account, with any of its settings.

        A token that is bound to one event makes no other.
        """
        owner = account(self, request)
        tournament = changing.created(owner, given(NewEventBody, request))
        address = reverse("api:event", args=[tournament.slug], request=request)
        told = SettingsSerializer(tournament, context={"request": request})
        return Response(told.data, status=201, headers={"Location": address})


@extend_schema_view(get=operation("events_read", "One event"))
class EventDetail(EventView, RetrieveAPIView[Tournament]):
    """An event with its rules. One that is private exists for its own people only."""

    serializer_class = EventDetailSerializer
    queryset = Tournament.objects.none()
    lookup_field = "slug"
    pagination_class = None

    abilities = {"PATCH": permissions.can_run}

    def get_object(self) -> Tournament:
        return web_queries.with_figures(self.tournament)

    @operation("events_change", "Change settings", SettingsSerializer, body=SettingsBody)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings that are named; the answer is all of them."""
        changed = changing.changed(
            self.tournament, self.actor, given(SettingsBody, request, partial=True)
        )
        return Response(SettingsSerializer(changed, context={"request": request}).data)


@extend_schema_view(get=operation("events_players", "Players"))
class PlayerList(EventView, ListAPIView[Registration]):
    """Everybody on the roster, by their number in the event; not who waits for a place."""

    serializer_class = PlayerSerializer
    queryset = Registration.objects.none()

    def get_queryset(self) -> QuerySet[Registration]:
        return queries.players(self.tournament).select_related("player").order_by("number")


@extend_schema_view(
    get=operation(
        "events_standings",
        "Standings",
        parameters=[
            OpenApiParameter(
                "round",
                OpenApiTypes.INT,
                description="After which closed round; the last one unless told.",
            )
        ],
    )
)
class StandingList(EventView, ListAPIView[Standing]):
    """The standings in force after a closed round, best first; empty before the first."""

    serializer_class = StandingSerializer
    queryset = Standing.objects.none()
    own_parameters = ("round",)

    def get_queryset(self) -> QuerySet[Standing]:
        snapshot = queries.newest_snapshot(self.tournament, self._round_number())
        if snapshot is None:
            return Standing.objects.none()
        return queries.standing_rows(snapshot).select_related(
            "registration__player", "snapshot__round"
        )

    def _round_number(self) -> int | None:
        typed: str | None = self.request.query_params.get("round")
        if typed is None:
            return None
        ranked = {str(number): number for number in web_queries.ranked_rounds(self.tournament)}
        if typed not in ranked:
            raise ValidationError({"round": [_rounds_there_are(list(ranked))]})
        return ranked[typed]


def _rounds_there_are(numbers: list[Any]) -> str:
    if not numbers:
        return "There are no standings yet: no round is closed."
    return f"There are standings after these rounds: {', '.join(numbers)}."
