"""A player: here, gone, back, filmed or not, how news reaches them, and who they are."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from core import web_push
from core.api_bodies import given
from core.api_writes import WriteView
from core.openapi import operation
from players import services as player_services
from players.models import User
from tournaments.desk.pages.my_day import my_day
from tournaments.desk.serializers import MeSerializer, ProfileBody, WishesBody
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.integrations.serializers import NewsWishesSerializer, PhoneBody, WantedBody
from tournaments.integrations.services import announcing
from tournaments.models import Registration
from tournaments.registration.serializers import ProfileSerializer
from tournaments.registration.services import registrations, rosters
from tournaments.web.api.access import Actions, OneView, PrivateView, actor_of
from tournaments.web.api.authentication import found_with
from tournaments.web.serializers import EventSerializer


class _Mine(OneView):
    def me(self) -> Response:
        """The asking player's place as it is now."""
        place = self.own_place()
        day = my_day(place)
        return Response(MeSerializer(place, context={"day": day}).data)


class Me(_Mine):
    @operation("me_read", "My day", MeSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Where the asking player sits, what is to do, how they stand."""
        return self.me()


class MyPlace(Actions, _Mine):
    """Here, gone, back, and filmed or not."""

    abilities = {"check_in": None, "drop": None, "return_": None, "wish": None}

    @operation("me_check_in", "I am here", MeSerializer)
    def check_in(self, request: Request, slug: str) -> Response:
        """The player says "I am here", on the day of the event until round 1 is paired."""
        place = self.own_place()
        registrations.check_in_self(place, self.actor)
        return self.me()

    @operation("me_drop", "I leave", MeSerializer)
    def drop(self, request: Request, slug: str) -> Response:
        """The player leaves from the next round on; the results stay."""
        place = self.own_place()
        registrations.drop(place, self.actor)
        return self.me()

    @operation("me_return", "I am back", MeSerializer)
    def return_(self, request: Request, slug: str) -> Response:
        """The player takes the leaving back, until a round is published without them."""
        place = self.own_place()
        registrations.return_self(place, self.actor)
        return self.me()

    @operation("me_wishes", "My wishes", MeSerializer, body=WishesBody)
    def wish(self, request: Request, slug: str) -> Response:
        """The player does not want to be filmed, or does not mind."""
        place = self.own_place()
        avoids = given(WishesBody, request)["avoids_stream"]
        rosters.set_avoids_stream(place, self.actor, avoids=avoids)
        return self.me()


class _News(OneView):
    def news(self, place: Registration) -> Response:
        """How the player hears of the next round."""
        why_no_push = announcing.why_no_push(place)
        answer = {
            "wishes_mail": announcing.wishes_mail(place),
            "why_no_mail": announcing.why_no_mail(place),
            "phones": announcing.phone_marks(place),
            "why_no_push": why_no_push,
            "push_key": "" if why_no_push else web_push.public_key(settings.PUSH_KEY),
        }
        return Response(NewsWishesSerializer(answer).data)


class MyNews(_News):
    @operation("news_mine", "My news", NewsWishesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """How the asking player hears of the next round, and what stands in the way."""
        return self.news(self.own_place())


class NewsActions(Actions, _News):
    """News by mail or to a phone, or no more of it."""

    abilities = {"set_mail": None, "set_phone": None}

    @operation("news_mail", "Mails to me", NewsWishesSerializer, body=WantedBody)
    def set_mail(self, request: Request, slug: str) -> Response:
        """Switch the mails of this player on or off."""
        place = self.own_place()
        announcing.wish_mail(place, wanted=given(WantedBody, request)["wanted"])
        return self.news(place)

    @operation("news_phone", "Messages to my phone", NewsWishesSerializer, body=PhoneBody)
    def set_phone(self, request: Request, slug: str) -> Response:
        """Tell this phone of the player, or stop."""
        place = self.own_place()
        asked = {"endpoint": "", "p256dh": "", "auth": "", **given(PhoneBody, request)}
        if asked.pop("wanted"):
            announcing.add_phone(place, **asked)
        else:
            announcing.remove_phone(place, asked["endpoint"])
        return self.news(place)


class MyEvents(PrivateView):
    @operation("me_events", "My events", EventSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Events where the asking person plays or has a role, the latest first."""
        actor = somebody(self, request)
        events = queries.events_of(actor.user, actor.player)
        page = self.paginate_queryset(found_with(request.auth, events))
        body = EventSerializer(page, many=True, context=self.get_serializer_context())
        return self.get_paginated_response(body.data)


class Profile(PrivateView):
    pagination_class = None

    @operation("me_profile", "Who I am", ProfileSerializer)
    def get(self, request: Request) -> Response:
        """The account, and the name and pronouns it plays under."""
        return _profile(somebody(self, request))

    @operation("me_rename", "Change my name", ProfileSerializer, body=ProfileBody)
    def patch(self, request: Request) -> Response:
        """Change name or pronouns; an account that never played gets its player."""
        actor = somebody(self, request)
        asked = given(ProfileBody, request)
        player = actor.player
        if player is not None:
            player_services.rename(player, asked.get("name", player.name), asked.get("pronouns"))
        elif actor.user is not None:
            name = asked.get("name", actor.user.username)
            player = player_services.create_player(name, asked.get("pronouns", ""), user=actor.user)
        return _profile(Actor(user=actor.user, player=player))


def somebody(view: WriteView, request: Request) -> Actor:
    """Whoever asks: an account, or a guest. Raises NotAuthenticated."""
    actor = actor_of(request)
    if actor == Actor():
        view.refuse(request)
    return actor


def _profile(actor: Actor) -> Response:
    user, player = actor.user, actor.player
    profile = {
        "username": user.username if isinstance(user, User) else None,
        "name": player.name if player else None,
        "pronouns": player.pronouns if player else "",
    }
    return Response(ProfileSerializer(profile).data)
