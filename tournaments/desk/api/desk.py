"""The desk: the next thing to do, the log and the way back, and practice events."""

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
from rest_framework.reverse import reverse

from core.api_bodies import given, valid
from core.api_writes import ScopeTooNarrow
from core.openapi import operation
from tournaments.desk import queries as desk_queries
from tournaments.desk.forms import LogForm
from tournaments.desk.pages.desk_state import desk_state, glance
from tournaments.desk.pages.next_step import next_step
from tournaments.desk.pages.versions import moved, pairings_by_round, standings_by_round
from tournaments.desk.serializers import (
    DeskSerializer,
    LogEntrySerializer,
    LogLineSerializer,
    PlanSerializer,
    PlayBody,
    PlayedSerializer,
    PracticeBody,
    PracticeSerializer,
    StandingsThenSerializer,
    UndoBody,
    VersionsSerializer,
)
from tournaments.desk.services import practice, undo
from tournaments.event import permissions, queries, visibility
from tournaments.event.pages import LogLine, log_line, logged_tables
from tournaments.models import ApiToken, LogAction, LogEntry, Topic
from tournaments.web.api.access import ManyView, OneView, names_of
from tournaments.web.api.authentication import found_with

SHOWN = (
    "round",
    "target",
    "players",
    "checked_in",
    "waiting",
    "registration_is_open",
    "open_tables",
    "jobs",
)
FILTERS = {
    "words": "Words that all stand in it.",
    "kind": f"One of {', '.join(Topic)}.",
    "round": "The number of a round.",
    "player": "The number of a player it is about.",
    "by": "Who did it: user-<id> or player-<id>.",
}
DESK = dict.fromkeys(("GET", "POST"), permissions.can_open_desk)


class Desk(OneView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("desk_read", "Where an event stands", DeskSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """The next step in words and as a kind, open tables, jobs; for the staff."""
        runs = permissions.can_run(self.actor, self.tournament)
        seen = glance(self.tournament, runs=runs)
        now = desk_state(self.tournament, seen)
        late = queries.late_tables(self.tournament) if now.has_late_tables else ()
        answer = {
            "newest_entry": seen.newest_entry,
            "step": next_step(now),
            "late_tables": list(late),
            **{name: getattr(now, name) for name in SHOWN},
        }
        return Response(DeskSerializer(answer, context=names_of(self.tournament)).data)


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
            can_undo = undo.can_undo(entry, self.actor, self.tournament)
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
        answer = {"line": self.line(entry), "tables": logged_tables(entry) if shows_seats else []}
        return Response(LogEntrySerializer(answer).data)


class Undo(LogReading, OneView):
    abilities = DESK

    def _entry(self) -> LogEntry:
        """The entry, for who has the ability of the change. Raises PermissionDenied."""
        entry = self.entry()
        kind = undo.KINDS.get(entry.action)
        if kind is None or not kind.can(self.actor, self.tournament):
            raise PermissionDenied
        return entry

    @operation("log_undo_plan", "What taking a change back would do", PlanSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Nothing is changed. 409 with the reason where it cannot be taken back."""
        return Response(PlanSerializer(undo.plan(self._entry(), self.actor)).data)

    @operation("log_undo", "Take a change back", LogEntrySerializer, body=UndoBody)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Answers the new entry that tells of it; nothing is wiped from the log."""
        entry, asked = self._entry(), given(UndoBody, request)
        done = undo.undo(entry, self.actor, asked["reason"].strip())
        return Response(LogEntrySerializer({"line": self.line(done), "tables": []}).data)


class Versions(OneView):
    abilities = DESK

    @operation("versions_list", "How things were", VersionsSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """All pairings drafted or published, by their entries in the log; all standings."""
        with_draft = visibility.can_see_drafts(self.actor, self.tournament)
        entries = queries.readable_log(self.tournament, with_draft=with_draft, with_checks=False)
        drafted = desk_queries.entries_with_pairings(entries).select_related("round")
        if not with_draft:
            drafted = drafted.filter(action=LogAction.ROUND_PUBLISHED)
        standings = standings_by_round(self.tournament)
        pairings = pairings_by_round(drafted)
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
        answer = {
            "id": snapshot.pk,
            "round": snapshot.round.number,
            "computed_at": snapshot.computed_at,
            "rows": rows,
            "moved": moved(snapshot),
        }
        return Response(StandingsThenSerializer(answer).data)


class Practice(ManyView):
    abilities = {
        "GET": permissions.can_run,
        "POST": permissions.can_run,
        "DELETE": permissions.can_own,
    }

    @operation("practice_list", "My practice events", PracticeSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The practice events of the asking account, the newest first."""
        assert self.actor.user is not None, "only accounts run events"
        practices = queries.practices_of(self.actor.user)
        return self.listed(found_with(request.auth, practices), PracticeSerializer)

    @operation(
        "practice_make", "Make a practice event", PracticeSerializer, body=PracticeBody, status=201
    )
    def post(self, request: Request, slug: str) -> Response:
        """A copy of the event to practise with. A token of one event makes none."""
        if isinstance(request.auth, ApiToken) and request.auth.is_bound:
            raise ScopeTooNarrow("This token is for one event; to practise is another one.")
        with_rounds = given(PracticeBody, request).get("with_rounds", False)
        made = practice.copy(self.tournament, self.actor, with_rounds=with_rounds)
        body = PracticeSerializer(made, context=self.get_serializer_context())
        address = reverse("api:event", args=[made.slug], request=request)
        return Response(body.data, status=201, headers={"Location": address})

    @operation("practice_end", "Throw a practice event away", status=204)
    def delete(self, request: Request, slug: str) -> Response:
        """Throw this practice event away with all its players; never a real event."""
        practice.throw_away(self.tournament)
        return Response(status=204)


class PracticePlay(OneView):
    abilities = {"POST": permissions.can_run}

    @operation("practice_play", "Play by lot", PlayedSerializer, body=PlayBody)
    def post(self, request: Request, slug: str) -> Response:
        """Results by lot for the open tables of a practice event, or for a whole round."""
        if given(PlayBody, request).get("what") == "round":
            played = practice.play_round(self.tournament, self.actor)
            return Response({"tables": None, "round": played.number})
        return Response({"tables": practice.play(self.tournament, self.actor), "round": None})
