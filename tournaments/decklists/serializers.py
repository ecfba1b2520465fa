"""Serializers of decklists and deck checks."""

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from core.api_requests import (
    RequestBody,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
)
from decks.formats.plain_text import MAX_BYTES
from decks.models import Side
from decks.serializers import VerdictSerializer
from tournaments.decklists.deck_checks import OUTCOMES
from tournaments.decklists.queries import DeckProblem
from tournaments.models import DeckCheck, DeckCheckDraw, DeckReceipt, DeckSubmission, LockedBy
from tournaments.web.serializers import PlayerNameSerializer


class DrawBody(RequestBody):
    """A number of tables to draw at random, or one table by its number."""

    count = StrictIntegerField(min_value=1, max_value=99, required=False)
    table = StrictIntegerField(min_value=1, max_value=9999, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError({"count": ["Give either count or table."]})
        return attrs


class OutcomeBody(RequestBody):
    """The outcome of a deck check."""

    outcome = StrictChoiceField(OUTCOMES)
    note = StrictCharField(max_length=500, required=False, allow_blank=True)


class CheckSerializer(serializers.ModelSerializer[DeckCheck]):
    """A deck to check, with its outcome; the outcome is empty until the deck is checked."""

    id = serializers.IntegerField(source="pk")
    table = serializers.IntegerField(source="table_number")
    player = PlayerNameSerializer(source="submission.registration")
    side = serializers.ChoiceField(Side.choices, source="submission.side")
    outcome = serializers.ChoiceField([*OUTCOMES, ""])
    checked_by = serializers.CharField(
        source="checked_by.username",
        read_only=True,
        allow_null=True,
        help_text="The username of the judge.",
    )

    class Meta:
        model = DeckCheck
        fields = ["id", "table", "player", "side", "outcome", "note", "checked_by", "checked_at"]


class TickLineSerializer(serializers.Serializer[Any]):
    """A line to tick off: copies of one card."""

    place = serializers.IntegerField()
    quantity = serializers.IntegerField()
    title = serializers.CharField()


class TickGroupSerializer(serializers.Serializer[Any]):
    """The lines of one card type."""

    heading = serializers.CharField()
    copies = serializers.IntegerField()
    lines = TickLineSerializer(many=True)


class CheckDetailSerializer(serializers.Serializer[Any]):
    """A list to compare with the deck at the table."""

    check = CheckSerializer()
    identity = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField()
    groups = TickGroupSerializer(source="by_type", many=True)
    unread = serializers.ListField(child=serializers.CharField())
    changed_since = serializers.SerializerMethodField()

    def get_changed_since(self, ticks: Any) -> bool:
        """True if the player has submitted another list since the draw."""
        check: DeckCheck = ticks.check
        return bool(check.submission.version.text != check.version.text)


class DrawSerializer(serializers.Serializer[Any]):
    """Tables selected for a deck check, at random or by a judge."""

    number = serializers.IntegerField(source="draw.number")
    round = serializers.IntegerField(source="draw.round_number")
    drawn_at = serializers.DateTimeField(source="draw.drawn_at")
    by_lot = serializers.SerializerMethodField()
    checks = serializers.SerializerMethodField()

    def get_by_lot(self, drawn: Any) -> bool:
        """False if a judge picked the table."""
        draw: DeckCheckDraw = drawn.draw
        return draw.seed is not None

    @extend_schema_field(CheckSerializer(many=True))
    def get_checks(self, drawn: Any) -> Any:
        return CheckSerializer(drawn.checks, many=True).data


class WithoutDeckSerializer(serializers.Serializer[Any]):
    """A player at a drawn table who has not submitted a deck."""

    table = serializers.IntegerField()
    player = PlayerNameSerializer()


class NewDrawSerializer(serializers.Serializer[Any]):
    """A new draw, with the players it cannot check."""

    draw = DrawSerializer()
    without_a_deck = WithoutDeckSerializer(many=True)


class DeckListBody(RequestBody):
    """A decklist as text in any supported format, or its URL on NetrunnerDB."""

    text = StrictCharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)
    url = StrictCharField(max_length=300, required=False, source="address")


@extend_schema_serializer(component_name="HandInBody")
class SubmissionBody(DeckListBody):
    """A decklist to submit."""

    version = StrictIntegerField(
        min_value=0,
        max_value=32_767,
        required=False,
        help_text="The latest receipt you read, 0 for none. Refused if there is a later one.",
    )


@extend_schema_serializer(component_name="ChangeBody")
class ChangeBody(SubmissionBody):
    """A decklist that staff submit for a player."""

    reason = StrictCharField(max_length=500, help_text="Shown in the log. Do not name cards.")


