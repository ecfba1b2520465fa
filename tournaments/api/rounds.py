"""Rounds: asked for, published, and who sits at which table."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_view
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments import permissions, queries
from tournaments.api import reading
from tournaments.api.access import EventView
from tournaments.models import Pairing, Round
from tournaments.serializers.jobs import PairingAskedSerializer, PairingBody
from tournaments.serializers.rounds import PairingSerializer, RoundDetailSerializer, RoundSerializer
from tournaments.services import rounds as services


class RoundView(EventView):
    """An answer with names of players in it. A draft does not exist here, whoever asks."""

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        # The description of the API is made without an event.
        if hasattr(self, "tournament"):
            players = reading.roster_by_player(self.tournament)
            context["players"] = players
            context["names"] = {entry.number: entry.player.name for entry in players.values()}
        return context


@extend_schema_view(get=operation("events_rounds", "Rounds"))
class RoundList(EventView, ListAPIView[Round]):
    """The rounds that are published, first to last."""

    abilities = {"POST": permissions.can_run}
    serializer_class = RoundSerializer
    queryset = Round.objects.none()

    @operation("rounds_pair", "Pair a round", PairingAskedSerializer, body=PairingBody, status=202)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Ask for a draft; the job makes it. Asked twice for one number, it is one job.

        With `force_reason` the round before is closed first, without the results it lacks.
        """
        told = given(PairingBody, request)
        number = told["number"] or queries.next_round_number(self.tournament)
        job = services.request_pairing(
            self.tournament, number, self.actor, force_reason=told["force_reason"].strip()
        )
        job.refresh_from_db()
        asked = {"job": job, "number": number}
        return Response(PairingAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)

    def get_queryset(self) -> QuerySet[Round]:
        return reading.published_rounds(self.tournament)


@extend_schema_view(get=operation("events_round", "One round"))
class RoundDetail(RoundView, RetrieveAPIView[Round]):
    """A round with all its pairings."""

    serializer_class = RoundDetailSerializer
    queryset = Round.objects.none()
    lookup_field = "number"
    pagination_class = None

    def get_object(self) -> Round:
        rounds = reading.with_pairings(reading.published_rounds(self.tournament))
        return get_object_or_404(rounds, number=self.kwargs["number"])


@extend_schema_view(get=operation("events_pairings", "Pairings of a round"))
class PairingList(RoundView, ListAPIView[Pairing]):
    """Tables in order, byes last. Results are told once they are settled."""

    serializer_class = PairingSerializer
    queryset = Pairing.objects.none()

    def get_queryset(self) -> QuerySet[Pairing]:
        round_ = get_object_or_404(
            queries.visible_rounds(self.tournament), number=self.kwargs["number"]
        )
        return reading.pairings_of(round_)
