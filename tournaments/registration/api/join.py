"""Into an event: by its code, by its address, by a personal link; and who plays there."""

from typing import Any

from rest_framework.exceptions import NotFound, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from core import rate_limits, secret_links
from core.api_bodies import given, valid
from core.api_viewsets import anyone, endpoint
from core.client_addresses import counted_address
from players import services as player_services
from players.models import Player, User
from players.sessions import GUEST_KEY
from tournaments.event import queries, visibility
from tournaments.event.actors import Actor
from tournaments.event.history import EventIsFinished
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.models.codes import normal_join_code
from tournaments.registration.forms import JoinForm
from tournaments.registration.pages import claim_address
from tournaments.registration.serializers.join import (
    ClaimBody,
    JoinBody,
    JoinCodeBody,
    JoinedSerializer,
    ProfileSerializer,
    profile_of,
)
from tournaments.registration.services import profiles, registrations
from tournaments.rounds.services.late_entries import RegistrationClosed
from tournaments.web.api.access import renew_session, secret_tried
from tournaments.web.api.viewsets import EventViewSet, SiteViewSet, somebody
from tournaments.web.serializers import PlayerSerializer

WRONG_CODE = "No event has this code."
NOT_JOINED = (EventIsFinished, RegistrationClosed, player_services.AccountHasPlayer)


class JoinViewSet(SiteViewSet):
    """The way in for whoever has a code or a personal link."""

    @endpoint(
        "join",
        "Join by a code",
        JoinedSerializer,
        body=JoinCodeBody,
        status=(200, 201),
        who=anyone,
        shown_once=("claim_link",),
        refusals=NOT_JOINED,
    )
    def join(self, request: Request) -> Response:
        """Join the event of a code: a known player as that, somebody new by name.

        Without an account a new player is a guest of this session (its cookie comes with the
        answer), with a personal link for other devices. Who is on the list already is answered
        200.
        """
        asked = given(JoinCodeBody, request)
        return joined(request, _event_of(request, self.actor, asked["code"]), self.actor, asked)

    @endpoint(
        "claims_use",
        "Use a personal link",
        ProfileSerializer,
        body=ClaimBody,
        who=anyone,
        refusals=(
            player_services.ClaimUnknown,
            player_services.ClaimExpired,
            player_services.AccountHasPlayer,
            player_services.PlayerErased,
            player_services.PlayerHasAccount,
        ),
    )
    def claim(self, request: Request) -> Response:
        """Be the player of a personal link: an account for good, else this session."""
        digest = secret_links.digest(given(ClaimBody, request)["secret"])
        with secret_tried(request, "claim", player_services.ClaimRefused):
            player = _claimed(request, digest, self.actor.user)
        return Response(ProfileSerializer(profile_of(self.actor.user, player)).data)


class PlayerViewSet(EventViewSet):
    """Who plays, for everybody; and one more."""

    @endpoint("events_players", "Players", PlayerSerializer(many=True), shared=True)
    def list(self, request: Request, slug: str) -> Response:
        """Everybody on the roster, by their number in the event; not who waits for a place."""
        players = queries.players(self.tournament).select_related("player").order_by("number")
        return self.listed(players, PlayerSerializer)

    @endpoint(
        "events_join",
        "Join as yourself",
        JoinedSerializer,
        body=JoinBody,
        status=(200, 201),
        who=somebody,
        refusals=NOT_JOINED,
    )
    def join(self, request: Request, slug: str) -> Response:
        """The asking player joins; an account that never played says a name."""
        return joined(request, self.tournament, self.actor, given(JoinBody, request))


def _event_of(request: Request, actor: Actor, code: str) -> Tournament:
    typed = normal_join_code(code)
    if wait := rate_limits.wait_before_code(request, actor.counted, typed):
        raise Throttled(wait)
    tournament = queries.by_join_code(code)
    if tournament is None:
        raise _wrong_code(request, actor)
    can_join = queries.can_join_now(tournament, actor.player)
    # To a stranger a private event that takes nobody looks like no event.
    if not (can_join or visibility.can_see(actor, tournament)):
        raise _wrong_code(request, actor)
    rate_limits.code_was_right(request, typed)
    return tournament


def _wrong_code(request: Request, actor: Actor) -> NotFound:
    rate_limits.code_was_wrong(request, actor.counted)
    return NotFound(WRONG_CODE)


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
    place = registrations.register_guest(
        tournament, user=actor.user, address=address, **form.cleaned_data
    )
    link = _welcomed(request, place) if actor.user is None else None
    return _answer(tournament, place, 201, link)


def _welcomed(request: Request, place: Registration) -> str:
    """Bind the guest to this session; the link for other devices."""
    player = place.player
    secret = profiles.issue_claim(place, Actor(player=player))
    player.refresh_from_db(fields=["claim_generation"])
    _bind(request, player)
    return claim_address(request, secret)


def _bind(request: Request, guest: Player) -> None:
    request.session[GUEST_KEY] = [guest.pk, guest.claim_generation]
    renew_session(request)


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


def _claimed(request: Request, digest: str, user: User | None) -> Player:
    if user is None:
        player = player_services.claim(digest)
        _bind(request, player)
        return player
    player = player_services.claim_for_account(digest, user)
    renew_session(request)
    return player
