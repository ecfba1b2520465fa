"""What overlays show, as data: a table, the standings, the clock."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import valid
from core.api_viewsets import endpoint
from tournaments.event import queries, visibility
from tournaments.rounds.pages import clocks
from tournaments.screens.forms import MOST_ROWS, StandingsForm
from tournaments.screens.pages import overlays
from tournaments.screens.serializers import (
    OverlayClockAnswer,
    OverlayStandingsSerializer,
    OverlayTableSerializer,
)
from tournaments.web.api.viewsets import EventViewSet


def _number(name: str, most: int, words: str) -> OpenApiParameter:
    schema = {"type": "integer", "minimum": 1, "maximum": most}
    return OpenApiParameter(name, schema, description=words)


class OverlayViewSet(EventViewSet):
    """Nothing but what everybody may read, and nobody by name who avoids the stream.

    The ETag is made of what is shown: a clock that runs out moves no version of the event.
    """

    def cache_control(self) -> dict[str, bool]:
        is_hidden = hasattr(self, "tournament") and not visibility.is_open(self.tournament)
        return {"private": True} if is_hidden else {}

    @endpoint("overlay_table", "Overlay of a table", OverlayTableSerializer)
    def numbered_table(self, request: Request, **kwargs: Any) -> Response:
        """One table of the newest round: players, roles, identities that are shown, clock."""
        shown = overlays.table(self.tournament, kwargs["number"])
        return Response(OverlayTableSerializer(shown).data)

    @endpoint("overlay_feature", "Overlay of the feature table", OverlayTableSerializer)
    def feature_table(self, request: Request, **kwargs: Any) -> Response:
        """The first feature table whose players do not mind; else the first table."""
        shown = overlays.table(self.tournament, None)
        return Response(OverlayTableSerializer(shown).data)

    @endpoint(
        "overlay_standings",
        "Overlay of the standings",
        OverlayStandingsSerializer,
        parameters=[
            _number("top", MOST_ROWS, "How many rows; 8 without it."),
            _number("page", 999, "Which so many rows; the first without it."),
        ],
    )
    def standings(self, request: Request, **kwargs: Any) -> Response:
        """Some rows of the standings in force."""
        asked = valid(StandingsForm(request.query_params)).cleaned_data
        shown = overlays.standings(self.tournament, asked["top"], asked["page"])
        return Response(OverlayStandingsSerializer(shown).data)

    @endpoint("overlay_clock", "Overlay of the clock", OverlayClockAnswer)
    def clock(self, request: Request, **kwargs: Any) -> Response:
        """The clock of the newest round."""
        face = clocks.face(queries.newest_visible_round(self.tournament))
        return Response(OverlayClockAnswer({"clock": face}).data)
