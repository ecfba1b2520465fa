"""What was done at the event, by whom, the way back, and how things were."""

from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given, valid
from core.openapi import operation
from tournaments.desk import queries as desk_queries
from tournaments.desk.forms import LogForm
from tournaments.desk.pages import as_it_was
from tournaments.desk.serializers import (
    LogEntrySerializer,
    LogLineSerializer,
    PlanSerializer,
    StandingsThenSerializer,
    UndoBody,
    VersionsSerializer,
)
from tournaments.desk.services import undo as services
from tournaments.event import permissions, queries, visibility
from tournaments.event.pages import LogLine, log_line, logged_tables
from tournaments.models import LogAction, LogEntry, Topic
from tournaments.web.api.access import ManyView, OneView

FILTERS = {
    "words": "Words that all stand in it.",
    "kind": f"One of {', '.join(Topic)}.",
    "round": "The number of a round.",
    "player": "The number of a player it is about.",
    "by": "Who did it: user-<id> or player-<id>.",
}
DESK = dict.fromkeys(("GET", "POST"), permissions.can_open_desk)


class LogReading:
    """What somebody may read of the log."""

    def readable(self: Any) -> QuerySet[LogEntry]:
        """The entries, with what a line says."""
        entries = queries.readable_log(
            self.tournament,
            with_draft=visibility.can_see_drafts(self.actor, self.tournament),
            with_checks=permissions.can_judge(self.actor, self.tournament),
        )
        return entries.select_related("round", "registration__player", "undoes", "undone_by")

    def line(self: Any, entry: LogEntry) -> LogLine:
        """The entry in words, on the clocks of the event."""
        with timezone.override(ZoneInfo(self.tournament.time_zone)):
            can_undo = services.can_undo(entry, self.actor, self.tournament)
            return log_line(entry, can_undo=can_undo)

    def entry(self: Any) -> LogEntry:
        """The entry of the address."""
        found: LogEntry = get_object_or_404(self.readable(), pk=self.kwargs["pk"])
        return found


class Log(LogReading, ManyView):
    abilities = DESK
    own_parameters = tuple(FILTERS)

    @operation(
        "log_list",
        "Log",
        LogLineSerializer(many=True),
        parameters=[
            OpenApiParameter(name, OpenApiTypes.STR, description=words)
            for name, words in FILTERS.items()
        ],
    )
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Every change the asking person may know of, the newest first, or those looked for."""
        form = valid(LogForm(request.query_params, self.tournament))
        entries = desk_queries.log_for(self.readable(), self.tournament, form.wanted)
        page = self.paginate_queryset(entries) or ()
        lines = [self.line(entry) for entry in page]
        return self.get_paginated_response(LogLineSerializer(lines, many=True).data)


class Entry(LogReading, OneView):
    abilities = DESK

    @operation("log_read", "One change", LogEntrySerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """With the pairings it keeps, for those who may see them."""
        entry = self.entry()
        runs = visibility.can_see_drafts(self.actor, self.tournament)
        shows_seats = entry.action == LogAction.ROUND_PUBLISHED or runs
        told = {"line": self.line(entry), "tables": logged_tables(entry) if shows_seats else []}
        return Response(LogEntrySerializer(told).data)


class Undo(LogReading, OneView):
    abilities = DESK

    def _entry(self) -> LogEntry:
        """The entry, for who has the ability of the change. Raises PermissionDenied."""
        entry = self.entry()
        kind = services.KINDS.get(entry.action)
        if kind is None or not kind.can(self.actor, self.tournament):
            raise PermissionDenied
        return entry

    @operation("log_undo_plan", "What taking a change back would do", PlanSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Nothing is changed. 409 with the reason where it cannot be taken back."""
        return Response(PlanSerializer(services.plan(self._entry(), self.actor)).data)

    @operation("log_undo", "Take a change back", LogEntrySerializer, body=UndoBody)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Answers the new entry that tells of it; nothing is wiped from the log."""
        entry, told = self._entry(), given(UndoBody, request)
        done = services.undo(entry, self.actor, told["reason"].strip())
        return Response(LogEntrySerializer({"line": self.line(done), "tables": []}).data)


class Versions(OneView):
    abilities = DESK

    @operation("versions_list", "How things were", VersionsSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """All pairings drafted or published, by their entries in the log; all standings."""
        with_draft = visibility.can_see_drafts(self.actor, self.tournament)
        entries = queries.readable_log(self.tournament, with_draft=with_draft, with_checks=False)
        told = desk_queries.pairings_told(entries).select_related("round")
        if not with_draft:
            told = told.filter(action=LogAction.ROUND_PUBLISHED)
        standings = as_it_was.versions(self.tournament)
        pairings = as_it_was.pairings_by_round(told)
        rounds = [
            {
                "round": number,
                "pairings": pairings.get(number, []),
                "standings": standings.get(number, []),
            }
            for number in sorted(standings.keys() | pairings.keys())
        ]
        return Response(VersionsSerializer({"rounds": rounds}).data)


class StandingsThen(OneView):
    abilities = DESK

    @operation("versions_standings", "Standings as they were", StandingsThenSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """With what differs from the computation before."""
        snapshots = self.tournament.snapshots.select_related("round")
        snapshot = get_object_or_404(snapshots, pk=self.kwargs["pk"])
        rows = queries.standing_rows(snapshot).select_related(
            "registration__player", "snapshot__round"
        )
        told = {
            "id": snapshot.pk,
            "round": snapshot.round.number,
            "computed_at": snapshot.computed_at,
            "rows": rows,
            "moved": as_it_was.moved(snapshot),
        }
        return Response(StandingsThenSerializer(told).data)
