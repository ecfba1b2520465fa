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
        """What players need in the last round. 404 if the event does not show it."""
        if not self.tournament.shows_needs:
            raise Http404("This event does not show clinch scenarios.")
        table = needs_table(self.tournament)
        chances = None if table else chances_table(self.tournament)
        known = table or chances
        body = {
            "round": table.round if table else None,
            "goal": known.goal if known else "",
            "open_tables": table.open_tables if table else 0,
            "rows": table.rows if table else (),
            "chances": chances,
        }
        return Response(NeedsSerializer(body).data)
