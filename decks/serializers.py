"""Cards as the API tells them: bare facts, no card text."""

from typing import Any

from rest_framework import serializers

from decks.models import Card


class CardNameSerializer(serializers.ModelSerializer[Card]):
    """A card as other answers name it."""

    class Meta:
        model = Card
        fields = ["game", "slug", "title"]


class CardSerializer(serializers.ModelSerializer[Card]):
    """The facts of one card. Numbers are null where they do not apply to its type."""

    set = serializers.CharField(source="set_name")
    aliases: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="alias",
        many=True,
        read_only=True,
        help_text="Other spellings under which it is found.",
    )
    url = serializers.HyperlinkedIdentityField(view_name="api:card", lookup_field="slug")

    class Meta:
        model = Card
        fields = [
            "game",
            "slug",
            "title",
            "aliases",
            "side",
            "type",
            "subtypes",
            "set",
            "rarity",
            "difficulty",
            "agenda_points",
            "cost",
            "strength",
            "memory",
            "trash_cost",
            "url",
        ]
