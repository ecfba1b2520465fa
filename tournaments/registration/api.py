"""Registrations in the API: the roster, check-in, joining and personal links."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound, Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core import rate_limits, secret_links
from core.addresses import counted_address
from core.api_errors import not_found
from core.api_requests import validated_body, validated_form
from core.api_viewsets import endpoint, no_permission_needed
from core.rate_limits import rate_limited
from core.text import comparison_key
from players import services as player_services
from players.models import Player, User
from players.services import NameNotUsable, PlayerErased, PlayerHasAccount
from players.sessions import bind_guest, claim_url
from tournaments.event import history, visibility
from tournaments.event import permissions as event_permissions
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.event.permissions import Actor
from tournaments.models import Registration, RegistrationState, Tournament, event_log
from tournaments.models.codes import normal_join_code
from tournaments.registration import guests, pasted_roster, roster_changes, services
from tournaments.registration.forms import JoinForm, SeedForm
from tournaments.registration.pasted_roster import (
    PlannedEntry,
    Roster,
    RosterNotReadable,
    plan_entries,
)
from tournaments.registration.roster_changes import NewEntry
from tournaments.registration.serializers import (
    AddedRegistrationsSerializer,
    CheckedInSerializer,
    ClaimBody,
    ClaimLinksBody,
    ClaimLinksSerializer,
    JoinBody,
    JoinCodeBody,
    JoinedSerializer,
    NameBody,
    NewClaimLinkSerializer,
    NewPlayersBody,
    NumbersBody,
    PaidBody,
    PlayerBody,
    ProfileSerializer,
    RegistrationSerializer,
    RosterListBody,
    RosterListSerializer,
    profile_of,
)
from tournaments.registration.services import AlreadyPlayed, CannotReturn, OrderIsFixed
from tournaments.rounds.late_entries import RegistrationClosed, TooLate
from tournaments.web.serializers import PlayerSerializer
from tournaments.web.viewsets import (
    EventViewSet,
    SiteViewSet,
    is_known_person,
    renew_session,
    slow_down_wrong_secrets,
)

LONGEST_SEARCH = 200
# Refusals of a check-in or a new registration.
CHECK_IN_REFUSALS = (EventIsFinished, OrderIsFixed, TooLate)


class RosterViewSet(EventViewSet):
    """Base of viewsets that answer with registrations."""

    tag = "registrations"

    def get_serializer_context(self) -> dict[str, Any]:
        return {
            **super().get_serializer_context(),
            "runs": event_permissions.can_run(self.actor, self.tournament),
            "sees_paid": event_permissions.can_mark_paid(self.actor, self.tournament),
        }

    def row(self) -> Registration:
        entry = self.tournament.roster_entry(self.kwargs["number"])
        if entry is None:
            raise not_found("Player", self.kwargs["number"])
        return entry

    def answer_with_row(self) -> Response:
        context = self.get_serializer_context()
        return Response(RegistrationSerializer(self.row(), context=context).data)


class RegistrationViewSet(RosterViewSet):
    """The roster, for the staff."""

    @endpoint(
        "registrations_list",
        "Roster",
        RegistrationSerializer(many=True),
        permission=event_permissions.can_open_desk,
        parameters=[
            OpenApiParameter(
                "search", OpenApiTypes.STR, description="Part of the name, or a number."
            ),
            OpenApiParameter(
                "state",
                OpenApiTypes.STR,
                enum=RegistrationState.values,
                description="Only registrations in this state.",
            ),
            OpenApiParameter(
                "unpaid",
                bool,
                description="true: only players who have a place and are not marked as paid.",
            ),
        ],
    )
    def list(self, request: Request, slug: str) -> Response:
        """Registrations in any state, by name, as the staff see them."""
        typed, state = request.query_params.get("search", ""), request.query_params.get("state")
        if state is not None and state not in RegistrationState.values:
            raise ValidationError(
                {"state": [f"Choose one of {', '.join(RegistrationState.values)}."]}
            )
        typed = typed.replace("\0", "").strip()[:LONGEST_SEARCH]
        rows = self.tournament.search_roster(typed, state or "")
        if self.has_flag("unpaid"):
            self.require(event_permissions.can_mark_paid)
            rows = rows.unpaid()
        return self.list_response(rows, RegistrationSerializer)

    @endpoint(
        "registrations_add",
        "Add players",
        AddedRegistrationsSerializer,
        body=NewPlayersBody,
        status=201,
        permission=event_permissions.can_run,
        refusals=CHECK_IN_REFUSALS,
    )
    def create(self, request: Request, slug: str) -> Response:
        """Add all of these players or none, even if registration is closed."""
        data = validated_body(NewPlayersBody, request)
        self._refuse_taken(data["players"])
        entries = [
            NewEntry(**{name: value for name, value in player.items() if name != "is_another"})
            for player in data["players"]
        ]
        added = roster_changes.add_entries(
            self.tournament, entries, self.actor, late_reason=data.get("late_reason", "")
        )
        answer = {"registrations": self._rows(added)}
        body = AddedRegistrationsSerializer(answer, context=self.get_serializer_context())
        return Response(body.data, status=201)

    def _rows(self, added: Sequence[Registration]) -> QuerySet[Registration]:
        return self.tournament.roster().filter(pk__in=[row.pk for row in added]).order_by("number")

    def _refuse_taken(self, players: Sequence[dict[str, Any]]) -> None:
        """Raise ValidationError for a name that is on the roster or in the list twice.

        Names that only look alike, such as "Ali" and "AIi", are allowed: the roster marks them.
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

    @endpoint(
        "registrations_read",
        "One registration",
        RegistrationSerializer,
        permission=event_permissions.can_open_desk,
    )
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """A registration as the staff see it."""
        return self.answer_with_row()

    @endpoint(
        "registrations_change",
        "Change a registration",
        RegistrationSerializer,
        body=PlayerBody,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished, AlreadyPlayed),
    )
    def partial_update(self, request: Request, slug: str, number: int) -> Response:
        """Set the seed, group, first-round bye, fixed table or stream opt-out."""
        self.row()  # Answer 404 for an unknown number before validating the body.
        data = validated_body(PlayerBody, request, partial=True)
        with transaction.atomic():
            history.lock_unfinished(self.tournament)
            self._change(self.row(), data)
        return self.answer_with_row()

    def _change(self, entry: Registration, data: dict[str, Any]) -> None:
        if {"seed", "avoid_group"} & data.keys():
            stored = {"seed": entry.seed, "avoid_group": entry.avoid_group}
            form = validated_form(SeedForm({**stored, **data}))
            roster_changes.set_seed_and_group(
                entry,
                self.actor,
                seed=form.cleaned_data["seed"],
                avoid_group=form.cleaned_data["avoid_group"],
            )
        if "first_round_bye" in data:
            roster_changes.set_first_round_bye(entry, self.actor, has_bye=data["first_round_bye"])
        if "fixed_table" in data:
            roster_changes.set_fixed_table(entry, self.actor, data["fixed_table"])
        if "avoids_stream" in data:
            roster_changes.set_avoids_stream(entry, self.actor, avoids=data["avoids_stream"])

    @endpoint(
        "registrations_paid",
        "Mark a player as paid",
        RegistrationSerializer,
        body=PaidBody,
        permission=event_permissions.can_mark_paid,
        refusals=(EventIsFinished,),
    )
    def set_paid(self, request: Request, slug: str, number: int) -> Response:
        """Set or clear the mark that the entry fee is paid. No payment is made."""
        entry, has_paid = self.row(), validated_body(PaidBody, request)["has_paid"]
        roster_changes.set_paid(self.tournament, [entry], self.actor, has_paid=has_paid)
        return self.answer_with_row()

    @endpoint(
        "registrations_remove",
        "Remove a registration",
        status=204,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished, AlreadyPlayed, PlayerRemoved),
    )
    def destroy(self, request: Request, slug: str, number: int) -> Response:
        """Remove a player who has never been paired from the roster."""
        roster_changes.remove_player(self.row(), self.actor)
        return Response(status=204)

    @endpoint(
        "registrations_check_in_many",
        "Check players in",
        CheckedInSerializer,
        body=NumbersBody,
        permission=event_permissions.can_open_desk,
        refusals=CHECK_IN_REFUSALS,
    )
    def check_in_many(self, request: Request, slug: str) -> Response:
        """Check these players in. Null means all of them and requires an organiser."""
        numbers = validated_body(NumbersBody, request)["numbers"]
        if numbers is None:
            self.require(event_permissions.can_run)
        moved = services.check_in(self._named(numbers), self.actor)
        return Response({"checked_in": moved})

    def _named(self, numbers: Sequence[int] | None) -> Sequence[Registration]:
        rows = self.tournament.registrations.select_related("tournament")
        if numbers is None:
            return list(rows.filter(pk__in=self.tournament.registrations_to_check_in()))
        entries = list(rows.filter(number__in=numbers))
        unknown = sorted(set(numbers) - {entry.number for entry in entries})
        if unknown:
            words = f"Nobody on the roster has these numbers: {', '.join(map(str, unknown))}."
            raise ValidationError({"numbers": [words]})
        return entries

    @endpoint(
        "registrations_check_in",
        "Check a player in",
        RegistrationSerializer,
        permission=event_permissions.can_open_desk,
        refusals=CHECK_IN_REFUSALS,
    )
    def check_in(self, request: Request, slug: str, number: int) -> Response:
        """Check one player in."""
        services.check_in([self.row()], self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_undo_check_in",
        "Undo a check-in",
        RegistrationSerializer,
        permission=event_permissions.can_open_desk,
        refusals=(EventIsFinished, AlreadyPlayed, CannotReturn),
    )
    def undo_check_in(self, request: Request, slug: str, number: int) -> Response:
        """Undo the check-in of a player who has not been paired."""
        services.undo_check_in(self.row(), self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_drop",
        "Drop a player",
        RegistrationSerializer,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished,),
    )
    def drop(self, request: Request, slug: str, number: int) -> Response:
        """Drop a player from future rounds. Past results remain."""
        services.drop_player(self.row(), self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_return",
        "Return a dropped player",
        RegistrationSerializer,
        permission=event_permissions.can_run,
        refusals=(EventIsFinished, CannotReturn, OrderIsFixed),
    )
    def return_(self, request: Request, slug: str, number: int) -> Response:
        """Return a dropped player, who plays from the next draft on."""
        services.return_player(self.row(), self.actor)
        return self.answer_with_row()

    @endpoint(
        "registrations_lists",
        "Add a list of players",
        RosterListSerializer,
        body=RosterListBody,
        parameters=[
            OpenApiParameter("preview", bool, description="true: show the effect, change nothing.")
        ],
        permission=event_permissions.can_run,
        refusals=(*CHECK_IN_REFUSALS, roster_changes.RosterHasChanged),
    )
    @method_decorator(rate_limited("expensive", organiser="lists"))
    def add_list(self, request: Request, slug: str) -> Response:
        """Add all players of a list, or none of them.

        The list is text in any layout, or CSV. Headings and names that are on the roster already
        are skipped unless `also` has their lines. Similar names are added unless `without` has
        their lines.
        """
        data = validated_body(RosterListBody, request)
        list_ = _read_list(data)
        existing = self.tournament.registrations.values_list("number", "player__name")
        plan = plan_entries(list_, existing)
        added = [] if self.has_flag("preview") else self._add(plan, data)
        answer = {
            "lines": plan,
            "notices": [str(notice.in_place) for notice in list_.notices],
            "layout": list_.layout,
            "columns": list_.columns,
            "version": self.tournament.log.newest_id(event_log.ROSTER_CHANGES),
            "added": added,
        }
        body = RosterListSerializer(answer, context=self.get_serializer_context())
        return Response(body.data)

    def _add(self, plan: Sequence[PlannedEntry], data: dict[str, Any]) -> Sequence[Registration]:
        also, without = data.get("also", []), data.get("without", [])
        added = roster_changes.add_entries(
            self.tournament,
            [NewEntry.of_line(planned.line) for planned in plan if planned.is_added(also, without)],
            self.actor,
            seen=data.get("version"),
            late_reason=data.get("late_reason", ""),
            payers=[planned.existing_id or 0 for planned in plan if planned.marks_paid(also)],
        )
        return list(self._rows(added))


