"""The roster: players listed, added, changed, checked in, dropped and removed."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given, valid
from core.api_errors import not_found
from core.api_viewsets import endpoint
from core.rate_limits import rate_limited
from core.text import comparison_key
from tournaments.event import history, permissions, queries
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import Registration, RegistrationState, log_actions
from tournaments.registration import pasted_roster
from tournaments.registration.forms import SeedForm
from tournaments.registration.pasted_roster import Roster, RosterNotReadable
from tournaments.registration.roster_plan import PlannedEntry, preview
from tournaments.registration.serializers.roster import (
    CheckedInSerializer,
    NewPlayersBody,
    NumbersBody,
    PaidBody,
    PlayerBody,
    RegistrationSerializer,
    RegistrationsSerializer,
    RosterListBody,
    RosterListSerializer,
    entry_of,
)
from tournaments.registration.services import registrations, rosters
from tournaments.registration.services.registrations import (
    AlreadyPlayed,
    CannotReturn,
    OrderIsFixed,
)
from tournaments.registration.services.rosters import NewEntry
from tournaments.rounds.services.late_entries import TooLate
from tournaments.web.api.viewsets import EventViewSet

LONGEST_SEARCH = 200
NOT_IN = (EventIsFinished, OrderIsFixed, TooLate)
"""Why somebody does not come in."""


class OfRoster(EventViewSet):
    """Shows players of the roster; how much of them, the context of serializers says."""

    def get_serializer_context(self) -> dict[str, Any]:
        return {
            **super().get_serializer_context(),
            "runs": permissions.can_run(self.actor, self.tournament),
            "sees_paid": permissions.can_mark_paid(self.actor, self.tournament),
        }

    def row(self) -> Registration:
        """The registration of the address, with all that is shown of it."""
        entry = queries.roster_entry(self.tournament, self.kwargs["number"])
        if entry is None:
            raise not_found("Player", self.kwargs["number"])
        return entry

    def answer_with_row(self) -> Response:
        """The player of the address as they are now."""
        context = self.get_serializer_context()
        return Response(RegistrationSerializer(self.row(), context=context).data)


class RegistrationViewSet(OfRoster):
    """The players of the roster, for the staff."""

    @endpoint(
        "registrations_list",
        "The roster",
        RegistrationSerializer(many=True),
        who=permissions.can_open_desk,
        parameters=[
            OpenApiParameter(
                "search", OpenApiTypes.STR, description="A part of the name, or a number."
            ),
            OpenApiParameter(
                "state", OpenApiTypes.STR, enum=RegistrationState.values, description="Only these."
            ),
            OpenApiParameter(
                "unpaid", bool, description="true: only who has a place and is not marked as paid."
            ),
        ],
    )
    def list(self, request: Request, slug: str) -> Response:
        """Everybody on the roster in any state, by name, as the staff see them."""
        typed, state = request.query_params.get("search", ""), request.query_params.get("state")
        if state is not None and state not in RegistrationState.values:
            raise ValidationError({"state": [f"One of {', '.join(RegistrationState.values)}."]})
        typed = typed.replace("\0", "").strip()[:LONGEST_SEARCH]
        rows = queries.found_on_roster(self.tournament, typed, state or "")
        if self.is_asked_for("unpaid"):
            self.require(permissions.can_mark_paid)
            rows = queries.unpaid(rows)
        return self.listed(rows, RegistrationSerializer)

    @endpoint(
        "registrations_add",
        "Add players",
        RegistrationsSerializer,
        body=NewPlayersBody,
        status=201,
        who=permissions.can_run,
        refusals=NOT_IN,
    )
    def create(self, request: Request, slug: str) -> Response:
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
        return Response(self._shown(rows), status=201)

    def _refuse_taken(self, players: Sequence[dict[str, Any]]) -> None:
        """Raise ValidationError for a name that is there already.

        Names that only look alike, such as "Ali" and "AIi", pass: the roster marks them.
        """
        names = self.tournament.registrations.values_list("player__name", flat=True)
        taken = {comparison_key(name): name for name in names}
        wrong: list[dict[str, list[str]]] = []
        for player in players:
            key = comparison_key(player["name"])
            is_taken = key in taken and not player.get("is_another")
            words = (
                f"{taken.get(key)} is on the roster or in this list already. If this is another "
                "person, send is_another."
            )
            wrong.append({"name": [words]} if is_taken else {})
            taken.setdefault(key, player["name"])
        if any(wrong):
            raise ValidationError({"players": wrong})

    def _shown(self, rows: QuerySet[Registration]) -> dict[str, Any]:
        """The players as they are now, by their numbers."""
        shown = {"registrations": rows.order_by("number")}
        return dict(RegistrationsSerializer(shown, context=self.get_serializer_context()).data)

    @endpoint(
        "registrations_read",
        "One player of the roster",
        RegistrationSerializer,
        who=permissions.can_open_desk,
    )
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """A player as the staff see them."""
        return self.answer_with_row()

    @endpoint(
        "registrations_change",
        "Change a player",
        RegistrationSerializer,
        body=PlayerBody,
        who=permissions.can_run,
        refusals=(EventIsFinished, AlreadyPlayed),
    )
    def partial_update(self, request: Request, slug: str, number: int) -> Response:
        """Set seed, group, first-round bye, fixed table or the wish not to be filmed."""
        self.row()  # Nobody there is a 404, whatever the body says.
        asked = given(PlayerBody, request, partial=True)
        with transaction.atomic():
            history.lock_unfinished(self.tournament)
            self._change(self.row(), asked)
        return self.answer_with_row()

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
        if "first_round_bye" in asked:
            rosters.set_first_round_bye(entry, self.actor, has_bye=asked["first_round_bye"])
        if "fixed_table" in asked:
            rosters.set_fixed_table(entry, self.actor, asked["fixed_table"])
        if "avoids_stream" in asked:
            rosters.set_avoids_stream(entry, self.actor, avoids=asked["avoids_stream"])

    @endpoint(
        "registrations_paid",
        "Mark who has paid",
        RegistrationSerializer,
        body=PaidBody,
        who=permissions.can_mark_paid,
        refusals=(EventIsFinished,),
    )
    def set_paid(self, request: Request, slug: str, number: int) -> Response:
        """The player has paid the entry fee, or the mark was a slip. No money is handled here."""
        entry, has_paid = self.row(), given(PaidBody, request)["has_paid"]
        rosters.set_paid(self.tournament, [entry], self.actor, has_paid=has_paid)
        return self.answer_with_row()

    @endpoint(
        "registrations_remove",
        "Remove a player from the roster",
        status=204,
        who=permissions.can_run,
        refusals=(EventIsFinished, AlreadyPlayed, PlayerRemoved),
    )
    def destroy(self, request: Request, slug: str, number: int) -> Response:
        """Off the roster; only who has never been paired."""
        rosters.remove(self.row(), self.actor)
        return Response(status=204)

    @endpoint(
        "registrations_check_in_many",
        "Check players in",
        CheckedInSerializer,
        body=NumbersBody,
        who=permissions.can_open_desk,
        refusals=NOT_IN,
    )
    def check_in_many(self, request: Request, slug: str) -> Response:
        """These players are here; null is everybody, for those who run the event."""
        numbers = given(NumbersBody, request)["numbers"]
        if numbers is None:
            self.require(permissions.can_run)
        moved = registrations.check_in(self._named(numbers), self.actor)
        return Response({"checked_in": moved})

    def _named(self, numbers: Sequence[int] | None) -> Sequence[Registration]:
        rows = self.tournament.registrations.select_related("tournament")
        if numbers is None:
            return list(rows.filter(pk__in=queries.to_check_in(self.tournament)))
        found = list(rows.filter(number__in=numbers))
        unknown = sorted(set(numbers) - {one.number for one in found})
        if unknown:
            words = f"Nobody on the roster has these numbers: {', '.join(map(str, unknown))}."
            raise ValidationError({"numbers": [words]})
        return found

    @endpoint(
        "registrations_check_in",
        "Check a player in",
        RegistrationSerializer,
        who=permissions.can_open_desk,
        refusals=NOT_IN,
    )
    def check_in(self, request: Request, slug: str, number: int) -> Response:
        """The player is here."""
        registrations.check_in([self.row()], self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_undo_check_in",
        "Undo a check-in",
        RegistrationSerializer,
        who=permissions.can_open_desk,
        refusals=(EventIsFinished, AlreadyPlayed, CannotReturn),
    )
    def undo_check_in(self, request: Request, slug: str, number: int) -> Response:
        """The player is not here; refused once they have been paired."""
        registrations.undo_check_in(self.row(), self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_drop",
        "Drop a player",
        RegistrationSerializer,
        who=permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def drop(self, request: Request, slug: str, number: int) -> Response:
        """The player leaves: no further pairings, all rounds played stay."""
        registrations.drop(self.row(), self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_return",
        "Return a dropped player",
        RegistrationSerializer,
        who=permissions.can_run,
        refusals=(EventIsFinished, CannotReturn, OrderIsFixed),
    )
    def return_(self, request: Request, slug: str, number: int) -> Response:
        """A dropped player plays again from the next draft on."""
        registrations.return_(self.row(), self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_lists",
        "Add a list of players",
        RosterListSerializer,
        body=RosterListBody,
        who=permissions.can_run,
        refusals=(*NOT_IN, rosters.RosterHasChanged),
    )
    @method_decorator(rate_limited("expensive", organiser="lists"))
    def take_list(self, request: Request, slug: str) -> Response:
        """Read a list and say what it would do; with `apply` it is done, all or nothing.

        Names that are there already, and headings, are added only if `also` has their lines.
        Names that differ by a letter from another one are added unless `without` has their lines.
        """
        asked = given(RosterListBody, request)
        list_ = _read(asked)
        existing = self.tournament.registrations.values_list("number", "player__name")
        plan = preview(list_, existing)
        added = self._add(plan, asked) if asked.get("apply") else []
        answer = {
            "lines": plan,
            "notices": [str(notice) for notice in list_.notices],
            "layout": list_.layout,
            "columns": list_.columns,
            "seen": queries.newest_log_id(self.tournament, log_actions.ROSTER_CHANGES),
            "added": added,
        }
        body = RosterListSerializer(answer, context=self.get_serializer_context())
        return Response(body.data)

    def _add(self, plan: Sequence[PlannedEntry], asked: dict[str, Any]) -> Sequence[Registration]:
        also, without = asked.get("also", []), asked.get("without", [])
        added = rosters.add_entries(
            self.tournament,
            [
                NewEntry.of_line(planned.line)
                for planned in plan
                if planned.is_wanted(also, without)
            ],
            self.actor,
            seen=asked.get("seen"),
            late_reason=asked.get("late_reason", ""),
            payers=[one.existing_id or 0 for one in plan if one.marks_paid(also)],
        )
        rows = queries.roster(self.tournament).filter(pk__in=[one.pk for one in added])
        return list(rows.order_by("number"))


def _read(asked: dict[str, Any]) -> Roster:
    name = "csv" if "csv" in asked else "text"
    try:
        list_ = (
            pasted_roster.read_csv(asked[name])
            if name == "csv"
            else pasted_roster.read_names(
                asked[name], asked.get("layout", ""), asked.get("columns", ())
            )
        )
    except RosterNotReadable as refusal:
        raise ValidationError({name: [str(refusal)]}) from refusal
    if not list_.lines:
        raise ValidationError({name: ["The list holds no names."]})
    return list_
