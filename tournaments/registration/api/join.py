"""Into an event: by its code, by its address, by a personal link."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, NotFound, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from core import rate_limits, secret_links
from core.api_bodies import given, valid
from core.api_writes import WriteView
from core.client_addresses import counted_address
from core.openapi import operation
from players import services as player_services
from players.models import Player, User
from players.queries import SESSION_KEY
from tournaments.event import queries, visibility
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.registration.forms import JoinForm
from tournaments.registration.serializers import (
    ClaimBody,
    JoinBody,
    JoinCodeBody,
    JoinedSerializer,
    ProfileSerializer,
)
from tournaments.registration.services import profiles, registrations
from tournaments.web.api import access
from tournaments.web.api.access import OneView, actor_of

WRONG_CODE = "No event has this code."


class JoinByCode(WriteView):
    """The way in for whoever has the code."""

    pagination_class = None
    shown_once = ("claim_link",)

    @extend_schema(
        operation_id="join",
        summary="Join by a code",
        request=JoinCodeBody,
        responses={200: JoinedSerializer, 201: JoinedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Join the event of a code: a known player as that, somebody new by name.

        Without an account a new player is a guest of this session (its cookie comes with the
        answer), with a personal link for other devices. Who is on the list already is answered
        200.
        """
        asked = given(JoinCodeBody, request)
        actor = actor_of(request)
        return joined(request, _event_of(request, actor, asked["code"]), actor, asked)


class JoinEvent(OneView):
    """The way in for an account."""

    abilities = {"POST": None}

    @extend_schema(
        operation_id="events_join",
        summary="Join as yourself",
        request=JoinBody,
        responses={200: JoinedSerializer, 201: JoinedSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """The asking player joins; an account that never played says a name."""
        if self.actor == NOBODY:
            self.actor = actor_of(request)
        if self.actor == NOBODY:
            self.refuse(request)
        return joined(request, self.tournament, self.actor, given(JoinBody, request))


def _event_of(request: Request, actor: Actor, code: str) -> Tournament:
    tournament = queries.by_join_code(code)
    if tournament is None:
        raise _wrong_code(request)
    is_closed = not queries.can_register_now(tournament)
    # To a stranger a private event that takes nobody looks like no event.
    if is_closed and not visibility.can_see(actor, tournament):
        raise _wrong_code(request)
    return tournament


def _wrong_code(request: Request) -> APIException:
    """What a wrong code is answered; whoever tries many is asked to wait."""
    wait = rate_limits.wait_after_wrong(request)
    return Throttled(wait, WRONG_CODE) if wait else NotFound(WRONG_CODE)


def joined(
    request: Request, tournament: Tournament, actor: Actor, asked: dict[str, Any]
) -> Response:
    """The place of who joins, old or new."""
    present = queries.registration_of(actor.player, tournament)
    if present is not None:
        return _answer(tournament, present, 200)
    address = counted_address(request)
    if actor.player is not None:
        place = registrations.register(tournament, actor.player, actor, address=address)
        return _answer(tournament, place, 201)
    form = valid(
        JoinForm({**asked, "is_another": asked.get("is_another", False)}, tournament=tournament)
    )
    name, pronouns = form.cleaned_data["name"], form.cleaned_data["pronouns"]
    place = registrations.register_guest(
        tournament, name, pronouns, user=actor.user, address=address
    )
    link = _welcomed(request, place) if actor.user is None else None
    return _answer(tournament, place, 201, link)


def _welcomed(request: Request, place: Registration) -> str:
    """Bind the guest to this session; the link for other devices."""
    player = place.player
    secret = profiles.issue_claim(place, Actor(player=player))
    player.refresh_from_db(fields=["claim_generation"])
    _bind(request, player)
    return request.build_absolute_uri(reverse("players:claim", args=[secret]))


def _bind(request: Request, guest: Player) -> None:
    request.session[SESSION_KEY] = [guest.pk, guest.claim_generation]
    access.renew_session(request)


def _answer(
    tournament: Tournament, place: Registration, status: int, link: str | None = None
) -> Response:
    place.tournament = tournament
    waits = place.state == RegistrationState.WAITING
    answer = {
        "event": tournament.slug,
        "player": place,
        "waiting_place": queries.place_on_waiting_list(place) if waits else None,
        "claim_link": link,
    }
    return Response(JoinedSerializer(answer).data, status=status)


class Claim(WriteView):
    pagination_class = None

    @operation("claims_use", "Use a personal link", ProfileSerializer, body=ClaimBody)
    def post(self, request: Request) -> Response:
        """Be the player of a personal link: an account for good, else this session."""
        digest = secret_links.digest(given(ClaimBody, request)["secret"])
        user = request.user if isinstance(request.user, User) else None
        with access.secret_tried(request, "claim", player_services.ClaimRefused):
            player = _claimed(request, digest, user)
        username = user.username if user else None
        profile = {"username": username, "name": player.name, "pronouns": player.pronouns}
        return Response(ProfileSerializer(profile).data)


def _claimed(request: Request, digest: str, user: User | None) -> Player:
    if user is None:
        player = player_services.claim(digest)
        _bind(request, player)
        return player
    player = player_services.claim_for_account(digest, user)
    access.renew_session(request)
    return player