def _read_list(data: dict[str, Any]) -> Roster:
    name = "csv" if "csv" in data else "text"
    try:
        if name == "csv":
            list_ = pasted_roster.read_csv(data["csv"])
        else:
            list_ = pasted_roster.read_names(
                data["text"], data.get("layout", ""), data.get("columns", ())
            )
    except RosterNotReadable as refusal:
        raise ValidationError({name: [str(refusal)]}) from refusal
    if not list_.lines:
        raise ValidationError({name: ["The list has no names."]})
    return list_


# Corrected names and personal links.


class EntryViewSet(RosterViewSet):
    """Names and personal links of registered players."""

    @endpoint(
        "registrations_rename",
        "Correct a name",
        RegistrationSerializer,
        body=NameBody,
        permission=event_permissions.can_run,
        refusals=(
            *(EventIsFinished, NameNotUsable, PlayerErased, PlayerRemoved),
            *(guests.NamesThemselves, guests.PlaysElsewhere),
        ),
    )
    def rename(self, request: Request, slug: str, number: int) -> Response:
        """Correct the name and pronouns of a guest in all their events."""
        entry, data = self.row(), validated_body(NameBody, request)
        guests.rename_guest(entry, self.actor, data["name"], data.get("pronouns"))
        return self.answer_with_row()

    @endpoint(
        "registrations_claim_link",
        "Make a personal link",
        NewClaimLinkSerializer,
        permission=event_permissions.can_run,
        shown_once=("claim_link",),
        refusals=(PlayerErased, PlayerHasAccount, guests.PlaysElsewhere),
    )
    def make_claim_link(self, request: Request, slug: str, number: int) -> Response:
        """Make a personal link for a guest. It is shown once and replaces the previous link."""
        secret = guests.issue_claim_link(self.row(), self.actor)
        return Response({"claim_link": claim_url(request, secret)})

    @endpoint(
        "registrations_claim_links",
        "Make personal links for all",
        ClaimLinksSerializer,
        body=ClaimLinksBody,
        permission=event_permissions.can_run,
        shown_once=("links",),
    )
    def make_claim_links(self, request: Request, slug: str) -> Response:
        """Make a personal link for every guest without one, by name. Links are shown once."""
        data = validated_body(ClaimLinksBody, request)
        issued = guests.issue_claim_links(
            self.tournament, self.actor, replace_valid=data.get("anew", False)
        )
        links = [
            {"registration": link.registration, "claim_link": claim_url(request, link.secret)}
            for link in issued
        ]
        return Response(ClaimLinksSerializer({"links": links}).data)


