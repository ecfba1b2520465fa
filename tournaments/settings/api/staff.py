"""Who helps to run the event, and as what."""

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from core import secret_links
from core.api_bodies import given, valid
from core.api_writes import WriteView
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Staff
from tournaments.settings.forms.staff import InvitationForm, StaffForm
from tournaments.settings.serializers import (
    GivenRoleSerializer,
    InvitationBody,
    InvitationSecretBody,
    InvitationSerializer,
    NewInvitationSerializer,
    StaffBody,
    StaffSerializer,
)
from tournaments.settings.services import staff as services
from tournaments.web.api import access
from tournaments.web.api.access import ManyView, OneView


class StaffList(ManyView):
    abilities = {"GET": permissions.can_run, "POST": permissions.can_own}
    wants_fresh_session = ("POST",)

    @operation("staff_list", "Staff", StaffSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Everybody with a role at the event."""
        return self.listed(self.tournament.staff.select_related("user"), StaffSerializer)

    @operation("staff_give", "Give a role", StaffSerializer, body=StaffBody, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Give an account a role, or another one."""
        form = valid(StaffForm(given(StaffBody, request)))
        user, role = form.cleaned_data["username"], form.cleaned_data["role"]
        staff = services.give_role(self.tournament, self.actor, user, role)
        return Response(StaffSerializer(staff).data, status=201)


class _OfStaff(OneView):
    def member(self) -> Staff:
        """The role of the address."""
        return get_object_or_404(self.tournament.staff.select_related("user"), pk=self.kwargs["pk"])


class StaffDetail(_OfStaff):
    abilities = {"DELETE": permissions.can_own}
    wants_fresh_session = ("DELETE",)

    @operation("staff_take", "Take a role away", status=204)
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Take the role away; it ends with the next request."""
        services.take_role(self.tournament, self.actor, self.member())
        return Response(status=204)


class HandOver(_OfStaff):
    abilities = {"POST": permissions.can_own}
    wants_fresh_session = ("POST",)

    @operation("staff_hand_over", "Hand the event over", StaffSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Somebody else of the staff owns the event; who owned it stays as an organiser."""
        services.hand_over(self.tournament, self.actor, self.member())
        return Response(StaffSerializer(self.member()).data)


class InvitationList(ManyView):
    abilities = {"GET": permissions.can_run, "POST": permissions.can_own}
    wants_fresh_session = ("POST",)
    told_once = ("link",)

    @operation("invitations_list", "Open invitations", InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Links to a role that still work, the newest first."""
        return self.listed(queries.open_invitations(self.tournament), InvitationSerializer)

    @operation(
        "invitations_make",
        "Invite somebody",
        NewInvitationSerializer,
        body=InvitationBody,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a link that gives whoever opens it first a role. It is told now and never again."""
        form = valid(InvitationForm({"hours": 24, **given(InvitationBody, request)}))
        role, note, ends_at = form.cleaned_data["role"], form.cleaned_data["note"], form.ends_at
        secret = services.invite(self.tournament, self.actor, role, ends_at, note)
        link = request.build_absolute_uri(reverse("tournaments:invitation_link", args=[secret]))
        told = {"link": link, "role": role, "note": note, "ends_at": ends_at}
        return Response(NewInvitationSerializer(told).data, status=201)


class InvitationDetail(OneView):
    abilities = {"DELETE": permissions.can_own}

    @operation("invitations_withdraw", "Withdraw an invitation", status=204)
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """The link opens nothing any more."""
        invitation = get_object_or_404(self.tournament.invitations, pk=pk)
        services.withdraw(invitation, self.actor)
        return Response(status=204)


class Accept(WriteView):
    pagination_class = None

    @operation(
        "invitations_accept", "Accept an invitation", GivenRoleSerializer, body=InvitationSecretBody
    )
    def post(self, request: Request) -> Response:
        """Use the link up: the asking account has its role from now on."""
        account = access.account(self, request)
        secret = given(InvitationSecretBody, request)["secret"]
        with access.secret_tried(request, "invitation", services.InvitationRefused):
            staff = services.accept(secret_links.digest(secret), account)
        access.renew_session(request)
        return Response(GivenRoleSerializer(staff).data)
