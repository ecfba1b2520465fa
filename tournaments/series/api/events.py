"""An event run again, and who is invited to it, in the API."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import given
from core.api_errors import found_or_404
from core.api_viewsets import endpoint
from tournaments.event import permissions as event_permissions
from tournaments.event.history import EventIsFinished
from tournaments.models import InvitedPlayer
from tournaments.series import pages, permissions
from tournaments.series.serializers import (
    AgainBody,
    DeclinedBody,
    InvitedSerializer,
)
from tournaments.series.services import copying, inviting
from tournaments.series.services.copying import Again
from tournaments.settings.serializers import SettingsSerializer
from tournaments.web.api.viewsets import EventViewSet


class AgainViewSet(EventViewSet):
    """An event run again, and who is invited to it."""

    @endpoint(
        "again",
        "Run an event again",
        SettingsSerializer,
        body=AgainBody,
        status=201,
        who=event_permissions.can_run,
        refusals=(copying.NotToCopy,),
    )
    def again(self, request: Request, slug: str) -> Response:
        """A new event with the settings and the staff of this one, and no list of invited players;
        a token of one event makes no other."""
        self.refuse_bound_token(request)
        self.organiser()
        said = given(AgainBody, request)
        wanted = Again(
            name=said["name"],
            starts_on=said["starts_on"],
            starts_at=said.get("start_time"),
            with_roster=said.get("with_roster", False),
        )
        series = permissions.series_of_copy(self.actor, self.tournament)
        made = copying.run_again(self.tournament, self.actor, wanted, series=series)
        context = self.get_serializer_context()
        address = reverse("api:event", args=[made.slug], request=request)
        shown = SettingsSerializer(made, context=context).data
        return Response(shown, status=201, headers={"Location": address})

    @endpoint(
        "invited_list",
        "Invited players",
        InvitedSerializer(many=True),
        who=event_permissions.can_run,
    )
    def invited(self, request: Request, slug: str) -> Response:
        """Who may join an event by invitation, and how they came to it."""
        return self.listed(pages.invited(self.tournament, self.actor), InvitedSerializer)

    @endpoint(
        "invited_change",
        "Note who declined",
        InvitedSerializer,
        body=DeclinedBody,
        who=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def set_declined(self, request: Request, slug: str, pk: int) -> Response:
        """The player does not come, and the place goes to the next one; or comes after all."""
        invited = self._invited()
        declined = given(DeclinedBody, request)["declined"]
        inviting.set_declined(invited, self.actor, declined=declined)
        return Response(InvitedSerializer(self._invited()).data)

    @endpoint(
        "invited_withdraw",
        "Withdraw the invitation of a player",
        status=204,
        who=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def withdraw(self, request: Request, slug: str, pk: int) -> Response:
        """The player may join no longer; who has joined stays."""
        inviting.withdraw(self._invited(), self.actor)
        return Response(status=204)

    def _invited(self) -> InvitedPlayer:
        """The invitation of the address."""
        rows = pages.invited(self.tournament, self.actor).select_related("tournament")
        return found_or_404(rows, "Invitation", pk=self.kwargs["pk"])
