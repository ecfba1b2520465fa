"""The calls of the asking player's own table: raised, taken back, an answer appealed."""

from typing import Any

from django.http import Http404
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.judging import queries as judging_queries
from tournaments.judging.api.calls import CallView
from tournaments.judging.pages.calls import calls_of_table
from tournaments.judging.queries import TableCall
from tournaments.judging.serializers import calls as told
from tournaments.judging.services import calls as services
from tournaments.models import Pairing
from tournaments.web.api.access import Actions, OneView, actor_of


class TableCalls(OneView):
    """A judge for the table of the asking player; nobody else is told of it here."""

    abilities = {"POST": None}

    def own_table(self) -> Pairing:
        """The table of the address, for its players. Raises PermissionDenied for others."""
        self.actor = actor_of(self.request)
        pairing = self.table()
        if pairing.match is None or queries.seat_of(pairing.match, self.actor.player) is None:
            self.refuse(self.request)
        return pairing

    @operation("table_calls", "Calls of the own table", told.OwnTableCallsSerializer)
    def get(self, request: Request, slug: str, number: int, table: int) -> Response:
        """The open call and the newest answer, while the round is played."""
        pairing = self.own_table()
        is_over = pairing.round.is_closed or self.tournament.is_finished
        if is_over or pairing.match is None:
            return self._told({"open": None, "answered": None, "can_appeal": False})
        return self._told(calls_of_table(pairing))

    def _told(self, calls: dict[str, Any]) -> Response:
        context = {"player": self.actor.player}
        return Response(told.OwnTableCallsSerializer(calls, context=context).data)

    @operation(
        "table_calls_raise",
        "Call a judge",
        told.OwnCallSerializer,
        body=told.AboutWanted,
        status=201,
    )
    def post(self, request: Request, slug: str, number: int, table: int) -> Response:
        """A judge is wanted; a second call while one is open is the same call."""
        pairing, body = self.own_table(), given(told.AboutWanted, request)
        call = services.raise_call(pairing, self.actor, body["about"])
        shown = told.OwnCallSerializer(call, context={"player": self.actor.player})
        return Response(shown.data, status=status.HTTP_201_CREATED)


class OwnCallActions(Actions, CallView):
    """What players of the table, and the judges, may do about a call."""

    abilities = {"POST": None}

    def call_at_own_table(self) -> TableCall:
        """The call of the address, for a player of its table or a judge."""
        self.actor = actor_of(self.request)
        found = judging_queries.table_call(self.tournament, self.kwargs["pk"])
        is_seated = found is not None and queries.seat_of(found.call.match, self.actor.player)
        if not is_seated and not permissions.can_judge(self.actor, self.tournament):
            self.refuse(self.request)
        if found is None:
            raise Http404
        return found

    @operation(
        "calls_appeal",
        "Appeal an answer",
        told.OwnCallSerializer,
        body=told.AboutWanted,
        status=201,
    )
    def appeal(self, request: Request, slug: str, pk: int) -> Response:
        """By a player of the table, or by a judge for them: a new call, for the head judge."""
        found, body = self.call_at_own_table(), given(told.AboutWanted, request)
        call = services.appeal(self.tournament, found.call, self.actor, body["about"])
        context = {"player": self.actor.player}
        return Response(told.OwnCallSerializer(call, context=context).data, status=201)

    @operation("calls_withdraw", "Take a call back", told.OwnCallSerializer)
    def withdraw(self, request: Request, slug: str, pk: int) -> Response:
        """By the player who raised it. Done twice, nothing changes."""
        found = self.call_at_own_table()
        if found.call.answered_at is not None:
            raise services.CallIsOver("A judge has answered this call already.")
        if found.call.is_open:
            services.withdraw(found.pairing, self.actor)
        found.call.refresh_from_db()
        context = {"player": self.actor.player}
        return Response(told.OwnCallSerializer(found.call, context=context).data)