# Joining by code, by the event's address or by personal link; the public roster.


WRONG_CODE = "No event has this code."
JOIN_REFUSALS = (EventIsFinished, RegistrationClosed, player_services.AccountHasPlayer)


class JoinViewSet(SiteViewSet):
    """Joining with a join code or a personal link."""

    tag = "registrations"

    @endpoint(
        "join",
        "Join by code",
        JoinedSerializer,
        body=JoinCodeBody,
        status=(200, 201),
        permission=no_permission_needed,
        shown_once=("claim_link",),
        refusals=JOIN_REFUSALS,
    )
    def join(self, request: Request) -> Response:
        """Join the event of a join code. A new player gives a name.

        A new player without an account is a guest of this session, identified by its cookie. The
        answer has a personal link for other devices. A player who had already joined gets a 200.
        """
        data = validated_body(JoinCodeBody, request)
        return join_or_find(
            request, _event_of_code(request, self.actor, data["code"]), self.actor, data
        )

    @endpoint(
        "claims_use",
        "Use a personal link",
        ProfileSerializer,
        body=ClaimBody,
        permission=no_permission_needed,
        refusals=(
            player_services.ClaimUnknown,
            player_services.ClaimExpired,
            player_services.AccountHasPlayer,
            player_services.PlayerErased,
            player_services.PlayerHasAccount,
        ),
    )
    def claim(self, request: Request) -> Response:
        """Become the player of a personal link, with an account permanently."""
        digest = secret_links.digest(validated_body(ClaimBody, request)["secret"])
        with slow_down_wrong_secrets(request, "claim", player_services.ClaimRefused):
            player = _use_claim_link(request, digest, self.actor.user)
        return Response(ProfileSerializer(profile_of(self.actor.user, player)).data)


