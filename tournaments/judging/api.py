"""Penalties, judge calls and local rulings in the API."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404, not_found
from core.api_requests import validated_body, validated_query
from core.api_viewsets import endpoint
from core.errors import ReasonMissing, Refusal
from players.models import User
from rulings.guide import PenaltyKind
from rulings.models import JudgeCall, RulingVersion
from tournaments.event import permissions as event_permissions
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.permissions import Actor
from tournaments.judging import calls, pages, penalties, queries
from tournaments.judging.queries import TableCall
from tournaments.judging.serializers import (
    AnswerBody,
    CallBody,
    CallDetailSerializer,
    CallsQuery,
    InfractionSerializer,
    LocalRulingSerializer,
    OwnCallSerializer,
    OwnTableCallsSerializer,
    PenaltiesQuery,
    PenaltyBody,
    PenaltySerializer,
    QueuedCallSerializer,
    ReasonBody,
    StaffCallBody,
    WithdrawalBody,
)
from tournaments.models import Pairing, Penalty, Registration, Tournament
from tournaments.registration.services import OrderIsFixed
from tournaments.rounds.pages import plain_text
from tournaments.rounds.services import OutOfMeasure, WrongState
from tournaments.web.viewsets import EventViewSet, is_known_person

PENALTY_FILTERS = {"player": "registration__number", "infraction": "infraction", "kind": "kind"}


class EffectNotSeen(Refusal):
    """A game loss or a harder penalty requires confirmation of its effect."""


# Refusals of a new penalty.
PENALTY_REFUSALS = (
    *(EffectNotSeen, penalties.EffectChanged, EventIsFinished, penalties.UnknownInfraction),
    *(penalties.NoPlaceHere, ReasonMissing, penalties.WrongTable, penalties.GameMissing),
    *(penalties.CannotApply, PlayerRemoved),
)


def numbers_context(tournament: Tournament) -> dict[str, Any]:
    return {"numbers": dict(tournament.registrations.values_list("player_id", "number"))}


def registration_by_number(tournament: Tournament, number: int) -> Registration:
    registrations = tournament.registrations.not_waiting().select_related("player", "tournament")
    registration = registrations.filter(number=number).first()
    if registration is None:
        raise ValidationError({"player": [f"No player of the event has the number {number}."]})
    return registration


class PenaltyViewSet(EventViewSet):
    """Penalties, for judges. Players read their own at `me/`."""

    tag = "penalties"

    @endpoint(
        "penalties_list",
        "Penalties",
        PenaltySerializer(many=True),
        permission=event_permissions.can_judge,
        parameters=[PenaltiesQuery],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Penalties of the event, oldest first, with filters."""
        query = validated_query(PenaltiesQuery, request)
        rows = self.tournament.penalties.with_details()
        filters: dict[str, Any] = {
            field: query[name] for name, field in PENALTY_FILTERS.items() if name in query
        }
        if "judge" in query:
            judges = User.objects.filter(pk__in=rows.order_by().values("note__author"))
            named = queries.judges_by_name(judges.select_related("player"), query["judge"])
            filters["note__author__in"] = named
        if "round" in query:
            filters["round_number"] = query["round"] or None
        return self.list_response(rows.filter(**filters), PenaltySerializer)

    @endpoint(
        "penalties_give",
        "Give a penalty",
        PenaltySerializer,
        body=PenaltyBody,
        status=201,
        permission=event_permissions.can_judge,
        refusals=(*PENALTY_REFUSALS, penalties.NotForThisJudge),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Give a penalty. Cautions and warnings take effect immediately.

        A game loss or a harder penalty changes a result. The first answer is a 409
        `effect_not_seen` with its `effect` and a `version`. Send that to give the penalty.
        """
        body = validated_body(PenaltyBody, request)
        penalty_request = PenaltyRequest(self.tournament, body)
        penalty = penalty_request.give(self.actor, body["text"], body["rulings"])
        return self._penalty_response(penalty, status.HTTP_201_CREATED)

    @endpoint(
        "penalties_read", "One penalty", PenaltySerializer, permission=event_permissions.can_judge
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A penalty with its note and cited rulings."""
        return Response(PenaltySerializer(self._penalty()).data)

    @endpoint(
        "penalties_withdraw",
        "Withdraw a penalty",
        PenaltySerializer,
        body=WithdrawalBody,
        permission=event_permissions.can_judge,
        refusals=(
            *(EventIsFinished, penalties.AlreadyWithdrawn, penalties.NotForThisJudge),
            *(penalties.CannotApply, OrderIsFixed),
        ),
    )
    def withdraw(self, request: Request, **kwargs: Any) -> Response:
        """Withdraw a penalty. The reported result and the player's place are restored."""
        penalty, body = self._penalty(), validated_body(WithdrawalBody, request)
        return self._penalty_response(penalties.withdraw(penalty, self.actor, body["reason"]))

    def _penalty(self) -> Penalty:
        return get_or_404(self.tournament.penalties.with_details(), "Penalty", pk=self.kwargs["pk"])

    def _penalty_response(self, penalty: Penalty, status_: int = status.HTTP_200_OK) -> Response:
        reloaded = self.tournament.penalties.with_details().get(pk=penalty.pk)
        return Response(PenaltySerializer(reloaded).data, status=status_)


class PenaltyRequest:
    """A penalty from a request body, for the table `pairing` if it comes with an answer."""

    def __init__(
        self, tournament: Tournament, body: dict[str, Any], pairing: Pairing | None = None
    ) -> None:
        self.tournament, self.body = tournament, body
        self.place = registration_by_number(tournament, body["player"])
        if pairing is not None and self.place.player_id not in pairing.players:
            raise ValidationError(
                {"penalty": ["This player does not sit at the table of the call."]}
            )
        expected = penalties.expected_kind(tournament, self.place, body["infraction"])
        self.kind = PenaltyKind(body["kind"] or expected)
        self.tables = penalties.tables_of_player(self.place).values()
        self.pairing = pairing or _requested_table(self.tables, body)

    def give(self, actor: Actor, text: str, cited: Sequence[RulingVersion]) -> Penalty:
        """Give the penalty. Raises EffectNotSeen if the judge has to confirm its effect first."""
        if self.kind.costs_games and not self.body["version"]:
            self._refuse_with_effect()
        return penalties.give(
            self.tournament,
            self.place,
            actor,
            infraction=self.body["infraction"],
            kind=self.kind,
            pairing=self.pairing,
            game=self.body["game"] if self.kind is PenaltyKind.GAME_LOSS else None,
            text=text,
            cited=cited,
            seen=self.body["version"] or None,
        )

    def _refuse_with_effect(self) -> None:
        pairing, game = self.pairing or self._open_table(), None
        if self.kind is PenaltyKind.GAME_LOSS:
            game = penalties.validate_lost_game(pairing, self.body["game"])
        effect = penalties.effect_of_penalty(self.place, self.kind, pairing, game)
        raise EffectNotSeen(
            f"{self.kind.label} for {self.place.player}: read its effect, then send the request "
            "again with its version.",
            kind=self.kind.value,
            effect=[plain_text(sentence) for sentence in effect.sentences],
            version=effect.mark,
        )

    def _open_table(self) -> Pairing | None:
        """The player's current table, unless a disqualification leaves its result as it is."""
        table = next((table for table in self.tables if not table.round.is_closed), None)
        if table is None or table.match is None:
            return table
        stays = self.kind is PenaltyKind.DISQUALIFICATION and table.match.is_settled
        return None if stays else table


def _requested_table(tables: Iterable[Pairing], body: dict[str, Any]) -> Pairing | None:
    if body.get("table") is None:
        return None
    for pairing in tables:
        if (pairing.round.number, pairing.table_number) == (body["round"], body["table"]):
            return pairing
    raise ValidationError({"table": ["This player did not sit there in a published round."]})


# The infraction guide of an event.


class GuideViewSet(EventViewSet):
    """The infraction guide of the event."""

    tag = "penalties"

    @endpoint(
        "guide_list", "Infraction guide of the event", InfractionSerializer(many=True), shared=True
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Infractions by category, with the changes made for this event. Unused ones come last."""
        return self.list_response(pages.event_guide(self.tournament).lines, InfractionSerializer)


# Judge calls: the queue, the answers, and the calls of a player's own table.


ANSWER_REFUSALS = (
    *(calls.CallIsOver, calls.HeadJudgeOnly, OutOfMeasure, WrongState),
    *PENALTY_REFUSALS,
)


class CallWithPage(NamedTuple):
    call: JudgeCall
    pairing: Pairing
    page: pages.CallPage


class CallViewSet(EventViewSet):
    """Judge calls of the event, with players by their numbers.

    Judges take, answer and escalate calls. Players of the table appeal or cancel them.
    """

    tag = "judge calls"

    @endpoint(
        "calls_list",
        "Judge calls",
        QueuedCallSerializer(many=True),
        permission=event_permissions.can_open_desk,
        parameters=[CallsQuery],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Open calls, or with `state=over` the answered and cancelled ones."""
        query = validated_query(CallsQuery, request)
        return self.list_response(self._lines(query), QueuedCallSerializer, **self._context())

    @endpoint(
        "calls_raise_at_desk",
        "Raise a call at the desk",
        QueuedCallSerializer,
        body=StaffCallBody,
        status=201,
        permission=event_permissions.can_open_desk,
        refusals=(EventIsFinished, calls.NoCallNow),
    )
    def raise_at_desk(self, request: Request, **kwargs: Any) -> Response:
        """Raise a call for a table. If the table has an open call, that call is returned."""
        body = validated_body(StaffCallBody, request)
        pairing = self.tournament.table_in_play(body["table"])
        if pairing is None:
            raise ValidationError({"table": ["No match is being played at this table."]})
        call = calls.raise_call(pairing, self.actor, body["about"])
        return self._call_response(call, status.HTTP_201_CREATED)

    @endpoint(
        "calls_read", "One judge call", CallDetailSerializer, permission=event_permissions.can_judge
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A call with its table and earlier calls from there."""
        table_call = self._table_call()
        page = pages.call_page(self.tournament, table_call, self.actor, timezone.now())
        detail = CallWithPage(table_call.call, table_call.pairing, page)
        context = numbers_context(self.tournament)
        return Response(CallDetailSerializer(detail, context=context).data)

    @endpoint(
        "calls_take",
        "Take a call",
        QueuedCallSerializer,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.CallIsTaken, calls.HeadJudgeOnly),
    )
    def take(self, request: Request, **kwargs: Any) -> Response:
        """Take a call. The players of the table see the name of the judge."""
        call = self._table_call().call
        calls.take(self.tournament, call, self.actor)
        return self._call_response(call)

    @endpoint(
        "calls_give_back",
        "Return a call to the queue",
        QueuedCallSerializer,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def give_back(self, request: Request, **kwargs: Any) -> Response:
        """Return a call to the queue. A head judge can return any call."""
        call = self._table_call().call
        calls.give_back(self.tournament, call, self.actor)
        return self._call_response(call)

    @endpoint(
        "calls_escalate",
        "Escalate a call to the head judge",
        QueuedCallSerializer,
        body=ReasonBody,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def escalate(self, request: Request, **kwargs: Any) -> Response:
        """Escalate a call. The reason becomes a note on the table."""
        call, body = self._table_call().call, validated_body(ReasonBody, request)
        calls.escalate(self.tournament, call, self.actor, body["reason"])
        return self._call_response(call)

    @endpoint(
        "calls_reopen",
        "Reopen an answered call",
        QueuedCallSerializer,
        body=ReasonBody,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.HeadJudgeOnly),
    )
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Reopen a call. Extra minutes and penalties from its answer remain."""
        call, body = self._table_call().call, validated_body(ReasonBody, request)
        calls.reopen(self.tournament, call, self.actor, body["reason"])
        return self._call_response(call)

    @endpoint(
        "calls_answer",
        "Answer a call",
        QueuedCallSerializer,
        body=AnswerBody,
        permission=event_permissions.can_judge,
        refusals=ANSWER_REFUSALS,
    )
    def answer(self, request: Request, **kwargs: Any) -> Response:
        """Answer a call, with extra minutes or a penalty if needed. All or nothing.

        A game loss or a harder penalty is first answered 409 `effect_not_seen`, as at `penalties/`.
        """
        table_call, body = self._table_call(), validated_body(AnswerBody, request)
        answer = _answer_from_body(table_call.call, body)
        with transaction.atomic():
            calls.answer(self.tournament, table_call.call, self.actor, answer)
            if body["penalty"]:
                penalty = PenaltyRequest(self.tournament, body["penalty"], table_call.pairing)
                penalty.give(self.actor, answer.text, answer.cited)
        return self._call_response(table_call.call)

    @endpoint(
        "calls_appeal",
        "Appeal an answer",
        OwnCallSerializer,
        body=CallBody,
        status=201,
        permission=is_known_person,
        refusals=(EventIsFinished, calls.NoCallNow, calls.CallIsOver, calls.CannotAppeal),
    )
    def appeal(self, request: Request, **kwargs: Any) -> Response:
        """Appeal as a player of the table or as a judge. Makes a call for the head judge."""
        table_call, body = self._own_table_call(), validated_body(CallBody, request)
        call = calls.appeal(self.tournament, table_call.call, self.actor, body["about"])
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(call, context=context).data, status=201)

    @endpoint(
        "calls_withdraw",
        "Cancel a call",
        OwnCallSerializer,
        permission=is_known_person,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def withdraw(self, request: Request, **kwargs: Any) -> Response:
        """Cancel your own call. Repeating the request changes nothing."""
        table_call = self._own_table_call()
        call = table_call.call
        if call.answered_at is not None:
            raise calls.CallIsOver("A judge has answered this call already.")
        if call.is_open:
            calls.withdraw(table_call.pairing, self.actor)
        call.refresh_from_db()
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(call, context=context).data)

    def _table_call(self, pk: int | None = None) -> TableCall:
        """The call with this primary key, by default that of the address. Raises Http404."""
        pk = self.kwargs["pk"] if pk is None else pk
        table_call = queries.find_call(self.tournament, pk)
        if table_call is None:
            raise not_found("Judge call", pk)
        return table_call

    def _own_table_call(self) -> TableCall:
        table_call = queries.find_call(self.tournament, self.kwargs["pk"])
        is_seated = table_call is not None and table_call.call.match.seat_of(self.actor.player)
        if not is_seated and not event_permissions.can_judge(self.actor, self.tournament):
            self.refuse(self.request)
        if table_call is None:
            raise not_found("Judge call", self.kwargs["pk"])
        return table_call

    def _call_response(self, call: JudgeCall, status_: int = status.HTTP_200_OK) -> Response:
        """The call and the actions open to the judge."""
        table_call = self._table_call(call.pk)
        line = pages.call_queue_line(self.tournament, table_call, self.actor, timezone.now())
        return Response(QueuedCallSerializer(line, context=self._context()).data, status=status_)

    def _context(self) -> dict[str, Any]:
        judges = event_permissions.can_judge(self.actor, self.tournament)
        return {**numbers_context(self.tournament), "judges": judges}

    def _lines(self, query: dict[str, Any]) -> Sequence[pages.QueueLine]:
        """Open calls, oldest first, for the staff; past calls, newest first, for judges."""
        now = timezone.now()
        if query["state"] == "open":
            if filters := {"round", "judge", "kind"} & set(query):
                message = "Only past calls can be filtered. Add state=over."
                raise ValidationError({name: [message] for name in sorted(filters)})
            return pages.call_queue(self.tournament, self.actor, now)
        self.require(event_permissions.can_judge)
        judges = None
        if "judge" in query:
            answered_by = queries.judges_of_calls(self.tournament)
            judges = queries.judges_by_name(answered_by, query["judge"])
        past = queries.past_calls(
            self.tournament,
            round_number=query.get("round"),
            judges=judges,
            kind=query.get("kind", ""),
        )
        return [pages.call_queue_line(self.tournament, line, self.actor, now) for line in past]


def _answer_from_body(call: JudgeCall, body: dict[str, Any]) -> calls.CallAnswer:
    is_appeal, overturned = call.appeals_id is not None, body["overturned"]
    if is_appeal and overturned is None:
        raise ValidationError({"overturned": ["Send whether the first answer is overturned."]})
    if not is_appeal and overturned is not None:
        raise ValidationError({"overturned": ["This is not an appeal. Leave `overturned` out."]})
    return calls.CallAnswer(body["text"], body["rulings"], body["minutes"], overturned)


class TableCallViewSet(EventViewSet):
    """Judge calls of a player's own table."""

    tag = "judge calls"

    @endpoint(
        "table_calls", "Calls of your table", OwnTableCallsSerializer, permission=is_known_person
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The open call and the latest answer, while the round is played."""
        pairing = self._own_table()
        is_over = pairing.round.is_closed or self.tournament.is_finished
        calls_of_table: dict[str, Any] = {"open": None, "answered": None, "can_appeal": False}
        if not is_over:
            calls_of_table = pages.calls_of_table(pairing)
        context = {"player": self.actor.player}
        return Response(OwnTableCallsSerializer(calls_of_table, context=context).data)

    @endpoint(
        "table_calls_raise",
        "Call a judge",
        OwnCallSerializer,
        body=CallBody,
        status=201,
        permission=is_known_person,
        refusals=(EventIsFinished, calls.NoCallNow),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Call a judge to your table. If a call is open, that call is returned."""
        pairing, body = self._own_table(), validated_body(CallBody, request)
        call = calls.raise_call(pairing, self.actor, body["about"])
        document = OwnCallSerializer(call, context={"player": self.actor.player})
        return Response(document.data, status=status.HTTP_201_CREATED)

    def _own_table(self) -> Pairing:
        """The table, for its players. Raises PermissionDenied for others."""
        pairing = self.table()
        if pairing.match is None or pairing.match.seat_of(self.actor.player) is None:
            self.refuse(self.request)
        return pairing


# Local rulings of an event.


class LocalRulingViewSet(EventViewSet):
    """Rulings of the head judge at this event, and those that apply from earlier events."""

    tag = "rulings"

    @endpoint("local_rulings_list", "Local rulings", LocalRulingSerializer(many=True))
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Local rulings. Those of a finished event are shown in the wording at its end."""
        lines = queries.local_ruling_lines(self.tournament)
        return self.list_response(lines, LocalRulingSerializer)

    @endpoint("local_rulings_read", "One local ruling", LocalRulingSerializer)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A local ruling as it applies at this event."""
        lines = queries.local_ruling_lines(self.tournament)
        line = next((line for line in lines if line.local.pk == self.kwargs["pk"]), None)
        if line is None:
            raise not_found("Local ruling", self.kwargs["pk"])
        return Response(LocalRulingSerializer(line).data)
