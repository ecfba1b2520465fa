"""The roster: who is on it; players added, changed, here, dropped, back, let in, taken off."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given, valid
from core.confusables import looks_of
from core.openapi import operation
from tournaments.event import history, permissions, queries
from tournaments.models import Registration, RegistrationState, log_actions
from tournaments.registration import pasted_roster
from tournaments.registration.forms import SeedForm
from tournaments.registration.pasted_roster import PlannedEntry, Roster, RosterNotReadable
from tournaments.registration.serializers import (
    ClaimLinkSerializer,
    MayReason,
    NewPlayersBody,
    PlayerBody,
    RegistrationSerializer,
    RegistrationsSerializer,
    RosterListBody,
    RosterListSerializer,
    SignUpsBody,
    entry_of,
)
from tournaments.registration.services import profiles, registrations, rosters
from tournaments.registration.services.rosters import NewEntry
from tournaments.web.api.access import Actions, EventView, ManyView, OneView
from tournaments.web.serializers import PlayerSerializer

LONGEST_SEARCH = 200


class OfRoster(OneView):
    """What an action on one player answers: the player as they are now."""

    def row(self) -> Registration:
        """The registration of the address, with all that is shown of it."""
        entry = queries.roster_entry(self.tournament, self.kwargs["number"])
        if entry is None:
            raise Http404
        return entry

    def answer(self) -> Response:
        """The player as they are now."""
        return Response(document_of(self, self.row()))


def document_of(view: OneView | ManyView, entry: Registration) -> Any:
    """A registration as the asking person may read it."""
    return RegistrationSerializer(entry, context=context_of(view)).data


def context_of(view: OneView | ManyView) -> dict[str, Any]:
    """What decides how much is shown."""
    return {"runs": permissions.can_run(view.actor, view.tournament)}


class Registrations(ManyView):
    abilities = {"GET": permissions.can_open_desk, "POST": permissions.can_run}
    own_parameters = ("search", "state")

    @operation(
        "registrations_list",
        "The roster",
        RegistrationSerializer(many=True),
        parameters=[
            OpenApiParameter(
                "search", OpenApiTypes.STR, description="A part of the name, or a number."
            ),
            OpenApiParameter(
                "state", OpenApiTypes.STR, enum=RegistrationState.values, description="Only these."
            ),
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Everybody on the roster in any state, by name, as the staff see them."""
        typed, state = request.query_params.get("search", ""), request.query_params.get("state")
        if state is not None and state not in RegistrationState.values:
            raise ValidationError({"state": [f"One of {', '.join(RegistrationState.values)}."]})
        typed = typed.replace("\0", "").strip()[:LONGEST_SEARCH]
        rows = queries.found_on_roster(self.tournament, typed, state or "")
        return self.listed(rows, RegistrationSerializer, **context_of(self))

    @operation(
        "registrations_add", "Add players", RegistrationsSerializer, body=NewPlayersBody, status=201
    )
    def post(self, request: Request, slug: str) -> Response:
        """Put players on the roster, all or none, whether registration is open or not."""
        asked = given(NewPlayersBody, request)
        self._refuse_taken(asked["players"])
        added = rosters.add_entries(
            self.tournament,
            [entry_of(player) for player in asked["players"]],
            self.actor,
            late_reason=asked.get("late_reason", ""),
        )
        rows = queries.roster(self.tournament).filter(pk__in=[one.pk for one in added])
        shown = RegistrationSerializer(
            rows.order_by("number"), many=True, context=context_of(self)
        ).data
        return Response({"registrations": shown}, status=201)

    def _refuse_taken(self, players: list[dict[str, Any]]) -> None:
        names = self.tournament.registrations.values_list("player__name", flat=True)
        taken = {key: name for name in names for key in looks_of(name)}
        wrong: list[dict[str, list[str]]] = []
        for player in players:
            looks = looks_of(player["name"])
            other = next((taken[key] for key in looks if key in taken), "")
            is_taken = other and not player.get("is_another")
            words = f"{other} is on the roster. For somebody else say is_another."
            wrong.append({"name": [words]} if is_taken else {})
            taken |= dict.fromkeys(looks, player["name"])
        if any(wrong):
            raise ValidationError({"players": wrong})


