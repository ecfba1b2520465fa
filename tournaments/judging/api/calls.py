"""Judge calls: the queue, answers, and those of the asking player's own table."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import asked, given
from core.api_errors import not_found
from core.api_viewsets import anyone, endpoint
from rulings.models import JudgeCall
from tournaments.event import permissions
from tournaments.event import queries as event_queries
from tournaments.event.history import EventIsFinished
from tournaments.judging import queries
from tournaments.judging.api.penalties import REFUSED_PENALTIES, give_with_answer, numbers_of
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
)
from tournaments.judging.services import calls
from tournaments.models import Pairing
from tournaments.rounds.services.clock import OutOfMeasure
from tournaments.rounds.services.rounds import WrongState
from tournaments.web.api.viewsets import EventViewSet

ANSWER_REFUSED = (
    *(calls.CallIsOver, calls.HeadJudgeOnly, OutOfMeasure, WrongState),
    *REFUSED_PENALTIES,
)


class SeenCall(NamedTuple):
    """A call and its page."""

    call: JudgeCall
    pairing: Pairing
    page: pages.CallPage


class CallViewSet(EventViewSet):
    """The calls of the event, which name players by their numbers.

    A judge goes to the table, answers, leaves it to the head judge, or takes that back; players of
    the table appeal, or take the call back.
    """

    @endpoint(
        "calls_list",
        "Judge calls",
        QueuedCallSerializer(many=True),
        who=permissions.can_open_desk,
        parameters=[CallsAsked],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Who waits, or who answered what."""
        sought = asked(CallsAsked, request)
        return self.listed(self._lines(sought), QueuedCallSerializer, **self._context())

    @endpoint(
        "calls_raise_at_desk",
        "Enter a call at the desk",
        QueuedCallSerializer,
        body=StaffCallWanted,
        status=201,
        who=permissions.can_open_desk,
        refusals=(EventIsFinished, calls.NoCallNow),
    )
    def raise_at_desk(self, request: Request, **kwargs: Any) -> Response:
        """Somebody came to the desk. A second call of a table that waits is the same call."""
        body = given(StaffCallWanted, request)
        pairing = event_queries.table_now(self.tournament, body["table"])
        if pairing is None:
            raise ValidationError({"table": ["Nobody plays at this table now."]})
        call = calls.raise_call(pairing, self.actor, body["about"])
        return self._shown(call, status.HTTP_201_CREATED)

    @endpoint("calls_read", "One judge call", CallDetailSerializer, who=permissions.can_judge)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The call, its table, and what was called there before."""
        found = self._found()
        page = pages.call_page(self.tournament, found, self.actor, timezone.now())
        seen = SeenCall(found.call, found.pairing, page)
        context = numbers_of(self.tournament)
        return Response(CallDetailSerializer(seen, context=context).data)

    @endpoint(
        "calls_take",
        "Take a call",
        QueuedCallSerializer,
        who=permissions.can_judge,
        refusals=(calls.CallIsOver, calls.CallIsTaken, calls.HeadJudgeOnly),
    )
    def take(self, request: Request, **kwargs: Any) -> Response:
        """The asking judge goes there; the table sees who."""
        call = self._found().call
        calls.take(self.tournament, call, self.actor)
        return self._shown(call)

    @endpoint(
        "calls_give_back",
        "Return a call to the queue",
        QueuedCallSerializer,
        who=permissions.can_judge,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def give_back(self, request: Request, **kwargs: Any) -> Response:
        """The call is free again; a head judge may free that of another."""
        call = self._found().call
        calls.give_back(self.tournament, call, self.actor)
        return self._shown(call)

    @endpoint(
        "calls_escalate",
        "Pass a call to the head judge",
        QueuedCallSerializer,
        body=ReasonWanted,
        who=permissions.can_judge,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def escalate(self, request: Request, **kwargs: Any) -> Response:
        """A reason is kept as a note on the table."""
        call, body = self._found().call, given(ReasonWanted, request)
        calls.escalate(self.tournament, call, self.actor, body["reason"])
        return self._shown(call)

    @endpoint(
        "calls_reopen",
        "Reopen an answered call",
        QueuedCallSerializer,
        body=ReasonWanted,
        who=permissions.can_judge,
        refusals=(calls.CallIsOver, calls.HeadJudgeOnly),
    )
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """The call waits again; minutes and penalties that were given with the answer stay."""
        call, body = self._found().call, given(ReasonWanted, request)
        calls.reopen(self.tournament, call, self.actor, body["reason"])
        return self._shown(call)

    @endpoint(
        "calls_answer",
        "Answer a call",
        QueuedCallSerializer,
        body=AnswerWanted,
        who=permissions.can_judge,
        refusals=ANSWER_REFUSED,
    )
    def answer(self, request: Request, **kwargs: Any) -> Response:
        """All or nothing: a clock or a penalty that is refused leaves the call open.

        A penalty that costs a game or more is answered 409 `effect_not_seen` first, as under
        `penalties/`.
        """
        found, body = self._found(), given(AnswerWanted, request)
        said = _said(found.call, body)
        with transaction.atomic():
            calls.answer(self.tournament, found.call, self.actor, said)
            if body["penalty"]:
                give_with_answer(self.tournament, found.pairing, self.actor, body["penalty"], said)
        return self._shown(found.call)

    @endpoint(
        "calls_appeal",
        "Appeal an answer",
        OwnCallSerializer,
        body=AboutWanted,
        status=201,
        who=anyone,
        refusals=(EventIsFinished, calls.NoCallNow, calls.CallIsOver, calls.CannotAppeal),
    )
    def appeal(self, request: Request, **kwargs: Any) -> Response:
        """By a player of the table, or by a judge for them: a new call, for the head judge."""
        found, body = self._at_own_table(), given(AboutWanted, request)
        call = calls.appeal(self.tournament, found.call, self.actor, body["about"])
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(call, context=context).data, status=201)

    @endpoint(
        "calls_withdraw",
        "Cancel a call",
        OwnCallSerializer,
        who=anyone,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def withdraw(self, request: Request, **kwargs: Any) -> Response:
        """By the player who raised it. Done twice, nothing changes."""
        found = self._at_own_table()
        if found.call.answered_at is not None:
            raise calls.CallIsOver("A judge has answered this call already.")
        if found.call.is_open:
            calls.withdraw(found.pairing, self.actor)
        found.call.refresh_from_db()
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(found.call, context=context).data)

    def _found(self) -> TableCall:
        """The call of the address, or a 404."""
        found = queries.table_call(self.tournament, self.kwargs["pk"])
        if found is None:
            raise not_found("Judge call", self.kwargs["pk"])
        return found

    def _at_own_table(self) -> TableCall:
        """The call of the address, for a player of its table or a judge."""
        found = queries.table_call(self.tournament, self.kwargs["pk"])
        is_seated = found is not None and event_queries.seat_of(found.call.match, self.actor.player)
        if not is_seated and not permissions.can_judge(self.actor, self.tournament):
            self.refuse(self.request)
        if found is None:
            raise not_found("Judge call", self.kwargs["pk"])
        return found

    def _shown(self, call: JudgeCall, status_: int = status.HTTP_200_OK) -> Response:
        """The call as it is now, with what the asking judge may do with it."""
        found = queries.table_call(self.tournament, call.pk)
        if found is None:
            raise not_found("Judge call", call.pk)
        line = pages.queue_line(self.tournament, found, self.actor, timezone.now())
        return Response(QueuedCallSerializer(line, context=self._context()).data, status=status_)

    def _context(self) -> dict[str, Any]:
        judges = permissions.can_judge(self.actor, self.tournament)
        return {**numbers_of(self.tournament), "judges": judges}

    def _lines(self, sought: dict[str, Any]) -> Sequence[pages.QueueLine]:
        """Those that wait, the oldest first, for all who stand behind the desk; those that are
        over, the newest first, for judges.
        """
        now = timezone.now()
        if sought["state"] == "open":
            _refuse_filters(sought)
            return pages.queue(self.tournament, self.actor, now)
        self.require(permissions.can_judge)
        past = queries.past_calls(
            self.tournament,
            round_number=sought.get("round"),
            judges=self._judges(sought.get("judge")),
            kind=sought.get("kind", ""),
        )
        return [pages.queue_line(self.tournament, line, self.actor, now) for line in past]

    def _judges(self, name: str | None) -> Collection[int] | None:
        if name is None:
            return None
        return queries.named_judges(queries.judges_of_calls(self.tournament), name)


def _refuse_filters(sought: dict[str, Any]) -> None:
    only_past = {"round", "judge", "kind"} & set(sought)
    if only_past:
        said = "Only calls that are over are narrowed down: add state=over."
        raise ValidationError({name: [said] for name in sorted(only_past)})


def _said(call: JudgeCall, body: dict[str, Any]) -> calls.Answer:
    is_appeal, overturned = call.appeals_id is not None, body["overturned"]
    if is_appeal and overturned is None:
        raise ValidationError({"overturned": ["Say whether the first answer is overturned."]})
    if not is_appeal and overturned is not None:
        raise ValidationError({"overturned": ["This is not an appeal: leave `overturned` out."]})
    return calls.Answer(body["text"], body["rulings"], body["minutes"], overturned)


class TableCallViewSet(EventViewSet):
    """A judge for the table of the asking player; nobody else reads of it here."""

    @endpoint("table_calls", "Calls of the own table", OwnTableCallsSerializer, who=anyone)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The open call and the newest answer, while the round is played."""
        pairing = self._own_table()
        is_over = pairing.round.is_closed or self.tournament.is_finished
        if is_over or pairing.match is None:
            return self._shown({"open": None, "answered": None, "can_appeal": False})
        return self._shown(pages.calls_of_table(pairing))

    @endpoint(
        "table_calls_raise",
        "Call a judge",
        OwnCallSerializer,
        body=AboutWanted,
        status=201,
        who=anyone,
        refusals=(EventIsFinished, calls.NoCallNow),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """A judge is wanted; a second call while one is open is the same call."""
        pairing, body = self._own_table(), given(AboutWanted, request)
        call = calls.raise_call(pairing, self.actor, body["about"])
        document = OwnCallSerializer(call, context={"player": self.actor.player})
        return Response(document.data, status=status.HTTP_201_CREATED)

    def _own_table(self) -> Pairing:
        """The table of the address, for its players. Raises PermissionDenied for others."""
        pairing = self.table()
        if pairing.match is None or event_queries.seat_of(pairing.match, self.actor.player) is None:
            self.refuse(self.request)
        return pairing

    def _shown(self, of_table: dict[str, Any]) -> Response:
        context = {"player": self.actor.player}
        return Response(OwnTableCallsSerializer(of_table, context=context).data)
