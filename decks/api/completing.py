"""Titles of cards that go on from what was typed."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import asked
from core.api_views import ReadView
from core.openapi import operation
from decks import games, services
from decks.models import Side

LONGEST_TYPED = 200


class CompletionAsked(serializers.Serializer[Any]):
    """What was typed, and of which game and side."""

    q = serializers.CharField(max_length=LONGEST_TYPED, required=False, allow_blank=True)
    game = serializers.ChoiceField(
        [game.id for game in games.with_decks()], required=False, default=games.DEFAULT.id
    )
    side = serializers.ChoiceField(Side.values, required=False)


class CompletionSerializer(serializers.Serializer[Any]):
    """A card to choose; `faction` is a name, `url` the page of the card."""

    title = serializers.CharField()
    side = serializers.CharField()
    type = serializers.CharField()
    faction = serializers.CharField()
    url = serializers.CharField()


class CardCompletion(ReadView):
    """At most ten cards to choose from, the best first."""

    serializer_class = CompletionSerializer
    pagination_class = None
    own_parameters = ("q", "game", "side")

    @operation(
        "cards_complete",
        "Complete the title of a card",
        CompletionSerializer(many=True),
        parameters=[CompletionAsked],
    )
    def get(self, request: Request) -> Response:
        """As the fields for cards on pages do."""
        sought = asked(CompletionAsked, request)
        typed, side = sought.get("q", ""), sought.get("side", "")
        found = services.completions(sought["game"], typed, side=side)
        return Response(CompletionSerializer(found, many=True).data)
