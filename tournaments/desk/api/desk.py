"""The desk: the next thing to do, the log and the way back, and practice events."""

from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import given, valid
from core.api_errors import found_or_404
from core.api_viewsets import ScopeTooNarrow, endpoint
from engine.pairing.round_robin import RoundRobinOver
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
from tournaments.desk.services.undo_kinds import CannotUndo
from tournaments.event import permissions, queries, visibility
from tournaments.event.history import EventIsFinished
from tournaments.event.pages import LogLine, log_line, logged_tables
from tournaments.models import ApiToken, LogAction, LogEntry, Topic
from tournaments.rounds.elimination import NoGameToPlay
from tournaments.rounds.services import drafting, rounds
from tournaments.web.api.authentication import found_with
from tournaments.web.api.viewsets import EventViewSet

FILTERS = {
    "words": "Words that all stand in it.",
    "kind": f"One of {', '.join(Topic)}.",
    "round": "The number of a round.",
    "player": "The number of a player it is about.",
    "by": "Who did it: user-<id> or player-<id>.",
}
NOT_PLAYED = (
    practice.NotAPractice,
    practice.NothingToPlay,
    EventIsFinished,
    drafting.NotEnoughPlayers,
    NoGameToPlay,
    RoundRobinOver,
    rounds.DraftIsOld,
    rounds.NotADraft,
    rounds.ResultsMissing,
    rounds.WrongState,
)
"""Of a whole round: also what pairing, publishing and closing refuse."""


class DeskViewSet(EventViewSet):
    """Where an event stands, and how its pairings and standings were."""

    @endpoint("desk_read", "Where an event stands", DeskSerializer, who=permissions.can_open_desk)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The next step in words and as a kind, open tables, jobs; for the staff."""
        runs = permissions.can_run(self.actor, self.tournament)
        can_score = permissions.can_enter_results(self.actor, self.tournament)
        seen = glance(self.tournament, runs=runs)
        now = desk_state(self.tournament, seen)
        late = queries.late_tables(self.tournament) if now.has_late_tables else ()
        answer = {
            "newest_entry": seen.work.newest_entry,
            "step": next_step(now, can_score=can_score),
            "state": now,
            "late_tables": list(late),
        }
        return Response(DeskSerializer(answer, context=self.names()).data)

    @endpoint("versions_list", "How things were", VersionsSerializer, who=permissions.can_open_desk)
    def versions(self, request: Request, **kwargs: Any) -> Response:
        """All pairings drafted or published, by their entries in the log; all standings."""
        with_draft = visibility.can_see_drafts(self.actor, self.tournament)
        entries = queries.readable_log(self.tournament, with_draft=with_draft, with_checks=False)
        drafted = desk_queries.entries_with_pairings(entries).select_related("round")
        if not with_draft:
            drafted = drafted.filter(action=LogAction.ROUND_PUBLISHED)
        standings = standings_by_round(self.tournament)
        pairings = pairings_by_round(drafted)
        shown = [
            {
                "round": number,
                "pairings": pairings.get(number, []),
                "standings": standings.get(number, []),
            }
            for number in sorted(standings.keys() | pairings.keys())
        ]
        return Response(VersionsSerializer({"rounds": shown}).data)

    @endpoint(
        "versions_standings",
        "Standings as they were",
        StandingsThenSerializer,
        who=permissions.can_open_desk,
    )
    def standings_then(self, request: Request, **kwargs: Any) -> Response:
        """With what differs from the computation before."""
        snapshots = self.tournament.snapshots.select_related("round")
        snapshot = found_or_404(snapshots, "Snapshot", pk=self.kwargs["pk"])
        rows = queries.standing_rows(snapshot).select_related(
            "registration__player", "snapshot__round"
        )
        answer = {"snapshot": snapshot, "rows": rows, "moved": moved(snapshot)}
        return Response(StandingsThenSerializer(answer).data)


class LogViewSet(EventViewSet):
    """What was done at the event, and the way back."""

    @endpoint(
        "log_list",
        "Log",
        LogLineSerializer(many=True),
        who=permissions.can_open_desk,
        parameters=[
            OpenApiParameter(name, OpenApiTypes.STR, description=words)
            for name, words in FILTERS.items()
        ],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Every change the asking person may know of, the newest first, or those looked for."""
        form = valid(LogForm(request.query_params, self.tournament))
        entries = desk_queries.log_for(self._readable(), self.tournament, form.wanted)
        page = self.paginate_queryset(entries) or ()
        lines = [self._line(entry) for entry in page]
        return self.get_paginated_response(LogLineSerializer(lines, many=True).data)

    @endpoint("log_read", "One change", LogEntrySerializer, who=permissions.can_open_desk)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """With the pairings it keeps, for those who may see them."""
        entry = self._entry()
        runs = visibility.can_see_drafts(self.actor, self.tournament)
        shows_seats = entry.action == LogAction.ROUND_PUBLISHED or runs
        answer = {"line": self._line(entry), "tables": logged_tables(entry) if shows_seats else []}
        return Response(LogEntrySerializer(answer).data)

    @endpoint(
        "log_undo_plan",
        "What undoing a change would do",
        PlanSerializer,
        who=permissions.can_open_desk,
        refusals=(CannotUndo,),
    )
    def plan(self, request: Request, **kwargs: Any) -> Response:
        """Nothing is changed. 409 with the reason where it cannot be taken back."""
        return Response(PlanSerializer(undo.plan(self._own_kind(), self.actor)).data)

    @endpoint(
        "log_undo",
        "Undo a change",
        LogEntrySerializer,
        body=UndoBody,
        who=permissions.can_open_desk,
        refusals=(CannotUndo,),
    )
    def undo(self, request: Request, **kwargs: Any) -> Response:
        """Answers the new entry that tells of it; nothing is wiped from the log."""
        entry, asked = self._own_kind(), given(UndoBody, request)
        done = undo.undo(entry, self.actor, asked["reason"].strip())
        return Response(LogEntrySerializer({"line": self._line(done), "tables": []}).data)

    def _readable(self) -> QuerySet[LogEntry]:
        """The entries the asking person may read, with what a line says."""
        entries = queries.readable_log(
            self.tournament,
            with_draft=visibility.can_see_drafts(self.actor, self.tournament),
            with_checks=permissions.can_judge(self.actor, self.tournament),
        )
        return entries.select_related("round", "registration__player", "undoes", "undone_by")

    def _line(self, entry: LogEntry) -> LogLine:
        """The entry in words, on the clocks of the event."""
        with timezone.override(ZoneInfo(self.tournament.time_zone)):
            can_undo = undo.can_undo(entry, self.actor, self.tournament)
            return log_line(entry, can_undo=can_undo)

    def _entry(self) -> LogEntry:
        """The entry of the address."""
        return found_or_404(self._readable(), "Log entry", pk=self.kwargs["pk"])

    def _own_kind(self) -> LogEntry:
        """The entry, for who has the ability of the change. Raises PermissionDenied."""
        entry = self._entry()
        kind = undo.KINDS.get(entry.action)
        if kind is None or not kind.can(self.actor, self.tournament):
            raise PermissionDenied
        return entry