class PlayerViewSet(EventViewSet):
    """The public roster, and joining it."""

    tag = "registrations"

    @endpoint("events_players", "Players", PlayerSerializer(many=True), shared=True)
    def list(self, request: Request, slug: str) -> Response:
        """Players on the roster by number, without the waiting list."""
        players = (
            self.tournament.registrations.not_waiting().select_related("player").order_by("number")
        )
        return self.list_response(players, PlayerSerializer)

    @endpoint(
        "events_join",
        "Join as yourself",
        JoinedSerializer,
        body=JoinBody,
        status=(200, 201),
        permission=is_known_person,
        refusals=JOIN_REFUSALS,
    )
    def join(self, request: Request, slug: str) -> Response:
        """Join with your account. An account that has never played gives a name."""
        return join_or_find(request, self.tournament, self.actor, validated_body(JoinBody, request))


def _event_of_code(request: Request, actor: Actor, code: str) -> Tournament:
    typed = normal_join_code(code)
    if wait := rate_limits.wait_before_code(request, actor.counted, typed):
        raise Throttled(wait)
    tournament = Tournament.objects.by_join_code(code)
    if tournament is None:
        raise _wrong_code(request, actor)
    can_join = tournament.can_join(actor.player)
    # Do not reveal private events that nobody can join.
    if not (can_join or visibility.can_see(actor, tournament)):
        raise _wrong_code(request, actor)
    rate_limits.record_right_code(request, typed)
    return tournament


