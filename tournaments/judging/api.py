"""Penalties, judge calls and local rulings in the API."""

from collections.abc import Collection, Sequence
from itertools import chain
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
from rulings.models import JudgeCall
from tournaments.event import permissions as event_permissions
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.permissions import Actor
from tournaments.judging import calls, pages, penalties, queries
from tournaments.judging import queries as judging_queries
from tournaments.judging.calls import CallAnswer
from tournaments.judging.queries import TableCall
from tournaments.judging.serializers import (
    AboutWanted,
    AnswerWanted,
    CallDetailSerializer,
    CallsAsked,
    InfractionSerializer,
    LocalRulingSerializer,
    OwnCallSerializer,
    OwnTableCallsSerializer,
    PenaltyAsked,
    PenaltySerializer,
    PenaltyWanted,
    QueuedCallSerializer,
    ReasonWanted,
    StaffCallWanted,
    WithdrawWanted,
)
from tournaments.models import (
    LocalRuling,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.registration.services import OrderIsFixed
from tournaments.rounds.pages import plain_text
from tournaments.rounds.services import OutOfMeasure, WrongState
from tournaments.web.viewsets import EventViewSet, is_known_person

PENALTY_FILTERS = {"player": "registration__number", "infraction": "infraction", "kind": "kind"}


class EffectNotSeen(Refusal):
    """A game loss or a harder penalty requires confirmation of its effect."""


PENALTY_REFUSALS = (
    *(
        EffectNotSeen,
        penalties.EffectChanged,
        EventIsFinished,
        penalties.UnknownInfraction,
        penalties.NoPlaceHere,
    ),
    *(ReasonMissing, penalties.WrongTable, penalties.GameMissing, penalties.CannotApply),
    PlayerRemoved,
)
"""Refusals of a new penalty."""
CHANGE_REFUSALS = (
    *(EventIsFinished, penalties.AlreadyWithdrawn, penalties.NotForThisJudge),
    penalties.CannotApply,
)


def numbers_context(tournament: Tournament) -> dict[str, Any]:
    """Return a serializer context with player numbers by primary key."""
    return {"numbers": dict(tournament.registrations.values_list("player_id", "number"))}


def registration_by_number(tournament: Tournament, number: int) -> Registration:
    """Return the registration of a current or dropped player. Raises ValidationError."""
    places = tournament.registrations.exclude(state=RegistrationState.WAITING)
    place = places.select_related("player", "tournament").filter(number=number).first()
    if place is None:
        raise ValidationError({"player": [f"Nobody with the number {number} has a place here."]})
    return place


def give_penalty_with_answer(
    tournament: Tournament, pairing: Pairing, actor: Actor, body: dict[str, Any], said: CallAnswer
) -> None:
    """Give the penalty that comes with an answer, to a player of the table of the call."""
    meant = PenaltyRequest(tournament, body, pairing)
    meant.refuse_unseen()
    penalties.give(
        tournament,
        meant.place,
        actor,
        infraction=body["infraction"],
        kind=meant.kind,
        pairing=pairing,
        game=body["game"],
        text=said.text,
        cited=said.cited,
        seen=body["version"] or None,
    )


class PenaltyViewSet(EventViewSet):
    """Penalties, for judges. Players read their own at `me/`."""

    tag = "penalties"

    @endpoint(
        "penalties_list",
        "Penalties",
        PenaltySerializer(many=True),
        permission=event_permissions.can_judge,
        parameters=[PenaltyAsked],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Penalties of the event, newest first, with filters."""
        sought = validated_query(PenaltyAsked, request)
        rows = self.tournament.penalties.with_details()
        fits: dict[str, Any] = {
            PENALTY_FILTERS[name]: sought[name] for name in PENALTY_FILTERS if name in sought
        }
        if "judge" in sought:
            judges = User.objects.filter(pk__in=rows.order_by().values("note__author"))
            named = judging_queries.judges_by_name(judges.select_related("player"), sought["judge"])
            fits["note__author__in"] = named
        if "round" in sought:
            fits["round_number"] = sought["round"] or None
        return self.list_response(rows.filter(**fits), PenaltySerializer)

    @endpoint(
        "penalties_give",
        "Give a penalty",
        PenaltySerializer,
        body=PenaltyWanted,
        status=201,
        permission=event_permissions.can_judge,
        refusals=(*PENALTY_REFUSALS, penalties.NotForThisJudge),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Give a penalty. Cautions and warnings take effect immediately.

        A game loss or a harder penalty changes a result. The first answer is a 409
        `effect_not_seen` with its `effect` and a `version`. Send that to give the penalty.
        """
        body = validated_body(PenaltyWanted, request)
        meant = PenaltyRequest(self.tournament, body)
        meant.refuse_unseen()
        penalty = penalties.give(
            self.tournament,
            meant.place,
            self.actor,
            infraction=body["infraction"],
            kind=meant.kind,
            pairing=meant.pairing,
            game=body["game"] if meant.kind is PenaltyKind.GAME_LOSS else None,
            text=body["text"],
            cited=body["rulings"],
            seen=body["version"] or None,
        )
        return self._shown(penalty, status.HTTP_201_CREATED)

    @endpoint("penalties_read", "One penalty", PenaltySerializer, permission=event_permissions.can_judge)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A penalty with its note and cited rulings."""
        return self._shown(self._penalty())

    @endpoint(
        "penalties_withdraw",
        "Withdraw a penalty",
        PenaltySerializer,
        body=WithdrawWanted,
        permission=event_permissions.can_judge,
        refusals=(*CHANGE_REFUSALS, OrderIsFixed),
    )
    def withdraw(self, request: Request, **kwargs: Any) -> Response:
        """Withdraw a penalty. The reported result and the player's place are restored."""
        penalty, body = self._penalty(), validated_body(WithdrawWanted, request)
        return self._shown(penalties.withdraw(penalty, self.actor, body["reason"]))

    def _penalty(self) -> Penalty:
        return get_or_404(self.tournament.penalties.with_details(), "Penalty", pk=self.kwargs["pk"])

    def _shown(self, penalty: Penalty, status_: int = status.HTTP_200_OK) -> Response:
        """The penalty as it is now."""
        now = self.tournament.penalties.with_details().get(pk=penalty.pk)
        return Response(PenaltySerializer(now).data, status=status_)


class PenaltyRequest:
    """A requested penalty."""

    def __init__(
        self, tournament: Tournament, body: dict[str, Any], pairing: Pairing | None = None
    ) -> None:
        self.tournament, self.body = tournament, body
        self.place = registration_by_number(tournament, body["player"])
        if pairing is not None and self.place.player_id not in pairing.players:
            raise ValidationError(
                {"penalty": ["This player does not sit at the table of the call."]}
            )
        self.expected = penalties.expected_kind(tournament, self.place, body["infraction"])
        self.kind = PenaltyKind(body["kind"] or self.expected)
        self.tables = penalties.tables_of_player(self.place).values()
        self.pairing = pairing or _requested_table(self.tables, body)

    @property
    def effect(self) -> penalties.PenaltyEffect:
        """Return the effect of giving it now. Raises GameMissing."""
        pairing, game = self.pairing or self._table_now(), None
        if self.kind is PenaltyKind.GAME_LOSS:
            game = penalties.validate_lost_game(pairing, self.body["game"])
        return penalties.effect_of_penalty(self.place, self.kind, pairing, game)

    def refuse_unseen(self) -> None:
        """Raise EffectNotSeen if the judge has to confirm the effect first."""
        if not self.kind.costs_games or self.body["version"]:
            return
        effect = self.effect
        raise EffectNotSeen(
            f"{self.kind.label} for {self.place.player}: read what it does, then send it again "
            "with its version.",
            kind=self.kind.value,
            effect=[plain_text(one) for one in effect.sentences],
            version=effect.mark,
        )

    def _table_now(self) -> Pairing | None:
        open_ = next((one for one in self.tables if not one.round.is_closed), None)
        is_kept = self.kind is PenaltyKind.DISQUALIFICATION and open_ and open_.match
        return None if is_kept and open_ and open_.match and open_.match.is_settled else open_


def _requested_table(tables: Any, body: dict[str, Any]) -> Pairing | None:
    if body.get("table") is None:
        return None
    for pairing in tables:
        if (pairing.round.number, pairing.table_number) == (body["round"], body["table"]):
            found: Pairing = pairing
            return found
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
        guide = pages.event_guide(self.tournament)
        used = chain.from_iterable(lines for _, lines in guide.categories)
        return self.list_response([*used, *guide.off], InfractionSerializer)


# Judge calls: the queue, the answers, and the calls of a player's own table.


ANSWER_REFUSALS = (
    *(calls.CallIsOver, calls.HeadJudgeOnly, OutOfMeasure, WrongState),
    *PENALTY_REFUSALS,
)


class CallWithPage(NamedTuple):
    """A call and its page."""

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
        parameters=[CallsAsked],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Open calls, or with `state=over` the answered and cancelled ones."""
        sought = validated_query(CallsAsked, request)
        return self.list_response(self._lines(sought), QueuedCallSerializer, **self._context())

    @endpoint(
        "calls_raise_at_desk",
        "Raise a call at the desk",
        QueuedCallSerializer,
        body=StaffCallWanted,
        status=201,
        permission=event_permissions.can_open_desk,
        refusals=(EventIsFinished, calls.NoCallNow),
    )
    def raise_at_desk(self, request: Request, **kwargs: Any) -> Response:
        """Raise a call for a table. If the table has an open call, that call is returned."""
        body = validated_body(StaffCallWanted, request)
        pairing = self.tournament.table_in_play(body["table"])
        if pairing is None:
            raise ValidationError({"table": ["Nobody plays at this table now."]})
        call = calls.raise_call(pairing, self.actor, body["about"])
        return self._shown(call, status.HTTP_201_CREATED)

    @endpoint("calls_read", "One judge call", CallDetailSerializer, permission=event_permissions.can_judge)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A call with its table and earlier calls from there."""
        found = self._found()
        page = pages.call_page(self.tournament, found, self.actor, timezone.now())
        seen = CallWithPage(found.call, found.pairing, page)
        context = numbers_context(self.tournament)
        return Response(CallDetailSerializer(seen, context=context).data)

    @endpoint(
        "calls_take",
        "Take a call",
        QueuedCallSerializer,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.CallIsTaken, calls.HeadJudgeOnly),
    )
    def take(self, request: Request, **kwargs: Any) -> Response:
        """Take a call. The players of the table see the name of the judge."""
        call = self._found().call
        calls.take(self.tournament, call, self.actor)
        return self._shown(call)

    @endpoint(
        "calls_give_back",
        "Return a call to the queue",
        QueuedCallSerializer,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def give_back(self, request: Request, **kwargs: Any) -> Response:
        """Return a call to the queue. A head judge can return any call."""
        call = self._found().call
        calls.give_back(self.tournament, call, self.actor)
        return self._shown(call)

    @endpoint(
        "calls_escalate",
        "Escalate a call to the head judge",
        QueuedCallSerializer,
        body=ReasonWanted,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.NotYourCall),
    )
    def escalate(self, request: Request, **kwargs: Any) -> Response:
        """Escalate a call. The reason becomes a note on the table."""
        call, body = self._found().call, validated_body(ReasonWanted, request)
        calls.escalate(self.tournament, call, self.actor, body["reason"])
        return self._shown(call)

    @endpoint(
        "calls_reopen",
        "Reopen an answered call",
        QueuedCallSerializer,
        body=ReasonWanted,
        permission=event_permissions.can_judge,
        refusals=(calls.CallIsOver, calls.HeadJudgeOnly),
    )
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Reopen a call. Extra minutes and penalties from its answer remain."""
        call, body = self._found().call, validated_body(ReasonWanted, request)
        calls.reopen(self.tournament, call, self.actor, body["reason"])
        return self._shown(call)

    @endpoint(
        "calls_answer",
        "Answer a call",
        QueuedCallSerializer,
        body=AnswerWanted,
        permission=event_permissions.can_judge,
        refusals=ANSWER_REFUSALS,
    )
    def answer(self, request: Request, **kwargs: Any) -> Response:
        """Answer a call, with extra minutes or a penalty if needed. All or nothing.

        A game loss or a harder penalty is first answered 409 `effect_not_seen`, as at `penalties/`.
        """
        found, body = self._found(), validated_body(AnswerWanted, request)
        said = _answer_from_body(found.call, body)
        with transaction.atomic():
            calls.answer(self.tournament, found.call, self.actor, said)
            if body["penalty"]:
                give_penalty_with_answer(
                    self.tournament, found.pairing, self.actor, body["penalty"], said
                )
        return self._shown(found.call)

    @endpoint(
        "calls_appeal",
        "Appeal an answer",
        OwnCallSerializer,
        body=AboutWanted,
        status=201,
        permission=is_known_person,
        refusals=(EventIsFinished, calls.NoCallNow, calls.CallIsOver, calls.CannotAppeal),
    )
    def appeal(self, request: Request, **kwargs: Any) -> Response:
        """Appeal as a player of the table or as a judge. Makes a call for the head judge."""
        found, body = self._at_own_table(), validated_body(AboutWanted, request)
        call = calls.appeal(self.tournament, found.call, self.actor, body["about"])
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
        found = self._at_own_table()
        if found.call.answered_at is not None:
            raise calls.CallIsOver("A judge has answered this call already.")
        if found.call.is_open:
            calls.withdraw(found.pairing, self.actor)
        found.call.refresh_from_db()
        context = {"player": self.actor.player}
        return Response(OwnCallSerializer(found.call, context=context).data)

    def _found(self) -> TableCall:
        found = queries.find_call(self.tournament, self.kwargs["pk"])
        if found is None:
            raise not_found("Judge call", self.kwargs["pk"])
        return found

    def _at_own_table(self) -> TableCall:
        """Return the call, for a player of its table or a judge."""
        found = queries.find_call(self.tournament, self.kwargs["pk"])
        is_seated = found is not None and found.call.match.seat_of(self.actor.player)
        if not is_seated and not event_permissions.can_judge(self.actor, self.tournament):
            self.refuse(self.request)
        if found is None:
            raise not_found("Judge call", self.kwargs["pk"])
        return found

    def _shown(self, call: JudgeCall, status_: int = status.HTTP_200_OK) -> Response:
        """Answer with the call and the actions open to the judge."""
        found = queries.find_call(self.tournament, call.pk)
        if found is None:
            raise not_found("Judge call", call.pk)
        line = pages.call_queue_line(self.tournament, found, self.actor, timezone.now())
        return Response(QueuedCallSerializer(line, context=self._context()).data, status=status_)

    def _context(self) -> dict[str, Any]:
        judges = event_permissions.can_judge(self.actor, self.tournament)
        return {**numbers_context(self.tournament), "judges": judges}

    def _lines(self, sought: dict[str, Any]) -> Sequence[pages.QueueLine]:
        """Return open calls, oldest first, for the staff; past calls, newest first, for judges."""
        now = timezone.now()
        if sought["state"] == "open":
            _refuse_filters_of_open_calls(sought)
            return pages.call_queue(self.tournament, self.actor, now)
        self.require(event_permissions.can_judge)
        past = queries.past_calls(
            self.tournament,
            round_number=sought.get("round"),
            judges=self._judges(sought.get("judge")),
            kind=sought.get("kind", ""),
        )
        return [pages.call_queue_line(self.tournament, line, self.actor, now) for line in past]

    def _judges(self, name: str | None) -> Collection[int] | None:
        if name is None:
            return None
        return queries.judges_by_name(queries.judges_of_calls(self.tournament), name)


def _refuse_filters_of_open_calls(sought: dict[str, Any]) -> None:
    only_past = {"round", "judge", "kind"} & set(sought)
    if only_past:
        said = "Only calls that are over are narrowed down: add state=over."
        raise ValidationError({name: [said] for name in sorted(only_past)})


def _answer_from_body(call: JudgeCall, body: dict[str, Any]) -> calls.CallAnswer:
    is_appeal, overturned = call.appeals_id is not None, body["overturned"]
    if is_appeal and overturned is None:
        raise ValidationError({"overturned": ["Say whether the first answer is overturned."]})
    if not is_appeal and overturned is not None:
        raise ValidationError({"overturned": ["This is not an appeal: leave `overturned` out."]})
    return calls.CallAnswer(body["text"], body["rulings"], body["minutes"], overturned)


class TableCallViewSet(EventViewSet):
    """Judge calls of a player's own table."""

    tag = "judge calls"

    @endpoint("table_calls", "Calls of your table", OwnTableCallsSerializer, permission=is_known_person)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The open call and the latest answer, while the round is played."""
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
        permission=is_known_person,
        refusals=(EventIsFinished, calls.NoCallNow),
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Call a judge to your table. If a call is open, that call is returned."""
        pairing, body = self._own_table(), validated_body(AboutWanted, request)
        call = calls.raise_call(pairing, self.actor, body["about"])
        document = OwnCallSerializer(call, context={"player": self.actor.player})
        return Response(document.data, status=status.HTTP_201_CREATED)

    def _own_table(self) -> Pairing:
        """Return the table, for its players. Raises PermissionDenied for others."""
        pairing = self.table()
        if pairing.match is None or pairing.match.seat_of(self.actor.player) is None:
            self.refuse(self.request)
        return pairing

    def _shown(self, of_table: dict[str, Any]) -> Response:
        context = {"player": self.actor.player}
        return Response(OwnTableCallsSerializer(of_table, context=context).data)


# Local rulings of an event.


class LocalRulingViewSet(EventViewSet):
    """Rulings of the head judge at this event, and those that apply from earlier events."""

    tag = "rulings"

    @endpoint("local_rulings_list", "Local rulings", LocalRulingSerializer(many=True))
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Local rulings. Those of a finished event are shown in the wording at its end."""
        return self.list_response(queries.local_ruling_lines(self.tournament), LocalRulingSerializer)

    @endpoint("local_rulings_read", "One local ruling", LocalRulingSerializer)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A local ruling as it applies at this event."""
        return self._shown(self._local().pk)

    def _local(self) -> LocalRuling:
        return get_or_404(
            queries.local_rulings_of(self.tournament), "Local ruling", pk=self.kwargs["pk"]
        )

    def _shown(self, pk: int, status_: int = status.HTTP_200_OK) -> Response:
        line = next(
            line for line in queries.local_ruling_lines(self.tournament) if line.local.pk == pk
        )
        return Response(LocalRulingSerializer(line).data, status=status_)
