"""Rounds: asked for, published, started, closed, opened again, and who sits at which table."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_view
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Reason, given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Round
from tournaments.rounds.api.drafts import DraftView
from tournaments.rounds.serializers.drafts import DraftSerializer, PublishBody
from tournaments.rounds.serializers.rounds import (
    PairingSerializer,
    RoundDetailSerializer,
    RoundSerializer,
)
from tournaments.rounds.services import rounds as services
from tournaments.web import queries as web_queries
from tournaments.web.api.access import Actions, EventView
from tournaments.web.serializers import PairingAskedSerializer, PairingBody


class RoundView(EventView):
    """An answer with names of players in it. A draft does not exist here, whoever asks."""

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        # The description of the API is made without an event.
        if hasattr(self, "tournament"):
            players = web_queries.roster_by_player(self.tournament)
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
        return web_queries.published_rounds(self.tournament)


@extend_schema_view(get=operation("events_round", "One round"))
class RoundDetail(RoundView, RetrieveAPIView[Round]):
    """A round with all its pairings."""

    serializer_class = RoundDetailSerializer
    queryset = Round.objects.none()
    lookup_field = "number"
    pagination_class = None

    def get_object(self) -> Round:
        rounds = web_queries.with_pairings(web_queries.published_rounds(self.tournament))
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
        return web_queries.pairings_of(round_)


class RoundActions(Actions):
    """One step of a round; answers the round as it stands after it."""

    abilities = {"POST": permissions.can_run}

    def answered(self) -> Response:
        """The round, which everybody sees now."""
        rounds = web_queries.published_rounds(self.tournament)
        round_ = get_object_or_404(rounds, number=self.kwargs["number"])
        return Response(RoundSerializer(round_).data)

    @operation("rounds_publish", "Publish a draft", RoundSerializer, body=PublishBody)
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """409 when the draft is older than a result or than somebody's coming or going, or is
        another one than was `seen`. Published twice, nothing changes.
        """
        round_, told = self.round_(), given(PublishBody, request)
        services.publish(
            round_,
            self.actor,
            leave_out_latecomers=told["leave_out_latecomers"],
            seen=told["seen"],
        )
        return self.answered()

    @operation("rounds_start", "Start the clock of a round", RoundSerializer)
    def start(self, request: Request, **kwargs: Any) -> Response:
        """Started twice, nothing changes."""
        services.start(self.round_(), self.actor)
        return self.answered()

    @operation("rounds_close", "Close a round", RoundSerializer)
    def close(self, request: Request, **kwargs: Any) -> Response:
        """The standings are computed by a job. Refused while results are missing."""
        services.close(self.round_(), self.actor)
        return self.answered()

    @operation("rounds_reopen", "Open a closed round again", RoundSerializer, body=Reason)
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Only the last round, while no later one is drafted and no cut is made."""
        round_, told = self.round_(), given(Reason, request)
        services.reopen(round_, self.actor, told["reason"])
        return self.answered()


class Unpublish(DraftView):
    """A published round is a draft again."""

    @operation("rounds_unpublish", "Take a published round back", DraftSerializer, body=Reason)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Refused once a result has come in. Players do not see it any more."""
        round_, told = self.round_(), given(Reason, request)
        services.unpublish(round_, self.actor, told["reason"])
        return self.answered()
