"""A player across events, what others see of it, and two records made one."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.decorators import method_decorator
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core import secret_links
from core.api_bodies import given
from core.api_errors import found_or_404, not_found
from core.api_viewsets import anyone, endpoint
from core.rate_limits import rate_limited
from decks.games import GAMES
from players import services as player_services
from players.models import Player
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import PlayerMerge, Tournament
from tournaments.people import pages, queries, services
from tournaments.people.serializers import (
    OpponentSerializer,
    PersonEventSerializer,
    PersonSerializer,
    PlayerMergeBody,
    PlayerMergeSerializer,
    PrivacyBody,
    PrivacySerializer,
    RecordBody,
)
from tournaments.statistics.pages.players import records_of_player
from tournaments.web.api.viewsets import SiteViewSet, somebody, with_account


class PrivacyViewSet(SiteViewSet):
    """What others see of the asking player beyond one event."""

    @endpoint("me_privacy", "My privacy", PrivacySerializer, who=somebody)
    def retrieve(self, request: Request) -> Response:
        """The shown name, and what is hidden; 404 for an account that never played."""
        self.refuse_bound_token(request)
        return Response(PrivacySerializer(self._player()).data)

    @endpoint(
        "me_privacy_change",
        "Change my privacy",
        PrivacySerializer,
        body=PrivacyBody,
        who=somebody,
        refusals=(player_services.NameNotUsable, player_services.PlayerErased),
    )
    def partial_update(self, request: Request) -> Response:
        """Change what is given; an empty `shown_name` means the name itself."""
        player, asked = self._player(), given(PrivacyBody, request)
        kept = {field: getattr(player, field) for field in player_services.PRIVACY}
        player_services.set_privacy(player, **{**kept, **asked})
        return Response(PrivacySerializer(player).data)

    def _player(self) -> Player:
        if self.actor.player is None:
            raise Http404("You are not a player yet.")
        return self.actor.player


class PersonViewSet(SiteViewSet):
    """A player across the events the asking person may know of."""

    def cache_control(self) -> dict[str, bool]:
        return {"private": True}

    @endpoint("person_read", "A player across events", PersonSerializer, who=anyone)
    @method_decorator(rate_limited("search"))
    def retrieve(self, request: Request, pk: int) -> Response:
        """Wins by side, identity and faction, match-ups, ends and cuts. 404 where there is nothing
        the asking person may know of, and for who hides their history."""
        player, events, own = self._found(pk)
        games = records_of_player(player, events, own=own)
        return Response(PersonSerializer({"player": player, "games": games}).data)

    @endpoint("person_events", "Events of a player", PersonEventSerializer(many=True), who=anyone)
    @method_decorator(rate_limited("search"))
    def events(self, request: Request, pk: int) -> Response:
        """Place, record, points and decks that may be seen, the latest event first."""
        player, events, own = self._found(pk)
        page = self.paginate_queryset(events.values_list("pk", flat=True)) or []
        lines = pages.event_lines(player, page, own=own)
        return self.get_paginated_response(PersonEventSerializer(lines, many=True).data)

    @endpoint(
        "person_opponents",
        "Opponents of a player",
        OpponentSerializer(many=True),
        who=anyone,
        parameters=[OpenApiParameter("q", description="Letters of the name.")],
    )
    @method_decorator(rate_limited("search"))
    def opponents(self, request: Request, pk: int, game: str) -> Response:
        """Whom the player met in a game, most often first; who is not named in one line."""
        if game not in GAMES:
            raise not_found("Game", game)
        player, events, _ = self._found(pk)
        wanted = request.query_params.get("q", "")
        return self.listed(pages.opponents_of(player, events, game, wanted), OpponentSerializer)

    def _found(self, pk: int) -> tuple[Player, QuerySet[Tournament], bool]:
        """The player, the events that the asking person may know of, and whether it is them."""
        # A token of one event sees what strangers see of the others.
        actor = NOBODY if self.actor.token_event is not None else self.actor
        found = queries.player_with_events(actor, pk)
        if found is None:
            raise not_found("Player", pk)
        player, events = found
        return player, events, queries.is_self(actor, player)


def administers(actor: Actor, *_: Any) -> bool:
    """Who administers the site."""
    return services.can_merge_any(actor)


class MergeViewSet(SiteViewSet):
    """Records of players made one, by who administers the site."""

    @endpoint("merges_list", "Merged players", PlayerMergeSerializer(many=True), who=administers)
    def list(self, request: Request) -> Response:
        """All merges, the newest first."""
        self.refuse_bound_token(request)
        return self.listed(queries.merges(), PlayerMergeSerializer)

    @endpoint(
        "merges_create",
        "Merge two players",
        PlayerMergeSerializer,
        body=PlayerMergeBody,
        who=administers,
        status=201,
        refusals=(services.CannotMergePlayers,),
    )
    def create(self, request: Request) -> Response:
        """Everything of `merged` becomes part of `kept`, at every event."""
        asked = given(PlayerMergeBody, request)
        made = services.merge(
            self._player("kept", asked["kept"]),
            self._player("merged", asked["merged"]),
            self.actor,
            asked["reason"],
        )
        return Response(PlayerMergeSerializer(made).data, status=201)

    @endpoint(
        "merges_undo",
        "Undo a merge",
        PlayerMergeSerializer,
        who=with_account,
        refusals=(services.CannotUndoMerge,),
    )
    def undo(self, request: Request, pk: int) -> Response:
        """Give the merged record back what it had; the player's own, or any by administrators."""
        made = found_or_404(queries.merges(), "Merge", pk=pk)
        if not services.can_undo(self.actor, made):
            raise not_found("Merge", pk)
        services.undo(made, self.actor)
        return Response(PlayerMergeSerializer(queries.merges().get(pk=pk)).data)

    def _player(self, field: str, pk: int) -> Player:
        player = Player.objects.filter(pk=pk).first()
        if player is None:
            raise ValidationError({field: ["No player has this number."]})
        return player


class MyRecordsViewSet(SiteViewSet):
    """What the asking account played as a guest."""

    @endpoint("me_records", "My merged records", PlayerMergeSerializer(many=True), who=with_account)
    def list(self, request: Request) -> Response:
        """The records that are part of the account's own now."""
        self.refuse_bound_token(request)
        player = self.actor.player
        merges = queries.merges_into(player) if player else PlayerMerge.objects.none()
        return self.listed(merges, PlayerMergeSerializer)

    @endpoint(
        "me_records_add",
        "Add what I played as a guest",
        PrivacySerializer,
        body=RecordBody,
        who=with_account,
        refusals=(
            services.CannotMergePlayers,
            player_services.ClaimRefused,
            player_services.PlayerHasAccount,
            player_services.PlayerErased,
        ),
    )
    def create(self, request: Request) -> Response:
        """Use up a guest's personal link: everything of the guest becomes part of my record."""
        digest = secret_links.digest(given(RecordBody, request)["secret"])
        player = services.add_claimed(digest, self.account(), self.actor)
        return Response(PrivacySerializer(player).data)
