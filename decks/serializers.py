"""Serializers of cards, formats and deck checks."""

from typing import Any

from rest_framework import serializers
from rest_framework.reverse import reverse

from decks.formats.plain_text import MAX_BYTES
from decks.games import with_decks
from decks.models import Card, CardPool, Format, Printing, Restriction, Side, Snapshot


class CardNameSerializer(serializers.ModelSerializer[Card]):
    """A reference to a card."""

    class Meta:
        model = Card
        fields = ["game", "slug", "title"]


class PrintingSerializer(serializers.ModelSerializer[Printing]):
    """A card in a set; `quantity` is the number of copies in a box of the set."""

    set = serializers.CharField(source="card_set.set_id")
    set_name = serializers.CharField(source="card_set.name")
    released_on = serializers.DateField(source="card_set.released_on", allow_null=True)

    class Meta:
        model = Printing
        fields = ["code", "set", "set_name", "released_on", "position", "quantity"]


class CardAddressField(serializers.HyperlinkedIdentityField):
    """The URL of a card, which includes the game."""

    def get_url(self, obj: Any, view_name: str, request: Any, format: Any) -> str:  # noqa: A002
        address = {"game": obj.game, "slug": obj.slug}
        return reverse(view_name, kwargs=address, request=request, format=format)


class CardSerializer(serializers.ModelSerializer[Card]):
    """The facts of one card. Numbers are null if they do not apply to its type.

    An identity with `influence_limit` null has no limit; a card with `deck_limit` null may be
    in a deck any number of times.
    """

    set = serializers.CharField(source="set_name", help_text="The set of its latest printing.")
    aliases: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="alias",
        many=True,
        read_only=True,
        help_text="Alternative spellings of the title.",
    )
    printings = PrintingSerializer(many=True, read_only=True, help_text="Earliest first.")
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
    """A card pool: its sets, by id."""

    id = serializers.CharField(source="pool_id")
    sets: serializers.SlugRelatedField[Any] = serializers.SlugRelatedField(
        slug_field="set_id", many=True, read_only=True
    )

    class Meta:
        model = CardPool
        fields = ["id", "name", "sets"]


class RestrictionNameSerializer(serializers.ModelSerializer[Restriction]):
    """A reference to a ban list."""

    id = serializers.CharField(source="restriction_id")

    class Meta:
        model = Restriction
        fields = ["id", "name", "effective_from"]


class SnapshotSerializer(serializers.ModelSerializer[Snapshot]):
    """The card pool and ban list of a format from a date; `list` is null without a ban list."""

    id = serializers.CharField(source="snapshot_id")
    pool = PoolSerializer(read_only=True)
    list = RestrictionNameSerializer(source="restriction", read_only=True, allow_null=True)

    class Meta:
        model = Snapshot
        fields = ["id", "effective_from", "pool", "list"]


class FormatSerializer(serializers.ModelSerializer[Format]):
    """A format with its snapshots, earliest first."""

    id = serializers.CharField(source="format_id")
    snapshots = SnapshotSerializer(many=True, read_only=True)

    class Meta:
        model = Format
        fields = ["game", "id", "name", "snapshots"]


# Deck checks


JUDGED_GAMES = [(game.id, game.name) for game in with_decks()]


