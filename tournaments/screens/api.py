"""What overlays show, as data: a table, the standings, the clock."""

from abc import ABC, abstractmethod
from typing import Any

from django.utils.cache import patch_cache_control
from drf_spectacular.utils import OpenApiParameter, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import valid
from core.openapi import operation
from tournaments.event import queries, visibility
from tournaments.rounds.pages import clocks
from tournaments.screens import serializers
from tournaments.screens.forms import MOST_ROWS, StandingsForm
from tournaments.screens.pages import overlays
from tournaments.web.api.access import EventEndpoint


class OverlayView(EventEndpoint, ABC):
    """Nothing but what everybody may read, and nobody by name who avoids the stream.

    The ETag is made of what is shown: a clock that runs out moves no version of the event.
    """

    pagination_class = None

    @abstractmethod
    def shown(self) -> Any:
        """What the overlay shows, for the serializer of the view."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """It, as it is now."""
        return Response(self.get_serializer(self.shown()).data)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        if hasattr(self, "tournament") and not visibility.is_open(self.tournament):
            patch_cache_control(response, private=True)
        return response


@extend_schema_view(get=operation("overlay_table", "Overlay of a table"))
class TableOverlay(OverlayView):
    """One table of the newest round: players, roles, identities that are shown, clock."""

    serializer_class = serializers.OverlayTableSerializer

    def shown(self) -> overlays.OverlayTable:
        """The table of the address."""
        return overlays.table(self.tournament, self.kwargs["number"])


@extend_schema_view(get=operation("overlay_feature", "Overlay of the feature table"))
class FeatureOverlay(OverlayView):
    """The first feature table whose players do not mind; without feature tables the first table."""

    serializer_class = serializers.OverlayTableSerializer

    def shown(self) -> overlays.OverlayTable:
        """The first that may be shown."""
        return overlays.table(self.tournament, None)


def _number(name: str, most: int, words: str) -> OpenApiParameter:
    schema = {"type": "integer", "minimum": 1, "maximum": most}
    return OpenApiParameter(name, schema, description=words)


@extend_schema_view(
    get=operation(
        "overlay_standings",
        "Overlay of the standings",
        parameters=[
            _number("top", MOST_ROWS, "How many rows; 8 unless told."),
            _number("page", 999, "Which so many rows; the first unless told."),
        ],
    )
)
class StandingsOverlay(OverlayView):
    """Some rows of the standings in force."""

    serializer_class = serializers.OverlayStandingsSerializer
    own_parameters = ("top", "page")

    def shown(self) -> overlays.OverlayStandings:
        """The rows that are asked for."""
        asked = valid(StandingsForm(self.request.query_params)).cleaned_data
        return overlays.standings(self.tournament, asked["top"], asked["page"])


@extend_schema_view(get=operation("overlay_clock", "Overlay of the clock"))
class ClockOverlay(OverlayView):
    """The clock of the room."""

    serializer_class = serializers.OverlayClockAnswer

    def shown(self) -> dict[str, Any]:
        """The clock of the newest round."""
        return {"clock": clocks.face(queries.newest_visible_round(self.tournament))}
