"""The log of an event."""

from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404
from core.api_requests import validated_form
from core.api_viewsets import endpoint
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.pages import LogLine, log_line, logged_tables
from tournaments.models import LogAction, LogEntry, LogTopic
from tournaments.undo import queries as undo_queries
from tournaments.undo.forms import LogFilterForm
from tournaments.undo.serializers import LogEntrySerializer, LogLineSerializer
from tournaments.web.viewsets import EventViewSet

LOG_FILTERS = {
    "words": "Entries that contain all of these words.",
    "kind": f"One of {', '.join(LogTopic)}.",
    "round": "The number of a round.",
    "player": "The number of the player affected.",
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
        entries = undo_queries.matching_entries(self._readable(), self.tournament, form.log_filter)
        page = self.paginate_queryset(entries) or ()
        lines = [self._line(entry) for entry in page]
        return self.get_paginated_response(LogLineSerializer(lines, many=True).data)

    @endpoint(
        "log_read", "One log entry", LogEntrySerializer, permission=event_permissions.can_open_desk
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A log entry, with its stored pairings if you can see them."""
        entry = self._entry()
        runs = visibility.can_see_drafts(self.actor, self.tournament)
        shows_seats = entry.action == LogAction.ROUND_PUBLISHED or runs
        answer = {"line": self._line(entry), "tables": logged_tables(entry) if shows_seats else []}
        return Response(LogEntrySerializer(answer).data)

    def _readable(self) -> QuerySet[LogEntry]:
        """Return the entries visible to this user."""
        entries = self.tournament.readable_log(
            with_draft=visibility.can_see_drafts(self.actor, self.tournament),
            with_checks=event_permissions.can_judge(self.actor, self.tournament),
        )
        return entries.select_related("round", "registration__player", "undoes", "undone_by")

    def _line(self, entry: LogEntry) -> LogLine:
        """Return the entry as text, in the time zone of the event."""
        with timezone.override(ZoneInfo(self.tournament.time_zone)):
            return log_line(entry)

    def _entry(self) -> LogEntry:
        return get_or_404(self._readable(), "Log entry", pk=self.kwargs["pk"])