class PracticeViewSet(EventViewSet):
    """Practice events of the asking account."""

    @endpoint(
        "practice_list",
        "My practice events",
        PracticeSerializer(many=True),
        who=permissions.can_run,
    )
    def list(self, request: Request, slug: str) -> Response:
        """The practice events of the asking account, the newest first."""
        practices = queries.practices_of(self.account())
        return self.listed(found_with(request.auth, practices), PracticeSerializer)

    @endpoint(
        "practice_make",
        "Make a practice event",
        PracticeSerializer,
        body=PracticeBody,
        status=201,
        who=permissions.can_run,
        refusals=(practice.TooManyPractices,),
    )
    def create(self, request: Request, slug: str) -> Response:
        """A copy of the event to practise with. A token of one event makes none."""
        if isinstance(request.auth, ApiToken) and request.auth.is_bound:
            raise ScopeTooNarrow("This token is for one event; to practise is another one.")
        with_rounds = given(PracticeBody, request).get("with_rounds", False)
        made = practice.copy(self.tournament, self.actor, with_rounds=with_rounds)
        body = PracticeSerializer(made, context=self.get_serializer_context())
        address = reverse("api:event", args=[made.slug], request=request)
        return Response(body.data, status=201, headers={"Location": address})

    @endpoint(
        "practice_end",
        "Delete a practice event",
        status=204,
        who=permissions.can_own,
        refusals=(practice.NotAPractice,),
    )
    def destroy(self, request: Request, slug: str) -> Response:
        """Throw this practice event away with all its players; never a real event."""
        practice.throw_away(self.tournament)
        return Response(status=204)

    @endpoint(
        "practice_play",
        "Play at random",
        PlayedSerializer,
        body=PlayBody,
        who=permissions.can_run,
        refusals=NOT_PLAYED,
    )
    def play(self, request: Request, slug: str) -> Response:
        """Results by lot for the open tables of a practice event, or for a whole round."""
        if given(PlayBody, request).get("what") == "round":
            played = practice.play_round(self.tournament, self.actor)
            return Response({"tables": None, "round": played.number})
        return Response({"tables": practice.play(self.tournament, self.actor), "round": None})
