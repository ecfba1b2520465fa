"""Cards and formats as the API shows them: bare facts, no card text."""

from typing import Any

from rest_framework import serializers
from rest_framework.reverse import reverse

from decks.models import Card, CardPool, Format, Printing, Restriction, Snapshot


class CardNameSerializer(serializers.ModelSerializer[Card]):
    """A card as other answers name it."""

    class Meta:
        model = Card
        fields = ["game", "slug", "title"]


class PrintingSerializer(serializers.ModelSerializer[Printing]):
    """A card in a set; `quantity` is how many copies a box of the set holds."""

    set = serializers.CharField(source="card_set.set_id")
    set_name = serializers.CharField(source="card_set.name")
    released_on = serializers.DateField(source="card_set.released_on", allow_null=True)

    class Meta:
        model = Printing
        fields = ["code", "set", "set_name", "released_on", "position", "quantity"]


class CardAddressField(serializers.HyperlinkedIdentityField):
    """The address of a card, of which the game is a part."""

    def get_url(self, obj: Any, view_name: str, request: Any, format: Any) -> str:  # noqa: A002
        address = {"game": obj.game, "slug": obj.slug}
        return reverse(view_name, kwargs=address, request=request, format=format)


class CardSerializer(serializers.ModelSerializer[Card]):
    """The facts of one card. Numbers are null where they do not apply to its type.

    An identity with `influence_limit` null has no limit; a card with `deck_limit` null may be
    in a deck as often as one likes.
    """

    set = serializers.CharField(source="set_name", help_text="The set of its latest printing.")
    aliases: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="alias",
        many=True,
        read_only=True,
        help_text="Other spellings under which it is found.",
    )
    printings = PrintingSerializer(many=True, read_only=True, help_text="The earliest first.")
    url = CardAddressField(view_name="api:game_card")

    class Meta:
        model = Card
        fields = [
            "game",
            "slug",
            "card_id",
            "title",
            "aliases",
            "side",
            "faction",
            "type",
            "subtypes",
            "is_unique",
            "set",
            "rarity",
            "difficulty",
            "agenda_points",
            "cost",
            "strength",
            "memory",
            "trash_cost",
            "influence_cost",
            "influence_limit",
            "minimum_deck_size",
            "deck_limit",
            "printings",
            "url",
        ]


class PoolSerializer(serializers.ModelSerializer[CardPool]):
    """The sets of a format at a time, by their ids."""

    id = serializers.CharField(source="pool_id")
    sets: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="set_id", many=True, read_only=True
    )

    class Meta:
        model = CardPool
        fields = ["id", "name", "sets"]


class RestrictionNameSerializer(serializers.ModelSerializer[Restriction]):
    """A ban list by its name."""

    id = serializers.CharField(source="restriction_id")

    class Meta:
        model = Restriction
        fields = ["id", "name", "effective_from"]


class SnapshotSerializer(serializers.ModelSerializer[Snapshot]):
    """What a format allowed from a day on; `list` is null where nothing was banned."""

    id = serializers.CharField(source="snapshot_id")
    pool = PoolSerializer(read_only=True)
    list = RestrictionNameSerializer(source="restriction", read_only=True, allow_null=True)

    class Meta:
        model = Snapshot
        fields = ["id", "effective_from", "pool", "list"]


class FormatSerializer(serializers.ModelSerializer[Format]):
    """A format with its snapshots, the earliest first."""

    id = serializers.CharField(source="format_id")
    snapshots = SnapshotSerializer(many=True, read_only=True)

    class Meta:
        model = Format
        fields = ["game", "id", "name", "snapshots"]
