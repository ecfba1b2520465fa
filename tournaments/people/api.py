"""A player across events, and what others see of it."""

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import endpoint
from players import services as player_services
from players.models import Player
from tournaments.people.serializers import PrivacyBody, PrivacySerializer
from tournaments.web.api.viewsets import SiteViewSet, somebody


class PrivacyViewSet(SiteViewSet):
    """What others see of the asking player beyond one event."""

    @endpoint("me_privacy", "My privacy", PrivacySerializer, who=somebody)
    def retrieve(self, request: Request) -> Response:
        """The shown name, and what is hidden; 404 for an account that never played."""
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
            raise Http404
        return self.actor.player
