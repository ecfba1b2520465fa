"""A round on its way: published, taken back, started, closed, opened again."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import Reason, given
from core.openapi import operation
from tournaments import permissions
from tournaments.api import reading
from tournaments.api.drafts import DraftView
from tournaments.api.shapes import Actions
from tournaments.serializers.drafts import DraftSerializer, PublishBody
from tournaments.serializers.rounds import RoundSerializer
from tournaments.services import rounds


class RoundActions(Actions):
    """One step of a round; answers the round as it stands after it."""

    abilities = {"POST": permissions.can_run}

    def answered(self) -> Response:
        """The round, which everybody sees now."""
        rounds_ = reading.published_rounds(self.tournament)
        round_ = get_object_or_404(rounds_, number=self.kwargs["number"])
        return Response(RoundSerializer(round_).data)

    @operation("rounds_publish", "Publish a draft", RoundSerializer, body=PublishBody)
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """409 when the draft is older than a result or than somebody's coming or going, or is
        another one than was `seen`. Published twice, nothing changes.
        """
        round_, told = self.round_(), given(PublishBody, request)
        rounds.publish(
            round_,
            self.actor,
            leave_out_latecomers=told["leave_out_latecomers"],
            seen=told["seen"],
        )
        return self.answered()

    @operation("rounds_start", "Start the clock of a round", RoundSerializer)
    def start(self, request: Request, **kwargs: Any) -> Response:
        """Started twice, nothing changes."""
        rounds.start(self.round_(), self.actor)
        return self.answered()

    @operation("rounds_close", "Close a round", RoundSerializer)
    def close(self, request: Request, **kwargs: Any) -> Response:
        """The standings are computed by a job. Refused while results are missing."""
        rounds.close(self.round_(), self.actor)
        return self.answered()

    @operation("rounds_reopen", "Open a closed round again", RoundSerializer, body=Reason)
    def reopen(self, request: Request, **kwargs: Any) -> Response:
        """Only the last round, while no later one is drafted and no cut is made."""
        round_, told = self.round_(), given(Reason, request)
        rounds.reopen(round_, self.actor, told["reason"])
        return self.answered()


class Unpublish(DraftView):
    """A published round is a draft again."""

    @operation("rounds_unpublish", "Take a published round back", DraftSerializer, body=Reason)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Refused once a result has come in. Players do not see it any more."""
        round_, told = self.round_(), given(Reason, request)
        rounds.unpublish(round_, self.actor, told["reason"])
        return self.answered()