@extend_schema_serializer(component_name="JudgeBody")
class LegalityCheckBody(DeckListBody):
    """A decklist to check against the rules of the event."""

    side = StrictChoiceField(Side.choices)


class DeckLockBody(RequestBody):
    """The number of the latest receipt you read."""

    version = StrictIntegerField(min_value=0, max_value=32_767, required=False)


class RevealBody(RequestBody):
    """True to show all decks, false to hide them again."""

    revealed = StrictBooleanField()


class DeckLockSerializer(serializers.Serializer[Any]):
    """A lock: the player can no longer change the deck."""

    by = serializers.ChoiceField(LockedBy.choices)
    at = serializers.DateTimeField()


class ReceiptSerializer(serializers.ModelSerializer[DeckReceipt]):
    """A receipt for a submitted list."""

    title = serializers.CharField(source="version.decklist.title")
    identity = serializers.CharField(
        source="version.identity.title",
        read_only=True,
        allow_null=True,
        help_text="Only for games with identities.",
    )
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

    def get_by_staff(self, receipt: DeckReceipt) -> bool:
        """True if the staff submitted the list for the player."""
        return receipt.received_from_id is not None or bool(receipt.reason)


@extend_schema_serializer(component_name="HandedIn")
class SubmissionResultSerializer(VerdictSerializer):
    """The verdict on the submitted list, and its receipt."""

    receipt = ReceiptSerializer()
    is_new = serializers.BooleanField(help_text="False if the same list was the last one received.")


class WholeDeckSerializer(serializers.Serializer[Any]):
    """A deck as its player and the judges see it; empty before the first submission."""

    player = PlayerNameSerializer()
    side = serializers.ChoiceField(Side.choices)
    text = serializers.CharField(allow_blank=True)
    verdict = VerdictSerializer(allow_null=True)
    lock = DeckLockSerializer(allow_null=True)
    receipts = ReceiptSerializer(many=True, help_text="Newest first.")


class DeckCardSerializer(serializers.Serializer[Any]):
    """The copies of one card."""

    quantity = serializers.IntegerField()
    title = serializers.CharField(source="card.title")
    slug = serializers.CharField(source="card.slug")


@extend_schema_serializer(component_name="SeenDeck")
class VisibleDeckSerializer(serializers.ModelSerializer[DeckSubmission]):
    """The cards of a deck that you may see."""

    player = PlayerNameSerializer(source="registration")
    title = serializers.CharField(source="version.decklist.title")
    identity = serializers.CharField(
        source="version.identity.title",
        read_only=True,
        allow_null=True,
        help_text="Only for games with identities.",
    )
    cards = DeckCardSerializer(source="version.slots", many=True)

    class Meta:
        model = DeckSubmission
        fields = ["player", "side", "title", "identity", "cards"]


@extend_schema_serializer(component_name="DeckDetail")
class DeckDetailSerializer(VisibleDeckSerializer):
    """A deck that you may see. `whole` is null except for its player and the judges."""

    whole = serializers.SerializerMethodField()

    class Meta(VisibleDeckSerializer.Meta):
        fields = [*VisibleDeckSerializer.Meta.fields, "whole"]

    @extend_schema_field(WholeDeckSerializer(allow_null=True))
    def get_whole(self, _submission: DeckSubmission) -> Any:
        """The original list, the verdict and the receipts."""
        whole = self.context.get("whole")
        return WholeDeckSerializer(whole).data if whole else None


class EventDecksSerializer(serializers.Serializer[Any]):
    """The state of all decks of the event."""

    lock = DeckLockSerializer(allow_null=True)
    decks_close_at = serializers.DateTimeField(allow_null=True)
    revealed_at = serializers.DateTimeField(allow_null=True)


class DeckWaiverSerializer(serializers.Serializer[Any]):
    """A decision of the staff to let the player play with these decks."""

    reason = serializers.CharField()
    at = serializers.DateTimeField()


class DeckProblemSerializer(serializers.Serializer[Any]):
    """Missing or illegal decks of a player; `waiver` is null unless the staff accepted them."""

    player = PlayerNameSerializer(source="registration")
    problem = serializers.SerializerMethodField()
    sides = serializers.ListField(child=serializers.CharField(), help_text="corp, runner or both.")
    waiver = DeckWaiverSerializer(allow_null=True)

    @extend_schema_field(serializers.ChoiceField(["missing", "illegal"]))
    def get_problem(self, problem: DeckProblem) -> str:
        return "missing" if problem.is_missing else "illegal"
