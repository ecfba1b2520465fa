"""Many players at once: all checked in, a list taken over, codes scanned at the door."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Registration, RegistrationState, log_actions
from tournaments.registration import pasted_roster
from tournaments.registration.api.roster import context_of
from tournaments.registration.pasted_roster import Action, PlannedEntry, Roster, RosterNotReadable
from tournaments.registration.serializers.roster import (
    ArrivalSerializer,
    CheckedInSerializer,
    NumbersBody,
    RegistrationSerializer,
    RegistrationsSerializer,
    RosterListBody,
    RosterListSerializer,
    ScanBody,
    SignUpsBody,
)
from tournaments.registration.services import arrivals, registrations
from tournaments.registration.services.arrivals import Arrival, Outcome
from tournaments.registration.services.registrations import NewEntry
from tournaments.web.api.access import Actions, OneView

DUPLICATES = (Action.REGISTERED, Action.REPEATED)


class DoorActions(Actions):
    """Many are here, somebody is at the door, or a list is taken over."""

    abilities = {"POST": permissions.can_open_desk, "take_list": permissions.can_run}

    @operation(
        "registrations_check_in_many", "Check players in", CheckedInSerializer, body=NumbersBody
    )
    def check_in(self, request: Request, slug: str) -> Response:
        """These players are here; null is everybody, for those who run the event."""
        numbers = given(NumbersBody, request)["numbers"]
        if numbers is None:
            self.require(permissions.can_run)
        moved = registrations.check_in(self._named(numbers), self.actor)
        return Response({"checked_in": moved})

    def _named(self, numbers: list[int] | None) -> list[Registration]:
        rows = self.tournament.registrations.select_related("tournament")
        if numbers is None:
            return list(rows.filter(state=RegistrationState.REGISTERED))
        found = list(rows.filter(number__in=numbers))
        unknown = sorted(set(numbers) - {one.number for one in found})
        if unknown:
            words = f"Nobody on the roster has these numbers: {', '.join(map(str, unknown))}."
            raise ValidationError({"numbers": [words]})
        return found

    @operation(
        "registrations_scan", "Check in by a code or a name", ArrivalSerializer, body=ScanBody
    )
    def scan(self, request: Request, slug: str) -> Response:
        """Check in whoever this code is of, or who is meant by a number or a name.

        A "no" is an answer: `words` say why. Where several are meant, `found` are those.
        """
        asked = given(ScanBody, request)
        arrival, found = None, list[Registration]()
        if "code" in asked:
            arrival = arrivals.scan(self.tournament, asked["code"], self.actor)
        else:
            arrival, found = self._typed(asked["typed"])
        return Response(self._told(arrival, found))

    def _typed(self, typed: str) -> tuple[Arrival | None, list[Registration]]:
        found = queries.meant_on_roster(self.tournament, typed)
        if len(found) == 1:
            return arrivals.arrive(self.tournament, found[0], self.actor), []
        if not found:
            words = f"Nobody on the roster is called {typed[:80]}."
            return Arrival(Outcome.NO, words), []
        return None, found

    def _told(self, arrival: Arrival | None, found: list[Registration]) -> Any:
        context = context_of(self)
        answer = {
            "outcome": arrival.outcome if arrival else None,
            "words": arrival.words if arrival else "",
            "registration": arrival.registration if arrival else None,
            "found": found,
        }
        return ArrivalSerializer(answer, context=context).data

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
        added = registrations.add_entries(
            self.tournament,
            [_entry(planned) for planned in plan if _is_wanted(planned, also)],
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


def _is_wanted(planned: PlannedEntry, also: list[int]) -> bool:
    if planned.action in DUPLICATES:
        return planned.line.line in also
    return planned.action == Action.ADD


def _entry(planned: PlannedEntry) -> NewEntry:
    line = planned.line
    return NewEntry(line.name, line.pronouns, line.seed, line.first_round_bye)


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
        told = RegistrationSerializer(rows, many=True, context=context_of(self)).data
        if not looks:
            registrations.remove_sign_ups(self.tournament, numbers, self.actor)
        return Response({"registrations": told})