class DeckCheckSerializer(serializers.Serializer[Any]):
    """A decklist to check. Unknown fields are refused: they might be misspelled rules."""

    text = serializers.CharField(
        trim_whitespace=False,
        help_text="The list in any supported format: typed, JSON or OCTGN; 32 KB at most.",
    )
    game = serializers.ChoiceField(choices=JUDGED_GAMES)
    side = serializers.ChoiceField(
        choices=Side.choices,
        required=False,
        help_text="By default the side of the identity, or of most cards.",
    )
    date = serializers.DateField(required=False, help_text="The day of the event. Default: today.")
    format = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=40,
        help_text="Only for anr, such as standard. Default: only the basic rules.",
    )
    identity = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Only for anr, if the list names none: title, card id or printing.",
    )
    exact_ratio = serializers.BooleanField(
        required=False, help_text="Only for onr: exactly 2 agenda points in 5 cards."
    )
    ban_list = serializers.BooleanField(
        required=False, help_text="Only for onr: the ban list of the Top Runners' Conference."
    )
    runner_minimum = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=999,
        help_text="Only for onr: minimum deck size. Default: 45.",
    )
    corp_minimum = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=999,
        help_text="Only for onr: minimum deck size. Default: 45.",
    )

    def validate_text(self, text: str) -> str:
        size = len(text.encode())
        if size > MAX_BYTES:
            raise serializers.ValidationError(
                f"The list has {size:,} bytes; at most {MAX_BYTES:,} are allowed."
            )
        return text

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            allowed = f"There is no such field. Allowed are: {', '.join(self.fields)}."
            raise serializers.ValidationError({name: [allowed] for name in unknown})
        return attrs


class BreachSerializer(serializers.Serializer[Any]):
    """A violated rule."""

    code = serializers.CharField(help_text="A constant, such as banned_card.")
    line = serializers.IntegerField(allow_null=True, help_text="Line of the list, from 1.")
    card = serializers.CharField(allow_null=True)
    rule = serializers.CharField(help_text="The rule, or the ban list with its date.")
    message = serializers.CharField()
    remedy = serializers.CharField(help_text="How to fix it.")


class InfluenceSerializer(serializers.Serializer[Any]):
    """Null if the game or the identity has none."""

    spent = serializers.IntegerField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True)


class AgendaPointsSerializer(serializers.Serializer[Any]):
    """Agenda points of the deck, and the range for its size; the range is null for Runners."""

    total = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)


class NoticeSerializer(serializers.Serializer[Any]):
    """A notice that is not a violation, such as a ban list that takes effect soon."""

    code = serializers.CharField()
    message = serializers.CharField()
    card = serializers.CharField(allow_null=True)


class OutdatedSerializer(serializers.Serializer[Any]):
    """The card data of this site is older than the date: newer ban lists are not known."""

    as_of = serializers.DateField(help_text="The date of the card data.")
    message = serializers.CharField()


class LineVerdictSerializer(serializers.Serializer[Any]):
    """The verdict on one line of the list."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    verdict = serializers.ChoiceField(choices=["ok", "breach", "unknown", "note"])
    card = serializers.CharField(allow_null=True)
    quantity = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()


class VerdictSerializer(serializers.Serializer[Any]):
    """The verdict on a list: the document that `check_deck --json` prints."""

    legal = serializers.BooleanField()
    breaches = BreachSerializer(many=True)
    identity = serializers.CharField(allow_null=True)
    side = serializers.ChoiceField(choices=Side.choices, allow_null=True)
    size = serializers.IntegerField(help_text="Cards of known titles, without the identity.")
    influence = InfluenceSerializer()
    agenda_points = AgendaPointsSerializer()
    format = serializers.CharField(allow_null=True)
    snapshot = serializers.CharField(allow_null=True)
    date = serializers.DateField()
    legal_from = serializers.DateField(allow_null=True)
    legal_until = serializers.DateField(allow_null=True)
    notices = NoticeSerializer(many=True)
    name = serializers.CharField(help_text="The name in the list.")
    form = serializers.CharField(help_text="The detected format, such as plain_text.")
    seal = serializers.CharField(help_text="SHA-256 of the canonical list.")
    lines = LineVerdictSerializer(many=True)
    outdated = OutdatedSerializer(
        allow_null=True, help_text="Null if the card data is as new as the date."
    )


class ExportedDeckSerializer(serializers.Serializer[Any]):
    """A deck as a file for another program."""

    filename = serializers.CharField()
    content_type = serializers.CharField()
    text = serializers.CharField()
