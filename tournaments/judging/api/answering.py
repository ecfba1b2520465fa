"""What a judge does with a call: goes to the table, answers, leaves it to the head judge."""

from typing import Any

from django.db import transaction
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from rulings.models import JudgeCall
from tournaments.event import permissions
from tournaments.judging.api.calls import CallView
from tournaments.judging.api.penalty_part import give_with_answer
from tournaments.judging.serializers import calls as told
from tournaments.judging.services import calls as services
from tournaments.web.api.access import Actions


class CallActions(Actions, CallView):
    """A judge goes to the table, answers, leaves it to the head judge, or takes that back."""

    abilities = {"POST": permissions.can_judge}

    @operation("calls_take", "Take a call", told.QueuedCallSerializer)
    def take(self, request: Request, slug: str, pk: int) -> Response:
        """The asking judge goes there; the table sees who."""
        call = self.found().call
        services.take(self.tournament, call, self.actor)
        return self.told(call)

    @operation("calls_give_back", "Give a call back", told.QueuedCallSerializer)
    def give_back(self, request: Request, slug: str, pk: int) -> Response:
        """The call is free again; a head judge may free that of another."""
        call = self.found().call
        services.give_back(self.tournament, call, self.actor)
        return self.told(call)

    @operation(
        "calls_escalate",
        "Leave a call to the head judge",
        told.QueuedCallSerializer,
        body=told.ReasonWanted,
    )
    def escalate(self, request: Request, slug: str, pk: int) -> Response:
        """A reason is kept as a note on the table."""
        call, body = self.found().call, given(told.ReasonWanted, request)
        services.escalate(self.tournament, call, self.actor, body["reason"])
        return self.told(call)

    @operation(
        "calls_reopen", "Take an answer back", told.QueuedCallSerializer, body=told.ReasonWanted
    )
    def reopen(self, request: Request, slug: str, pk: int) -> Response:
        """The call waits again; minutes and penalties that were given with the answer stay."""
        call, body = self.found().call, given(told.ReasonWanted, request)
        services.reopen(self.tournament, call, self.actor, body["reason"])
        return self.told(call)

    @operation("calls_answer", "Answer a call", told.QueuedCallSerializer, body=told.AnswerWanted)
    def answer(self, request: Request, slug: str, pk: int) -> Response:
        """All or nothing: a clock or a penalty that is refused leaves the call open."""
        found, body = self.found(), given(told.AnswerWanted, request)
        said = _said(found.call, body)
        with transaction.atomic():
            services.answer(self.tournament, found.call, self.actor, said)
            if body["penalty"]:
                give_with_answer(self.tournament, found.pairing, self.actor, body["penalty"], said)
        return self.told(found.call)


def _said(call: JudgeCall, body: dict[str, Any]) -> services.Answer:
    is_appeal, overturned = call.appeals_id is not None, body["overturned"]
    if is_appeal and overturned is None:
        raise ValidationError({"overturned": ["Say whether the first answer is overturned."]})
    if not is_appeal and overturned is not None:
        raise ValidationError({"overturned": ["This is no appeal: leave it out."]})
    return services.Answer(body["text"], body["rulings"], body["minutes"], overturned)