def _wrong_code(request: Request, actor: Actor) -> NotFound:
    rate_limits.record_wrong_code(request, actor.counted)
    return NotFound(WRONG_CODE)


def join_or_find(
    request: Request, tournament: Tournament, actor: Actor, data: dict[str, Any]
) -> Response:
    registration = tournament.registration_of(actor.player)
    status = 200 if registration else 201
    link, address = None, counted_address(request)
    if registration is None and actor.player is not None:
        registration = services.register_player(tournament, actor.player, actor, address=address)
    elif registration is None:
        form = validated_form(
            JoinForm({**data, "is_another": data.get("is_another", False)}, tournament=tournament)
        )
        registration = services.register_guest(
            tournament, user=actor.user, address=address, **form.cleaned_data
        )
        if actor.user is None:
            link = guests.start_session(request, registration)
    registration.tournament = tournament
    waits = registration.state == RegistrationState.WAITING
    answer = {
        "event": tournament.slug,
        "player": registration,
        "waiting_place": registration.waiting_position() if waits else None,
        "claim_link": link,
    }
    return Response(JoinedSerializer(answer).data, status=status)


def _use_claim_link(request: Request, digest: str, user: User | None) -> Player:
    if user is None:
        player = player_services.use_claim(digest)
        bind_guest(request, player)
        return player
    player = player_services.claim_for_account(digest, user)
    renew_session(request)
    return player
