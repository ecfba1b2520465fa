"""One player of the roster: here, not here, dropped, back, let in, given a link."""

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments import permissions
from tournaments.api.roster import OfRoster
from tournaments.api.shapes import Actions
from tournaments.serializers.people.roster import (
    ClaimLinkSerializer,
    MayReason,
    RegistrationSerializer,
)
from tournaments.services import claims, registrations


class RowActions(Actions, OfRoster):
    """Here, not here, dropped, back, let in, given a link."""

    abilities = {
        "POST": permissions.can_run,
        "check_in": permissions.can_open_desk,
        "undo_check_in": permissions.can_open_desk,
    }
    told_once = ("claim_link",)

    @operation("registrations_check_in", "Check a player in", RegistrationSerializer)
    def check_in(self, request: Request, slug: str, number: int) -> Response:
        """The player is here."""
        registrations.check_in([self.row()], self.actor)
        return self.told()

    @operation("registrations_undo_check_in", "Take a check-in back", RegistrationSerializer)
    def undo_check_in(self, request: Request, slug: str, number: int) -> Response:
        """The player is not here; refused once they have been paired."""
        registrations.undo_check_in(self.row(), self.actor)
        return self.told()

    @operation("registrations_drop", "Drop a player", RegistrationSerializer)
    def drop(self, request: Request, slug: str, number: int) -> Response:
        """The player leaves: no further pairings, all rounds played stay."""
        registrations.drop(self.row(), self.actor)
        return self.told()

    @operation("registrations_return", "Take a dropped player back", RegistrationSerializer)
    def return_(self, request: Request, slug: str, number: int) -> Response:
        """A dropped player plays again from the next draft on."""
        registrations.return_(self.row(), self.actor)
        return self.told()

    @operation(
        "registrations_move_up",
        "Give somebody who waits a place",
        RegistrationSerializer,
        body=MayReason,
    )
    def move_up(self, request: Request, slug: str, number: int) -> Response:
        """From the waiting list onto the roster; over the limit with a reason."""
        entry, reason = self.row(), given(MayReason, request).get("reason", "")
        registrations.move_up(entry, self.actor, reason=reason)
        return self.told()

    @operation(
        "registrations_let_in", "Let somebody in late", RegistrationSerializer, body=MayReason
    )
    def let_in(self, request: Request, slug: str, number: int) -> Response:
        """Check in somebody who comes later than the event allows, with a reason."""
        entry, reason = self.row(), given(MayReason, request).get("reason", "")
        registrations.check_in([entry], self.actor, late_reason=reason)
        return self.told()

    @operation("registrations_claim_link", "Make a personal link", ClaimLinkSerializer)
    def make_claim_link(self, request: Request, slug: str, number: int) -> Response:
        """A guest's new personal link, told now and never again. It ends the former one."""
        secret = claims.issue_claim(self.row(), self.actor)
        link = request.build_absolute_uri(reverse("players:claim", args=[secret]))
        return Response({"claim_link": link})
