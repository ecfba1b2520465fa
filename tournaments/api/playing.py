"""What the addresses of rounds and tables share."""

from abc import ABC, abstractmethod
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api import reading
from tournaments.api.access import EventEndpoint, EventView
from tournaments.models import Registration, Tournament


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