class RegistrationDetail(OfRoster):
    abilities = {
        "GET": permissions.can_open_desk,
        "PATCH": permissions.can_run,
        "DELETE": permissions.can_run,
    }

    @operation("registrations_read", "One player of the roster", RegistrationSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A player as the staff see them."""
        return self.answer()

    @operation("registrations_change", "Change a player", RegistrationSerializer, body=PlayerBody)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Set seed, group, first-round bye, fixed table or the wish not to be filmed."""
        self.row()  # Nobody there is a 404, whatever the body says.
        asked = given(PlayerBody, request, partial=True)
        with transaction.atomic():
            history.lock_unfinished(self.tournament)
            self._change(self.row(), asked)
        return self.answer()

    def _change(self, entry: Registration, asked: dict[str, Any]) -> None:
        if {"seed", "avoid_group"} & asked.keys():
            kept = {"seed": entry.seed, "avoid_group": entry.avoid_group}
            form = valid(SeedForm({**kept, **asked}))
            rosters.set_seed_and_group(
                entry,
                self.actor,
                seed=form.cleaned_data["seed"],
                avoid_group=form.cleaned_data["avoid_group"],
            )
        bye = asked.get("first_round_bye", entry.first_round_bye)
        if bye != entry.first_round_bye:
            rosters.set_first_round_bye(entry, self.actor, has_bye=bye)
        if "fixed_table" in asked:
            rosters.set_fixed_table(entry, self.actor, asked["fixed_table"])
        if "avoids_stream" in asked:
            rosters.set_avoids_stream(entry, self.actor, avoids=asked["avoids_stream"])

    @operation("registrations_remove", "Take a player off the roster", status=204)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Off the roster; only who has never been paired."""
        rosters.remove(self.row(), self.actor)
        return Response(status=204)


class RowActions(Actions, OfRoster):
    """Here, not here, dropped, back, let in, given a link."""

    abilities = {
        "POST": permissions.can_run,
        "check_in": permissions.can_open_desk,
        "undo_check_in": permissions.can_open_desk,
    }
    shown_once = ("claim_link",)

    @operation("registrations_check_in", "Check a player in", RegistrationSerializer)
    def check_in(self, request: Request, slug: str, number: int) -> Response:
        """The player is here."""
        registrations.check_in([self.row()], self.actor)
        return self.answer()

    @operation("registrations_undo_check_in", "Take a check-in back", RegistrationSerializer)
    def undo_check_in(self, request: Request, slug: str, number: int) -> Response:
        """The player is not here; refused once they have been paired."""
        registrations.undo_check_in(self.row(), self.actor)
        return self.answer()

    @operation("registrations_drop", "Drop a player", RegistrationSerializer)
    def drop(self, request: Request, slug: str, number: int) -> Response:
        """The player leaves: no further pairings, all rounds played stay."""
        registrations.drop(self.row(), self.actor)
        return self.answer()

    @operation("registrations_return", "Take a dropped player back", RegistrationSerializer)
    def return_(self, request: Request, slug: str, number: int) -> Response:
        """A dropped player plays again from the next draft on."""
        registrations.return_(self.row(), self.actor)
        return self.answer()

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
        return self.answer()

    @operation(
        "registrations_let_in", "Let somebody in late", RegistrationSerializer, body=MayReason
    )
    def let_in(self, request: Request, slug: str, number: int) -> Response:
        """Check in somebody who comes later than the event allows, with a reason."""
        entry, reason = self.row(), given(MayReason, request).get("reason", "")
        registrations.check_in([entry], self.actor, late_reason=reason)
        return self.answer()

    @operation("registrations_claim_link", "Make a personal link", ClaimLinkSerializer)
    def make_claim_link(self, request: Request, slug: str, number: int) -> Response:
        """A guest's new personal link, told now and never again. It ends the former one."""
        secret = profiles.issue_claim(self.row(), self.actor)
        link = request.build_absolute_uri(reverse("players:claim", args=[secret]))
        return Response({"claim_link": link})


class RosterLists(Actions):
    """A list is taken over."""

    abilities = {"take_list": permissions.can_run}

    @operation("registrations_lists", "Take a list over", RosterListSerializer, body=RosterListBody)
    def take_list(self, request: Request, slug: str) -> Response:
        """Read a list and say what it would do; with `apply` it is done, all or nothing.

        Names that are there already come in only where `also` names their lines.
        """
        asked = given(RosterListBody, request)
        list_ = _read(asked)
        existing = self.tournament.registrations.values_list("number", "player__name")
        plan = pasted_roster.preview(list_, existing)
        added = self._add(plan, asked) if asked.get("apply") else []
        answer = {
            "lines": plan,
            "notices": [str(notice) for notice in list_.notices],
            "seen": queries.newest_log_id(self.tournament, log_actions.ROSTER_CHANGES),
            "added": added,
        }
        return Response(RosterListSerializer(answer, context=context_of(self)).data)

    def _add(self, plan: list[PlannedEntry], asked: dict[str, Any]) -> list[Registration]:
        also = asked.get("also", [])
        added = rosters.add_entries(
            self.tournament,
            [NewEntry.of_line(planned.line) for planned in plan if planned.is_wanted(also)],
            self.actor,
            seen=asked.get("seen"),
            late_reason=asked.get("late_reason", ""),
        )
        rows = queries.roster(self.tournament).filter(pk__in=[one.pk for one in added])
        return list(rows.order_by("number"))


def _read(asked: dict[str, Any]) -> Roster:
    name = "csv" if "csv" in asked else "text"
    try:
        list_ = (
            pasted_roster.read_csv(asked[name])
            if name == "csv"
            else pasted_roster.read_names(asked[name])
        )
    except RosterNotReadable as refusal:
        raise ValidationError({name: [str(refusal)]}) from refusal
    if not list_.lines:
        raise ValidationError({name: ["The list holds no names."]})
    return list_


class SignUps(OneView):
    abilities = {"POST": permissions.can_run}
    own_parameters = ("preview",)

    @operation(
        "registrations_remove_guests",
        "Remove sign-ups",
        RegistrationsSerializer,
        body=SignUpsBody,
        parameters=[OpenApiParameter("preview", bool, description="true: only tell who would go.")],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take everybody off the roster who signed up by themselves in a stretch of time.

        With an account or as guests. Those the staff added and those who have been paired stay.
        """
        asked, looks = given(SignUpsBody, request), self.is_asked_for("preview")
        going = queries.removable_sign_ups(self.tournament, asked["since"], asked["until"])
        numbers = list(going.values_list("number", flat=True))
        rows = queries.roster(self.tournament).filter(number__in=numbers).order_by("number")
        shown = RegistrationSerializer(rows, many=True, context=context_of(self)).data
        if not looks:
            rosters.remove_sign_ups(self.tournament, numbers, self.actor)
        return Response({"registrations": shown})


@extend_schema_view(get=operation("events_players", "Players"))
class PlayerList(EventView, ListAPIView[Registration]):
    """Everybody on the roster, by their number in the event; not who waits for a place."""

    serializer_class = PlayerSerializer
    queryset = Registration.objects.none()

    def get_queryset(self) -> QuerySet[Registration]:
        return queries.players(self.tournament).select_related("player").order_by("number")
