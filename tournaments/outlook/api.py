"""Clinch scenarios in the API."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_viewsets import endpoint
from tournaments.outlook.pages import chances_table, needs_table
from tournaments.outlook.serializers import NeedsSerializer
from tournaments.web.viewsets import EventViewSet


class NeedsViewSet(EventViewSet):
    """Clinch scenarios of the last round."""

    tag = "standings"

    @endpoint("events_needs", "Clinch scenarios", NeedsSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Scenarios of the last round, or chances before it. 404 if the event hides them."""
        if not self.tournament.shows_needs:
            raise Http404("This event does not show clinch scenarios.")
        needs = needs_table(self.tournament)
        chances = None if needs else chances_table(self.tournament)
        table = needs or chances
        body = {
            "round": needs.round if needs else None,
            "goal": table.goal if table else "",
            "open_tables": needs.open_tables if needs else 0,
            "rows": needs.rows if needs else (),
            "chances": chances,
        }
        return Response(NeedsSerializer(body).data)
