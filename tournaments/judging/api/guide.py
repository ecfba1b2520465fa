"""The infraction guide of an event, which everybody may read."""

from itertools import chain
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_viewsets import endpoint
from tournaments.judging.pages import penalties as pages
from tournaments.judging.serializers.penalties import InfractionSerializer
from tournaments.web.api.viewsets import EventViewSet


class GuideViewSet(EventViewSet):
    """Infractions as they hold at the event, with its changes; each has a code."""

    @endpoint(
        "guide_list", "Infraction guide of the event", InfractionSerializer(many=True), shared=True
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """By category; those that are not used here come last."""
        guide = pages.event_guide(self.tournament)
        used = chain.from_iterable(lines for _, lines in guide.categories)
        return self.listed([*used, *guide.off], InfractionSerializer)
