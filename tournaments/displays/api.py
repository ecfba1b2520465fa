"""Data of stream overlays: a table, the standings, the clock."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_requests import validated_form
from core.api_viewsets import endpoint
from tournaments.displays import pages
from tournaments.displays.forms import MAX_ROWS, OverlayStandingsForm
from tournaments.displays.serializers import (
    OverlayClockAnswer,
    OverlayStandingsSerializer,
    OverlayTableSerializer,
)
from tournaments.event import visibility
from tournaments.rounds import timing_pages
from tournaments.web.viewsets import EventViewSet


def _number_parameter(name: str, most: int, words: str) -> OpenApiParameter:
    schema = {"type": "integer", "minimum": 1, "maximum": most}
    return OpenApiParameter(name, schema, description=words)


class OverlayViewSet(EventViewSet):
    """Public data only, without the names of players who opted out of streams.

    The ETag is a hash of the answer: a clock that runs out does not change the event's version.
    """

    tag = "overlays"

    def cache_control(self) -> dict[str, bool]:
        is_hidden = hasattr(self, "tournament") and not visibility.is_open_to_all(self.tournament)
        return {"private": True} if is_hidden else {}

    @endpoint("overlay_table", "Overlay of a table", OverlayTableSerializer)
    def numbered_table(self, request: Request, **kwargs: Any) -> Response:
        """A table of the latest round: players, sides, public identities and clock."""
        shown = pages.get_overlay_table(self.tournament, kwargs["number"])
        return Response(OverlayTableSerializer(shown).data)

    @endpoint("overlay_feature", "Overlay of the feature table", OverlayTableSerializer)
    def feature_table(self, request: Request, **kwargs: Any) -> Response:
        """The first feature table without a stream opt-out, otherwise the first table."""
        shown = pages.get_overlay_table(self.tournament, None)
        return Response(OverlayTableSerializer(shown).data)

    @endpoint(
        "overlay_standings",
        "Overlay of the standings",
        OverlayStandingsSerializer,
        parameters=[
            _number_parameter("top", MAX_ROWS, "The number of rows. The default is 8."),
            _number_parameter("page", 999, "The page of that many rows. The default is the first."),
        ],
    )
    def standings(self, request: Request, **kwargs: Any) -> Response:
        """Some rows of the current standings."""
        asked = validated_form(OverlayStandingsForm(request.query_params)).cleaned_data
        shown = pages.get_overlay_standings(self.tournament, asked["top"], asked["page"])
        return Response(OverlayStandingsSerializer(shown).data)

    @endpoint("overlay_clock", "Overlay of the clock", OverlayClockAnswer)
    def clock(self, request: Request, **kwargs: Any) -> Response:
        """The clock of the latest round."""
        face = timing_pages.get_clock_face(self.tournament.newest_published_round())
        return Response(OverlayClockAnswer({"clock": face}).data)
