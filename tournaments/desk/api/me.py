"""The asking player at an event, and who they are."""

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import anyone, endpoint
from players import services as player_services
from tournaments.desk.pages.my_day import my_day
from tournaments.desk.serializers import MeSerializer, ProfileBody
from tournaments.event import queries
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.registration.api.roster import NOT_IN
from tournaments.registration.serializers.join import ProfileSerializer, profile_of
from tournaments.registration.services import registrations
from tournaments.web.api.authentication import found_with
from tournaments.web.api.viewsets import EventViewSet, SiteViewSet, somebody
from tournaments.web.serializers import EventSerializer


class MeViewSet(EventViewSet):
    """The asking player's own place: checked in, dropped or back."""

    @endpoint("me_read", "My day", MeSerializer, who=anyone)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Where the asking player sits, what is to do, how they stand."""
        return self._me()

    @endpoint(
        "me_check_in",
        "I am here",
        MeSerializer,
        who=anyone,
        refusals=(*NOT_IN, registrations.CheckInClosed, PlayerRemoved),
    )
    def check_in(self, request: Request, slug: str) -> Response:
        """The player says "I am here", on the day of the event until round 1 is paired."""
        registrations.check_in_self(self.own_place(), self.actor)
        return self._me()

    @endpoint("me_drop", "I leave", MeSerializer, who=anyone, refusals=(EventIsFinished,))
    def drop(self, request: Request, slug: str) -> Response:
        """The player leaves from the next round on; the results stay."""
        registrations.drop(self.own_place(), self.actor)
        return self._me()

    @endpoint(
        "me_return",
        "I am back",
        MeSerializer,
        who=anyone,
        refusals=(
            EventIsFinished,
            PlayerRemoved,
            registrations.CannotReturn,
            registrations.EventIsFull,
            registrations.OrderIsFixed,
        ),
    )
    def return_(self, request: Request, slug: str) -> Response:
        """The player takes the leaving back, until a round is published without them."""
        registrations.return_self(self.own_place(), self.actor)
        return self._me()

    def _me(self) -> Response:
        """The asking player's place as it is now."""
        place = self.own_place()
        return Response(MeSerializer(place, context={"day": my_day(place)}).data)


class AccountViewSet(SiteViewSet):
    """Who is asking, account or guest, and their events."""

    @endpoint("me_events", "My events", EventSerializer(many=True), who=somebody)
    def events(self, request: Request) -> Response:
        """Events where the asking person plays or has a role, the latest first."""
        events = queries.events_of(self.actor.user, self.actor.player)
        return self.listed(found_with(request.auth, events), EventSerializer)

    @endpoint("me_profile", "Who I am", ProfileSerializer, who=somebody)
    def retrieve(self, request: Request) -> Response:
        """The account, and the name and pronouns it plays under."""
        return Response(ProfileSerializer(profile_of(self.actor.user, self.actor.player)).data)

    @endpoint(
        "me_rename",
        "Change my name",
        ProfileSerializer,
        body=ProfileBody,
        who=somebody,
        refusals=(
            player_services.NameNotUsable,
            player_services.PlayerErased,
            player_services.AccountHasPlayer,
        ),
    )
    def partial_update(self, request: Request) -> Response:
        """Change name or pronouns; an account that never played gets its player."""
        asked, user, player = given(ProfileBody, request), self.actor.user, self.actor.player
        if player is not None:
            player_services.rename(player, asked.get("name", player.name), asked.get("pronouns"))
        elif user is not None:
            name = asked.get("name", user.username)
            player = player_services.create_player(name, asked.get("pronouns", ""), user=user)
        return Response(ProfileSerializer(profile_of(user, player)).data)
