"""API of the event log."""

from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404
from core.api_requests import validated_form
from core.api_viewsets import endpoint
from tournaments.event import permissions as event_permissions
from tournaments.event.pages import LogLine, log_line
from tournaments.models import LogEntry, LogTopic
from tournaments.undo import queries
from tournaments.undo.forms import LogFilterForm
from tournaments.undo.pages import visible_tables
from tournaments.undo.serializers import LogEntrySerializer, LogLineSerializer
from tournaments.web.viewsets import EventViewSet

LOG_FILTERS = {
    "words": "Entries that contain all of these words.",
    "kind": f"One of {', '.join(LogTopic)}.",
    "round": "Number of the round.",
    "player": "Number of the player affected.",
    "by": "The author: user-<id> or player-<id>.",
}


class LogViewSet(EventViewSet):
    """The log of the event."""

    tag = "events"

    @endpoint(
        "log_list",
        "Log",
        LogLineSerializer(many=True),
        permission=event_permissions.can_open_desk,
        parameters=[
            OpenApiParameter(name, OpenApiTypes.STR, description=words)
            for name, words in LOG_FILTERS.items()
        ],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Log entries you can see, newest first."""
        form = validated_form(LogFilterForm(request.query_params, self.tournament))
        readable = queries.readable_entries(self.tournament, self.actor)
        entries = queries.matching_entries(readable, self.tournament, form.log_filter)
        page = self.paginate_queryset(entries) or ()
        lines = [self._line(entry) for entry in page]
        return self.get_paginated_response(LogLineSerializer(lines, many=True).data)

    @endpoint(
        "log_read", "One log entry", LogEntrySerializer, permission=event_permissions.can_open_desk
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A log entry, with its stored pairings if you can see them."""
        readable = queries.readable_entries(self.tournament, self.actor)
        entry = get_or_404(readable, "Log entry", pk=self.kwargs["pk"])
        tables = visible_tables(entry, self.actor, self.tournament)
        return Response(LogEntrySerializer({"line": self._line(entry), "tables": tables}).data)

    def _line(self, entry: LogEntry) -> LogLine:
        with timezone.override(self.tournament.zone):
            return log_line(entry)
