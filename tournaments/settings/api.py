"""Events, their settings and their staff in the API."""

import django_filters
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema_view
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse as api_reverse

from core import secret_links
from core.api_bodies import Reason, given, valid
from core.api_writes import WriteView
from core.filters import ChoiceFilter, DayFilter, HasValueFilter, ordering_filter
from core.openapi import operation
from decks import games
from tournaments.event import permissions, queries
from tournaments.models import Staff, Tournament
from tournaments.rounds.pages.stages import stage_lines
from tournaments.settings.forms.api_body import change_event, create_event
from tournaments.settings.forms.staff import InvitationForm, StaffForm
from tournaments.settings.serializers import (
    GivenRoleSerializer,
    InvitationBody,
    InvitationSecretBody,
    InvitationSerializer,
    JoiningSerializer,
    NewEventBody,
    NewInvitationSerializer,
    SettingsBody,
    SettingsSerializer,
    StaffBody,
    StaffSerializer,
    StageSerializer,
)
from tournaments.settings.services import events
from tournaments.settings.services import staff as staff_services
from tournaments.web.api import access
from tournaments.web.api.access import Actions, EventEndpoint, EventView, ManyView, OneView
from tournaments.web.serializers import EventDetailSerializer, EventSerializer


class EventFilter(django_filters.FilterSet):
    """What the list of events can be narrowed by."""

    game = ChoiceFilter(choices=games.choices())
    starts_on_after = DayFilter(
        field_name="starts_on", lookup_expr="gte", help_text="This day or later."
    )
    starts_on_before = DayFilter(
        field_name="starts_on", lookup_expr="lte", help_text="This day or earlier."
    )
    finished = HasValueFilter(field_name="finished_at")
    ordering = ordering_filter("starts_on", "name")


@extend_schema_view(get=operation("events_list", "Public events"))
class EventList(WriteView, ListAPIView[Tournament]):
    """Public events, newest first unless told otherwise."""

    serializer_class = EventSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = EventFilter
    queryset = queries.listed().order_by("-starts_on", "-pk")

    @operation("events_create", "A new event", SettingsSerializer, body=NewEventBody, status=201)
    def post(self, request: Request) -> Response:
        """Make an event that belongs to the asking account, with any of its settings.

        A token that is bound to one event makes no other.
        """
        owner = access.account(self, request)
        tournament = create_event(owner, given(NewEventBody, request))
        address = api_reverse("api:event", args=[tournament.slug], request=request)
        created = SettingsSerializer(tournament, context={"request": request})
        return Response(created.data, status=201, headers={"Location": address})


@extend_schema_view(get=operation("events_read", "One event"))
class EventDetail(EventView, RetrieveAPIView[Tournament]):
    """An event with its rules. One that is private exists for its own people only."""

    serializer_class = EventDetailSerializer
    queryset = Tournament.objects.none()
    lookup_field = "slug"
    pagination_class = None

    abilities = {"PATCH": permissions.can_run}

    def get_object(self) -> Tournament:
        return queries.with_figures(self.tournament)

    @operation("events_change", "Change settings", SettingsSerializer, body=SettingsBody)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings that are named; the answer is all of them."""
        asked = given(SettingsBody, request, partial=True)
        return _settings(self, change_event(self.tournament, self.actor, asked))


class Settings(OneView):
    abilities = {"GET": permissions.can_run, "PATCH": permissions.can_run}

    @operation("settings_read", "Settings", SettingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """All settings of the event, for those who run it."""
        return _settings(self, self.tournament)

    @operation("settings_change", "Change settings", SettingsSerializer, body=SettingsBody)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings that are named; the same as a PATCH of the event."""
        asked = given(SettingsBody, request, partial=True)
        return _settings(self, change_event(self.tournament, self.actor, asked))


class EventActions(Actions):
    """The end of the event, and that taken back."""

    abilities = {"finish": permissions.can_run, "reopen": permissions.can_own}

    @operation("events_finish", "Finish the event", SettingsSerializer)
    def finish(self, request: Request, slug: str) -> Response:
        """The standings are final. Refused while a round or a cut is open."""
        if not self.tournament.is_finished:
            events.finish(self.tournament, self.actor)
        return _settings(self, Tournament.objects.get(pk=self.tournament.pk))

    @operation("events_reopen", "Open a finished event again", SettingsSerializer, body=Reason)
    def reopen(self, request: Request, slug: str) -> Response:
        """Take back the end of the event; the reason goes into the log."""
        events.reopen(self.tournament, self.actor, given(Reason, request)["reason"])
        return _settings(self, Tournament.objects.get(pk=self.tournament.pk))


def _settings(view: EventEndpoint, tournament: Tournament) -> Response:
    return Response(SettingsSerializer(tournament, context={"request": view.request}).data)


class Joining(OneView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("joining_read", "The join code", JoiningSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The join code and its address, as they stand on the poster."""
        code = self.tournament.join_code
        address = request.build_absolute_uri(reverse("tournaments:join_code", args=[code]))
        return Response({"join_code": code, "address": address})


class Stages(ManyView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("stages_list", "Stages", StageSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """How each part of the event is paired and scored, first to last."""
        return self.listed(stage_lines(self.tournament), StageSerializer)


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
        staff = staff_services.give_role(self.tournament, self.actor, user, role)
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
        staff_services.take_role(self.tournament, self.actor, self.member())
        return Response(status=204)


class HandOver(_OfStaff):
    abilities = {"POST": permissions.can_own}
    wants_fresh_session = ("POST",)

    @operation("staff_hand_over", "Hand the event over", StaffSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Somebody else of the staff owns the event; who owned it stays as an organiser."""
        staff_services.hand_over(self.tournament, self.actor, self.member())
        return Response(StaffSerializer(self.member()).data)


class InvitationList(ManyView):
    abilities = {"GET": permissions.can_run, "POST": permissions.can_own}
    wants_fresh_session = ("POST",)
    shown_once = ("link",)

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
        secret = staff_services.invite(self.tournament, self.actor, role, ends_at, note)
        link = request.build_absolute_uri(reverse("tournaments:invitation_link", args=[secret]))
        made = {"link": link, "role": role, "note": note, "ends_at": ends_at}
        return Response(NewInvitationSerializer(made).data, status=201)


class InvitationDetail(OneView):
    abilities = {"DELETE": permissions.can_own}

    @operation("invitations_withdraw", "Withdraw an invitation", status=204)
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """The link opens nothing any more."""
        invitation = get_object_or_404(self.tournament.invitations, pk=pk)
        staff_services.withdraw(invitation, self.actor)
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
        with access.secret_tried(request, "invitation", staff_services.InvitationRefused):
            staff = staff_services.accept(secret_links.digest(secret), account)
        access.renew_session(request)
        return Response(GivenRoleSerializer(staff).data)
