"""A sandbox to rehearse an evening in: made, played by lot, thrown away."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import given
from core.api_writes import ScopeTooNarrow
from core.openapi import operation
from tournaments.desk.serializers import (
    PlayBody,
    PlayedSerializer,
    PracticeBody,
    PracticeSerializer,
)
from tournaments.desk.services import practice as services
from tournaments.event import permissions, queries
from tournaments.models import ApiToken
from tournaments.web import queries as web_queries
from tournaments.web.api.access import ManyView, OneView


class Practice(ManyView):
    abilities = {
        "GET": permissions.can_run,
        "POST": permissions.can_run,
        "DELETE": permissions.can_own,
    }

    @operation("practice_list", "My practice events", PracticeSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The practice events of the asking account, the newest first."""
        assert self.actor.user is not None, "only accounts run events"
        practices = queries.practices_of(self.actor.user)
        return self.listed(web_queries.found_with(request.auth, practices), PracticeSerializer)

    @operation(
        "practice_make", "Make a practice event", PracticeSerializer, body=PracticeBody, status=201
    )
    def post(self, request: Request, slug: str) -> Response:
        """A copy of the event to practise with. A token of one event makes none."""
        if isinstance(request.auth, ApiToken) and request.auth.is_bound:
            raise ScopeTooNarrow("This token is for one event; to practise is another one.")
        with_rounds = given(PracticeBody, request).get("with_rounds", False)
        made = services.copy(self.tournament, self.actor, with_rounds=with_rounds)
        told = PracticeSerializer(made, context=self.get_serializer_context())
        address = reverse("api:event", args=[made.slug], request=request)
        return Response(told.data, status=201, headers={"Location": address})

    @operation("practice_end", "Throw a practice event away", status=204)
    def delete(self, request: Request, slug: str) -> Response:
        """Throw this practice event away with all its players; never a real event."""
        services.throw_away(self.tournament)
        return Response(status=204)


class PracticePlay(OneView):
    abilities = {"POST": permissions.can_run}

    @operation("practice_play", "Play by lot", PlayedSerializer, body=PlayBody)
    def post(self, request: Request, slug: str) -> Response:
        """Results by lot for the open tables of a practice event, or for a whole round."""
        if given(PlayBody, request).get("what") == "round":
            played = services.play_round(self.tournament, self.actor)
            return Response({"tables": None, "round": played.number})
        return Response({"tables": services.play(self.tournament, self.actor), "round": None})
