"""One player of the roster: here, not here, dropped, back, let in, given a link."""

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments import permissions
from tournaments.api.roster import OfRoster
from tournaments.serializers.people.roster import (
    ClaimLinkSerializer,
    MayReason,
    RegistrationSerializer,
)
from tournaments.services import claims, registrations


class CheckIn(OfRoster):
    """Somebody is here."""

    abilities = {"POST": permissions.can_open_desk}

    @operation("registrations_check_in", "Check a player in", RegistrationSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """The player is here."""
        registrations.check_in([self.row()], self.actor)
        return self.told()


class UndoCheckIn(OfRoster):
    """Somebody is not here after all."""

    abilities = {"POST": permissions.can_open_desk}

    @operation("registrations_undo_check_in", "Take a check-in back", RegistrationSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """The player is not here; refused once they have been paired."""
        registrations.undo_check_in(self.row(), self.actor)
        return self.told()


class Drop(OfRoster):
    """Somebody leaves."""

    abilities = {"POST": permissions.can_run}

    @operation("registrations_drop", "Drop a player", RegistrationSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """The player leaves: no further pairings, all rounds played stay."""
        registrations.drop(self.row(), self.actor)
        return self.told()


class Return(OfRoster):
    """Somebody is back."""

    abilities = {"POST": permissions.can_run}

    @operation("registrations_return", "Take a dropped player back", RegistrationSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """A dropped player plays again from the next draft on."""
        registrations.return_(self.row(), self.actor)
        return self.told()


class MoveUp(OfRoster):
    """A place for somebody who waits."""

    abilities = {"POST": permissions.can_run}

    @operation(
        "registrations_move_up",
        "Give somebody who waits a place",
        RegistrationSerializer,
        body=MayReason,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """From the waiting list onto the roster; over the limit with a reason."""
        entry, reason = self.row(), given(MayReason, request).get("reason", "")
        registrations.move_up(entry, self.actor, reason=reason)
        return self.told()


class LetIn(OfRoster):
    """Somebody who comes too late."""

    abilities = {"POST": permissions.can_run}

    @operation(
        "registrations_let_in", "Let somebody in late", RegistrationSerializer, body=MayReason
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Check in somebody who comes later than the event allows, with a reason."""
        entry, reason = self.row(), given(MayReason, request).get("reason", "")
        registrations.check_in([entry], self.actor, late_reason=reason)
        return self.told()


class ClaimLink(OfRoster):
    """A personal link for a guest."""

    abilities = {"POST": permissions.can_run}
    told_once = ("claim_link",)

    @operation("registrations_claim_link", "Make a personal link", ClaimLinkSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """A guest's new personal link, told now and never again. It ends the former one."""
        secret = claims.issue_claim(self.row(), self.actor)
        link = request.build_absolute_uri(reverse("players:claim", args=[secret]))
        return Response({"claim_link": link})
