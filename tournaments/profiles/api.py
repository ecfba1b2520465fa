"""A player across events."""

from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import not_found
from core.api_viewsets import endpoint, no_permission_needed
from core.rate_limits import rate_limited
from decks.games import GAMES
from players.models import Player
from tournaments.event.permissions import NOBODY
from tournaments.models import Tournament
from tournaments.profiles import pages, queries
from tournaments.profiles.serializers import (
    OpponentSerializer,
    PersonEventSerializer,
    PersonSerializer,
)
from tournaments.statistics.pages import records_of_player
from tournaments.web.viewsets import SiteViewSet


class PersonViewSet(SiteViewSet):
    """A player across the events visible to the user."""

    tag = "players"

    def cache_control(self) -> dict[str, bool]:
        return {"private": True}

    @endpoint(
        "person_read", "A player across events", PersonSerializer, permission=no_permission_needed
    )
    @method_decorator(rate_limited("search"))
    def retrieve(self, request: Request, pk: int) -> Response:
        """Wins by side, identity and faction, match-ups, game ends and cuts.

        404 for a player without visible events, or who hides their history.
        """
        player, events, own = self._found(pk)
        games = records_of_player(player, events, own=own)
        return Response(PersonSerializer({"player": player, "games": games}).data)

    @endpoint(
        "person_events",
        "Events of a player",
        PersonEventSerializer(many=True),
        permission=no_permission_needed,
    )
    @method_decorator(rate_limited("search"))
    def events(self, request: Request, pk: int) -> Response:
        """Place, record, points and visible decks in each event, latest first."""
        player, events, own = self._found(pk)
        page = self.paginate_queryset(events.values_list("pk", flat=True)) or []
        lines = pages.event_lines(player, page, own=own)
        return self.get_paginated_response(PersonEventSerializer(lines, many=True).data)

    @endpoint(
        "person_opponents",
        "Opponents of a player",
        OpponentSerializer(many=True),
        permission=no_permission_needed,
        parameters=[OpenApiParameter("q", description="Part of the name.")],
    )
    @method_decorator(rate_limited("search"))
    def opponents(self, request: Request, pk: int, game: str) -> Response:
        """Opponents in a game, most frequent first. Players who hide their name share a line."""
        if game not in GAMES:
            raise not_found("Game", game)
        player, events, _ = self._found(pk)
        wanted = request.query_params.get("q", "")
        return self.list_response(
            pages.opponents_of(player, events, game, wanted), OpponentSerializer
        )

    def _found(self, pk: int) -> tuple[Player, QuerySet[Tournament], bool]:
        """Return the player, the visible events, and whether the user is that player."""
        # A token bound to one event reads other events as an anonymous visitor.
        actor = NOBODY if self.actor.token_event is not None else self.actor
        found = queries.player_with_events(actor, pk)
        if found is None:
            raise not_found("Player", pk)
        player, events = found
        return player, events, queries.is_self(actor, player)
