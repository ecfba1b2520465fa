"""The user's own part in an event, and their account, in the API."""

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_requests import validated_body
from core.api_viewsets import endpoint
from players import services as player_services
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import Tournament
from tournaments.my_event.pages import my_page_context
from tournaments.my_event.serializers import MeSerializer, ProfileBody
from tournaments.registration import services as registration_services
from tournaments.registration.api import CHECK_IN_REFUSALS
from tournaments.registration.serializers import ProfileSerializer, profile_of
from tournaments.web.authentication import filter_by_token
from tournaments.web.serializers import EventSerializer
from tournaments.web.viewsets import EventViewSet, SiteViewSet, is_known_person


class MeViewSet(EventViewSet):
    """The user's own registration."""

    tag = "me"

    @endpoint("me_read", "My event", MeSerializer, permission=is_known_person)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Your table, next step and standing in the event."""
        return self._me()

    @endpoint(
        "me_check_in",
        "Check in",
        MeSerializer,
        permission=is_known_person,
        refusals=(*CHECK_IN_REFUSALS, registration_services.CheckInClosed, PlayerRemoved),
    )
    def check_in(self, request: Request, slug: str) -> Response:
        """Check yourself in, on the day of the event until round 1 is paired."""
        registration_services.check_in_self(self.own_registration(), self.actor)
        return self._me()

    @endpoint(
        "me_drop", "Drop", MeSerializer, permission=is_known_person, refusals=(EventIsFinished,)
    )
    def drop(self, request: Request, slug: str) -> Response:
        """Drop from the event from the next round on. Your results remain."""
        registration_services.drop_player(self.own_registration(), self.actor)
        return self._me()

    @endpoint(
        "me_return",
        "Return after a drop",
        MeSerializer,
        permission=is_known_person,
        refusals=(
            EventIsFinished,
            PlayerRemoved,
            registration_services.CannotReturn,
            registration_services.EventIsFull,
            registration_services.OrderIsFixed,
        ),
    )
    def return_(self, request: Request, slug: str) -> Response:
        """Undo your drop, until a round is published without you."""
        registration_services.return_self(self.own_registration(), self.actor)
        return self._me()

    def _me(self) -> Response:
        place = self.own_registration()
        return Response(MeSerializer(place, context={"day": my_page_context(place)}).data)


class AccountViewSet(SiteViewSet):
    """The user, account or guest, and their events."""

    tag = "me"

    @endpoint("me_events", "My events", EventSerializer(many=True), permission=is_known_person)
    def events(self, request: Request) -> Response:
        """Events in which you play or have a role, latest first."""
        events = Tournament.objects.of_person(self.actor.user, self.actor.player)
        return self.list_response(filter_by_token(request.auth, events), EventSerializer)

    @endpoint("me_profile", "My account", ProfileSerializer, permission=is_known_person)
    def retrieve(self, request: Request) -> Response:
        """Your account, with the name and pronouns you play under."""
        return Response(ProfileSerializer(profile_of(self.actor.user, self.actor.player)).data)

    @endpoint(
        "me_rename",
        "Change my name",
        ProfileSerializer,
        body=ProfileBody,
        permission=is_known_person,
        refusals=(
            player_services.NameNotUsable,
            player_services.PlayerErased,
            player_services.AccountHasPlayer,
        ),
    )
    def partial_update(self, request: Request) -> Response:
        """Change your name or pronouns. An account that has never played becomes a player."""
        body, user, player = (
            validated_body(ProfileBody, request),
            self.actor.user,
            self.actor.player,
        )
        if player is not None:
            player_services.rename_player(
                player, body.get("name", player.name), body.get("pronouns")
            )
        elif user is not None:
            name = body.get("name", user.username)
            player = player_services.create_player(name, body.get("pronouns", ""), user=user)
        return Response(ProfileSerializer(profile_of(user, player)).data)
