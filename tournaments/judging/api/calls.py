"""Judge calls: the queue, answers, those of the asking player's own table, and figures of all."""

from typing import Any, NamedTuple

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import asked, given
from core.openapi import operation
from rulings.models import JudgeCall
from tournaments.event import permissions
from tournaments.event import queries as event_queries
from tournaments.judging import queries
from tournaments.judging.api.penalties import give_with_answer, numbers_of
from tournaments.judging.pages import calls as pages
from tournaments.judging.queries import TableCall
from tournaments.judging.serializers.calls import (
    AboutWanted,
    AnswerWanted,
    CallDetailSerializer,
    CallsAsked,
    OwnCallSerializer,
    OwnTableCallsSerializer,
    QueuedCallSerializer,
    ReasonWanted,
    StaffCallWanted,
    StatisticsSerializer,
)
from tournaments.judging.services import calls
from tournaments.models import Pairing
from tournaments.web.api.access import Actions, ManyView, OneView, OwnView, actor_of


class SeenCall(NamedTuple):
    """A call and its page."""

    call: JudgeCall
    pairing: Pairing
    page: pages.CallPage


class CallView(OwnView):
    """Calls name players by their numbers; `pk` is the id of a call of the event."""

    def found(self) -> TableCall:
        """The call of the address, or a 404."""
        found = queries.table_call(self.tournament, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    def shown(self, call: JudgeCall, status_: int = status.HTTP_200_OK) -> Response:
        """The call as it is now, with what the asking judge may do with it."""
        found = queries.table_call(self.tournament, call.pk)
        if found is None:
            raise Http404
        line = pages.queue_line(self.tournament, found, self.actor, timezone.now())
        return Response(self._document(line), status=status_)

    def _document(self, line: pages.QueueLine) -> Any:
        return QueuedCallSerializer(line, context=self._context()).data

    def _context(self) -> dict[str, Any]:
        judges = permissions.can_judge(self.actor, self.tournament)
        return {**numbers_of(self.tournament), "judges": judges}


class CallList(CallView, ManyView):
    """The calls of the event: those that wait for a judge, the oldest first, for all who stand
    behind the desk; those that are over, the newest first, for judges.
    """

    abilities = {"GET": permissions.can_open_desk, "POST": permissions.can_open_desk}
    own_parameters = ("state", "round", "judge", "kind")

    @operation(
        "calls_list",
        "Judge calls",
        QueuedCallSerializer(many=True),
        parameters=[CallsAsked],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who waits, or who answered what."""
        sought = asked(CallsAsked, request)
        return self.listed(self._lines(sought), QueuedCallSerializer, **self._context())

    def _lines(self, sought: dict[str, Any]) -> Any:
        now = timezone.now()
        if sought["state"] == "open":
            self._refuse_filters(sought)
            return pages.queue(self.tournament, self.actor, now)
        self.require(permissions.can_judge)
        past = queries.past_calls(
            self.tournament,
            round_number=sought.get("round"),
            judge=self._judge(sought.get("judge")),
            kind=sought.get("kind", ""),
        )
        return [pages.queue_line(self.tournament, line, self.actor, now) for line in past]

    def _refuse_filters(self, sought: dict[str, Any]) -> None:
        only_past = {"round", "judge", "kind"} & set(sought)
        if only_past:
            said = "Only calls that are over are narrowed down: add state=over."
            raise ValidationError({name: [said] for name in sorted(only_past)})

    def _judge(self, name: str | None) -> int | None:
        if name is None:
            return None
        judges = {judge.username: judge.pk for judge in queries.judges_of_calls(self.tournament)}
        # Nobody has the key 0.
        return judges.get(name, 0)

    @operation(
        "calls_raise_at_desk",
        "Type a call at the desk",
        QueuedCallSerializer,
        body=StaffCallWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Somebody came to the desk. A second call of a table that waits is the same call."""
        body = given(StaffCallWanted, request)
        pairing = event_queries.table_now(self.tournament, body["table"])
        if pairing is None:
            raise ValidationError({"table": ["Nobody plays at this table now."]})
        call = calls.raise_call(pairing, self.actor, body["about"])
        return self.shown(call, status.HTTP_201_CREATED)


class CallDetail(CallView):
    """One call, for judges."""

    abilities = {"GET": permissions.can_judge}

    @operation("calls_read", "One judge call", CallDetailSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The call, its table, and what was called there before."""
        found = self.found()
        page = pages.call_page(self.tournament, found, self.actor, timezone.now())
        seen = SeenCall(found.call, found.pairing, page)
        context = numbers_of(self.tournament)
        return Response(CallDetailSerializer(seen, context=context).data)


class CallStatistics(OneView):
    abilities = {"GET": permissions.can_head_judge}

    @operation("calls_statistics", "Statistics of judge calls", StatisticsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """How many calls, how fast, how good."""
        figures = pages.figures_of(self.tournament)
        document = {
            **pages.figures_document(figures),
            "by_round": [{"round": one, "calls": count} for one, count in figures.by_round],
            "tables": [
                {"round": one, "table": table, "calls": count}
                for one, table, count in figures.tables
            ],
            "cited": [
                {"code": code, "subject": subject, "times": times}
                for code, subject, times in figures.cited
            ],
        }
        return Response(StatisticsSerializer(document).data)


class CallActions(Actions, CallView):
    """A judge goes to the table, answers, leaves it to the head judge, or takes that back."""

    abilities = {"POST": permissions.can_judge}

    @operation("calls_take", "Take a call", QueuedCallSerializer)
    def take(self, request: Request, slug: str, pk: int) -> Response:
        """The asking judge goes there; the table sees who."""
        call = self.found().call
        calls.take(self.tournament, call, self.actor)
        return self.shown(call)

    @operation("calls_give_back", "Give a call back", QueuedCallSerializer)
    def give_back(self, request: Request, slug: str, pk: int) -> Response:
        """The call is free again; a head judge may free that of another."""
        call = self.found().call
        calls.give_back(self.tournament, call, self.actor)
        return self.shown(call)

    @operation(
        "calls_escalate",
        "Leave a call to the head judge",
        QueuedCallSerializer,
        body=ReasonWanted,
    )
    def escalate(self, request: Request, slug: str, pk: int) -> Response:
        """A reason is kept as a note on the table."""
        call, body = self.found().call, given(ReasonWanted, request)
        calls.escalate(self.tournament, call, self.actor, body["reason"])
        return self.shown(call)

    @operation("calls_reopen", "Take an answer back", QueuedCallSerializer, body=ReasonWanted)
    def reopen(self, request: Request, slug: str, pk: int) -> Response:
        """The call waits again; minutes and penalties that were given with the answer stay."""
        call, body = self.found().call, given(ReasonWanted, request)
        calls.reopen(self.tournament, call, self.actor, body["reason"])
        return self.shown(call)

    @operation("calls_answer", "Answer a call", QueuedCallSerializer, body=AnswerWanted)
    def answer(self, request: Request, slug: str, pk: int) -> Response:
        """All or nothing: a clock or a penalty that is refused leaves the call open."""
        found, body = self.found(), given(AnswerWanted, request)
        said = _said(found.call, body)
        with transaction.atomic():
            calls.answer(self.tournament, found.call, self.actor, said)
            if body["penalty"]:
                give_with_answer(self.tournament, found.pairing, self.actor, body["penalty"], said)
        return self.shown(found.call)


def _said(call: JudgeCall, body: dict[str, Any]) -> calls.Answer:
    is_appeal, overturned = call.appeals_id is not None, body["overturned"]
    if is_appeal and overturned is None:
        raise ValidationError({"overturned": ["Say whether the first answer is overturned."]})
    if not is_appeal and overturned is not None:
        raise ValidationError({"overturned": ["This is no appeal: leave it out."]})
    return calls.Answer(body["text"], body["rulings"], body["minutes"], overturned)


class TableCalls(OneView):
    """A judge for the table of the asking player; nobody else is told of it here."""

    abilities = {"POST": None}

    def own_table(self) -> Pairing:
        """The table of the address, for its players. Raises PermissionDenied for others."""
        self.actor = actor_of(self.request)
        pairing = self.table()
        if pairing.match is None or event_queries.seat_of(pairing.match, self.actor.player) is None:
            self.refuse(self.request)
        return pairing

    @operation("table_calls", "Calls of the own table", OwnTableCallsSerializer)
    def get(self, request: Request, slug: str, number: int, table: int) -> Response:
        """The open call and the newest answer, while the round is played."""
        pairing = self.own_table()
        is_over = pairing.round.is_closed or self.tournament.is_finished
        if is_over or pairing.match is None:
            return self._shown({"open": None, "answered": None, "can_appeal": False})
        return self._shown(pages.calls_of_table(pairing))

    def _shown(self, of_table: dict[str, Any]) -> Response:
        context = {"player": self.actor.player}
        return Response(OwnTableCallsSerializer(of_table, context=context).data)

    @operation(
        "table_calls_raise",
        "Call a judge",
        OwnCallSerializer,
        body=AboutWanted,
        status=201,
    )
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """A judge is wanted; a second call while one is open is the same call."""
        pairing, body = self.own_table(), given(AboutWanted, request)
        call = calls.raise_call(pairing, self.actor, body["about"])
        document = OwnCallSerializer(call, context={"player": self.actor.player})
        return Response(document.data, status=status.HTTP_201_CREATED)


class OwnCallActions(Actions, CallView):
    """What players of the table, and the judges, may do about a call."""

    abilities = {"POST": None}

    def call_at_own_table(self) -> TableCall:
        """The call of the address, for a player of its table or a judge."""
        self.actor = actor_of(self.request)
        found = queries.table_call(self.tournament, self.kwargs["pk"])
        is_seated = found is not None and event_queries.seat_of(found.call.match, self.actor.player)
        if not is_seated and not permissions.can_judge(self.actor, self.tournament):
            self.refuse(self.request)
        if found is None:
            raise Http404
        return found

    @operation(
        "calls_appeal",
        "Appeal an answer",
        OwnCallSerializer,
        body=AboutWanted,
        status=201,
    )
    def appeal(self, request: Request, slug: str, pk: int) -> Response:
        """By a player of the table, or by a judge for them: a new call, for the head judge."""
        found, body = self.call_at_own_table(), given(AboutWanted, request)
        call = calls.appeal(self.tournament, found.call, self.actor, body["about"])
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(call, context=context).data, status=201)

    @operation("calls_withdraw", "Take a call back", OwnCallSerializer)
    def withdraw(self, request: Request, slug: str, pk: int) -> Response:
        """By the player who raised it. Done twice, nothing changes."""
        found = self.call_at_own_table()
        if found.call.answered_at is not None:
            raise calls.CallIsOver("A judge has answered this call already.")
        if found.call.is_open:
            calls.withdraw(found.pairing, self.actor)
        found.call.refresh_from_db()
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(found.call, context=context).data)
