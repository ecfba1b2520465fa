"""Decks handed in, and what is told of them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole, YesNo
from decks.api.verdicts import VerdictSerializer
from decks.formats.plain_text import MAX_BYTES
from decks.models import Side
from tournaments.models import (
    DeckReceipt,
    DeckSubmission,
    LockedBy,
)
from tournaments.serializers.events import PlayerNameSerializer


class DeckListBody(Body):
    """A list as text in any form that is read, or its address on NetrunnerDB."""

    text = Text(max_length=MAX_BYTES, required=False, trim_whitespace=False)
    address = Text(max_length=300, required=False)


class HandInBody(DeckListBody):
    """A list to hand in."""

    seen = Whole(
        min_value=0,
        max_value=32_767,
        required=False,
        help_text="The newest receipt that was seen, 0 for none; refused if there is a newer one.",
    )


class ChangeBody(HandInBody):
    """A list that staff hand in for a player."""

    reason = Text(max_length=500, help_text="Stands in the log; name no card.")


class JudgeBody(DeckListBody):
    """A list to be judged by the rules of the event."""

    side = Choice(Side.choices)


class DeckLockBody(Body):
    """The receipt that was seen."""

    seen = Whole(min_value=0, max_value=32_767, required=False)


class RevealBody(Body):
    """Shown to everybody, or hidden again."""

    revealed = YesNo()


class DeckLockSerializer(serializers.Serializer[Any]):
    """Since when, and by whom, the player cannot change the deck."""

    by = serializers.ChoiceField(LockedBy.choices)
    at = serializers.DateTimeField()


class ReceiptSerializer(serializers.ModelSerializer[DeckReceipt]):
    """That a list was received."""

    title = serializers.CharField(source="version.decklist.title")
    identity = serializers.SerializerMethodField()
    is_legal = serializers.BooleanField(source="version.is_legal")
    seal = serializers.CharField(source="version.seal")
    by_staff = serializers.SerializerMethodField()

    class Meta:
        model = DeckReceipt
        fields = [
            "number",
            "received_at",
            "title",
            "identity",
            "is_legal",
            "seal",
            "by_staff",
            "reason",
        ]

    def get_identity(self, receipt: DeckReceipt) -> str | None:
        """Of anr."""
        return receipt.version.identity.title if receipt.version.identity else None

    def get_by_staff(self, receipt: DeckReceipt) -> bool:
        """Whether staff handed it in for the player."""
        return receipt.received_from_id is not None or bool(receipt.reason)


class ReceiptTextSerializer(ReceiptSerializer):
    """A list as it was received, word for word."""

    text = serializers.CharField(source="version.text")

    class Meta(ReceiptSerializer.Meta):
        fields = [*ReceiptSerializer.Meta.fields, "text"]


class HandedInSerializer(VerdictSerializer):
    """The verdict on the list, and its receipt."""

    receipt = ReceiptSerializer()
    is_new = serializers.BooleanField(help_text="False: the same list was the last one received.")


class WholeDeckSerializer(serializers.Serializer[Any]):
    """A deck as its player and the judges see it; before the first list all is empty."""

    player = PlayerNameSerializer()
    side = serializers.ChoiceField(Side.choices)
    text = serializers.CharField(allow_blank=True)
    verdict = VerdictSerializer(allow_null=True)
    lock = DeckLockSerializer(allow_null=True)
    receipts = ReceiptSerializer(many=True, help_text="The newest first.")


class DeckCardSerializer(serializers.Serializer[Any]):
    """So many copies of a card."""

    quantity = serializers.IntegerField()
    title = serializers.CharField(source="card.title")
    slug = serializers.CharField(source="card.slug")


class SeenDeckSerializer(serializers.ModelSerializer[DeckSubmission]):
    """A deck as others see it who may: its cards."""

    player = PlayerNameSerializer(source="registration")
    title = serializers.CharField(source="version.decklist.title")
    identity = serializers.SerializerMethodField()
    cards = DeckCardSerializer(source="version.slots", many=True)

    class Meta:
        model = DeckSubmission
        fields = ["player", "side", "title", "identity", "cards"]

    def get_identity(self, submission: DeckSubmission) -> str | None:
        """Of anr."""
        identity = submission.version.identity
        return identity.title if identity else None


class DeckDetailSerializer(SeenDeckSerializer):
    """A deck for whoever may see it. `whole` is for its player and the judges, else null."""

    whole = serializers.SerializerMethodField()

    class Meta(SeenDeckSerializer.Meta):
        fields = [*SeenDeckSerializer.Meta.fields, "whole"]

    @extend_schema_field(WholeDeckSerializer(allow_null=True))
    def get_whole(self, _submission: DeckSubmission) -> Any:
        """The list word for word, the verdict and the receipts."""
        whole = self.context.get("whole")
        return WholeDeckSerializer(whole).data if whole else None


class CopiesChangedSerializer(serializers.Serializer[Any]):
    """A card whose number of copies changed."""

    title = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class DeckDifferenceSerializer(serializers.Serializer[Any]):
    """What has to be done to the older list to have the newer one."""

    older = serializers.IntegerField(source="older.number")
    newer = serializers.IntegerField(source="newer.number")
    added = CopiesChangedSerializer(source="difference.added", many=True)
    removed = CopiesChangedSerializer(source="difference.removed", many=True)
    changed = CopiesChangedSerializer(source="difference.changed", many=True)
    identity = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        source="difference.identity",
        allow_null=True,
        help_text="Before and after; null while it is the same.",
    )
    lines_added = serializers.ListField(
        child=serializers.CharField(allow_blank=True), source="difference.lines_added"
    )
    lines_removed = serializers.ListField(
        child=serializers.CharField(allow_blank=True), source="difference.lines_removed"
    )
    is_same_deck = serializers.BooleanField(source="difference.is_same_deck")
    is_same_text = serializers.BooleanField(source="difference.is_same_text")


class EventDecksSerializer(serializers.Serializer[Any]):
    """What holds for all decks of the event."""

    lock = DeckLockSerializer(allow_null=True)
    decks_close_at = serializers.DateTimeField(allow_null=True)
    revealed_at = serializers.DateTimeField(allow_null=True)


class DeckFileSerializer(serializers.Serializer[Any]):
    """A deck as a file."""

    filename = serializers.CharField()
    content_type = serializers.CharField()
    text = serializers.CharField()
