"""Local rulings: read by everybody at the event, written by its head judge."""

from django.shortcuts import get_object_or_404
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from rulings.queries import find_by_code
from tournaments.event import permissions
from tournaments.judging import queries as judging_queries
from tournaments.judging.pages.local_rulings import local_lines
from tournaments.judging.serializers import local_rulings as told
from tournaments.judging.services import local_rulings as services
from tournaments.judging.services.local_rulings import NotYours, Wording
from tournaments.models import LocalRuling
from tournaments.web.api.access import ManyView, OneView, OwnView


class LocalRulingView(OwnView):
    """Rulings as they hold at the event."""

    def local(self) -> LocalRuling:
        """The local ruling of the address, or a 404."""
        return get_object_or_404(judging_queries.of_event(self.tournament), pk=self.kwargs["pk"])

    def told(self, pk: int, status_: int = status.HTTP_200_OK) -> Response:
        """The ruling as it is now."""
        line = next(line for line in local_lines(self.tournament) if line.local.pk == pk)
        return Response(told.LocalRulingSerializer(line).data, status=status_)


class LocalRulingList(LocalRulingView, ManyView):
    """What the head judge has ruled at this event, in the order it was made."""

    abilities = {"POST": permissions.can_head_judge}

    @operation("local_rulings_list", "Local rulings", told.LocalRulingSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Those of a finished event as they read at its end."""
        return self.listed(local_lines(self.tournament), told.LocalRulingSerializer)

    @operation(
        "local_rulings_make",
        "Make a local ruling",
        told.LocalRulingSerializer,
        body=told.LocalRulingWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """It holds at this event from now on."""
        body = given(told.LocalRulingWanted, request)
        wording = Wording(body["text"], body["rulings"], body["reason"])
        local = services.make(self.tournament, self.actor, body["subject"], wording)
        return self.told(local.pk, status.HTTP_201_CREATED)


class LocalRulingDetail(LocalRulingView, OneView):
    abilities = {"PUT": permissions.can_head_judge, "DELETE": permissions.can_head_judge}

    @operation("local_rulings_read", "One local ruling", told.LocalRulingSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """As it holds here."""
        return self.told(self.local().pk)

    @operation(
        "local_rulings_rewrite",
        "Write the next version of a local ruling",
        told.LocalRulingSerializer,
        body=told.NextVersionWanted,
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Whoever cited the version before keeps it."""
        local, body = self.local(), given(told.NextVersionWanted, request)
        wording = Wording(body["text"], body["rulings"], body["reason"])
        services.rewrite(local, self.actor, body["seen"], wording)
        return self.told(pk)

    @operation("local_rulings_end", "Withdraw or leave out a local ruling", status=204)
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """One that was made here is withdrawn from today on; one of an earlier event left out."""
        local = self.local()
        end = services.withdraw if local.made_here else services.leave_out
        end(local, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class OfferedRulings(LocalRulingView, ManyView):
    """Rulings of earlier events that may hold here as well."""

    abilities = {"GET": permissions.can_head_judge, "POST": permissions.can_head_judge}

    @operation(
        "local_rulings_offered",
        "Rulings of earlier events",
        told.OfferedRulingSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those of events where the asking account has helped, the newest first."""
        offered = judging_queries.from_elsewhere(self.actor.user, self.tournament)
        return self.listed(offered, told.OfferedRulingSerializer)

    @operation(
        "local_rulings_use",
        "Use a ruling of an earlier event",
        told.LocalRulingSerializer,
        body=told.UseWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """It holds here too; used twice, nothing changes."""
        ruling = find_by_code(
            given(told.UseWanted, request)["code"],
            judging_queries.usable(self.actor.user, self.tournament),
        )
        if ruling is None:
            raise NotYours("There is no ruling with this code that could be used here.")
        local = services.use(self.tournament, ruling, self.actor)
        return self.told(local.pk, status.HTTP_201_CREATED)
