"""The shapes of an answer below an event."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import ViewSetMixin

from tournaments.models import Registration, Tournament
from tournaments.web.api import reading
from tournaments.web.api.access import EventEndpoint, EventView, OwnView


class OneView(OwnView):
    """An address that answers one thing."""

    pagination_class = None


class Actions(ViewSetMixin, OneView):
    """Addresses that each change one thing, with a method for each, which `abilities` names."""

    @classmethod
    def by_post(cls, action: str) -> Callable[..., HttpResponseBase]:
        """The view of an address to which a POST does this."""
        return cls.as_view({"post": action})


class ManyView(OwnView):
    """An address that answers a list, page by page."""

    def listed(
        self,
        rows: QuerySet[Any] | Sequence[Any],
        serializer: type[BaseSerializer[Any]],
        **context: Any,
    ) -> Response:
        """The page that is asked for."""
        page = self.paginate_queryset(rows)
        context = {**self.get_serializer_context(), **context}
        return self.get_paginated_response(serializer(page, many=True, context=context).data)


class _Shown(ABC):
    """Answers what `shown` says."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.shown())

    @abstractmethod
    def shown(self) -> Any:
        """The answer as plain data."""


class ShownView(EventView, _Shown):
    """One thing that everybody who sees the event is answered alike."""

    pagination_class = None


def names_of(tournament: Tournament) -> dict[str, Any]:
    """The context of serializers that name players: by their key, and names by number."""
    players = reading.roster_by_player(tournament)
    return {
        "players": players,
        "names": {entry.number: entry.player.name for entry in players.values()},
    }


def player_at(view: EventEndpoint, number: int) -> Registration | None:
    """The player with this number in the event."""
    places = view.tournament.registrations.select_related("player")
    found: Registration | None = places.filter(number=number).first()
    if found is not None:
        found.tournament = view.tournament
    return found
