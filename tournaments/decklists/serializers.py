"""Deck lists and checks as documents of the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
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
    """Tables to draw by lot, or one table by its number."""

    count = StrictIntegerField(min_value=1, max_value=99, required=False)
    table = StrictIntegerField(min_value=1, max_value=9999, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError({"count": ["Give either count or table."]})
        return attrs


class OutcomeBody(RequestBody):
    """What the judge found."""

    outcome = StrictChoiceField(OUTCOMES)
    note = StrictCharField(max_length=500, required=False, allow_blank=True)


class CheckSerializer(serializers.ModelSerializer[DeckCheck]):
    """One deck to check, and what was found; the outcome is empty until then."""

    id = serializers.IntegerField(source="pk")
    table = serializers.IntegerField(source="table_number")
    player = PlayerNameSerializer(source="submission.registration")
    side = serializers.ChoiceField(Side.choices, source="submission.side")
    outcome = serializers.ChoiceField([*OUTCOMES, ""])
    checked_by = serializers.SerializerMethodField()

    class Meta:
        model = DeckCheck
        fields = ["id", "table", "player", "side", "outcome", "note", "checked_by", "checked_at"]

    def get_checked_by(self, check: DeckCheck) -> str | None:
        """The username of the judge."""
        return check.checked_by.username if check.checked_by else None


class TickLineSerializer(serializers.Serializer[Any]):
    """A box to tick."""

    place = serializers.IntegerField()
    quantity = serializers.IntegerField()
    title = serializers.CharField()


class TickGroupSerializer(serializers.Serializer[Any]):
    """The boxes of one type."""

    heading = serializers.CharField()
    copies = serializers.IntegerField()
    lines = TickLineSerializer(many=True)


class CheckDetailSerializer(serializers.Serializer[Any]):
    """One deck to lay against its list."""

    check = CheckSerializer()
    identity = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField()
    groups = TickGroupSerializer(source="by_type", many=True)
    unread = serializers.ListField(child=serializers.CharField())
    changed_since = serializers.SerializerMethodField()

    def get_changed_since(self, ticks: Any) -> bool:
        """Whether the player has another list by now."""
        check: DeckCheck = ticks.check
        return bool(check.submission.version.text != check.version.text)


class DrawSerializer(serializers.Serializer[Any]):
    """Tables drawn for a check, by lot or by name."""

    number = serializers.IntegerField(source="draw.number")
    round = serializers.IntegerField(source="draw.round_number")
    drawn_at = serializers.DateTimeField(source="draw.drawn_at")
    by_lot = serializers.SerializerMethodField()
    checks = serializers.SerializerMethodField()

    def get_by_lot(self, drawn: Any) -> bool:
        """False: a judge named the table."""
        draw: DeckCheckDraw = drawn.draw
        return draw.seed is not None

    @extend_schema_field(CheckSerializer(many=True))
    def get_checks(self, drawn: Any) -> Any:
        """The decks by table."""
        checks = [check for table in drawn.tables for check in table.checks]
        return CheckSerializer(checks, many=True).data


class WithoutDeckSerializer(serializers.Serializer[Any]):
    """Somebody at a drawn table who has handed in no deck."""

    table = serializers.IntegerField()
    player = PlayerNameSerializer()


class NewDrawSerializer(serializers.Serializer[Any]):
    """What was drawn just now."""

    draw = DrawSerializer()
    without_a_deck = WithoutDeckSerializer(many=True)


class DeckListBody(RequestBody):
    """A list as text in any form that is read, or its address on NetrunnerDB."""

    text = StrictCharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)
    url = StrictCharField(max_length=300, required=False, source="address")


class HandInBody(DeckListBody):
    """A list to hand in."""

    version = StrictIntegerField(
        min_value=0,
        max_value=32_767,
        required=False,
        help_text="The latest receipt you read, 0 for none. Refused if there is a later one.",
    )


class ChangeBody(HandInBody):
    """A list that staff hand in for a player."""

    reason = StrictCharField(max_length=500, help_text="Stands in the log; name no card.")


class JudgeBody(DeckListBody):
    """A list to be judged by the rules of the event."""

    side = StrictChoiceField(Side.choices)


class DeckLockBody(RequestBody):
    """The number of the latest receipt you read."""

    version = StrictIntegerField(min_value=0, max_value=32_767, required=False)


class RevealBody(RequestBody):
    """Shown to everybody, or hidden again."""

    revealed = StrictBooleanField()


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


class EventDecksSerializer(serializers.Serializer[Any]):
    """What holds for all decks of the event."""

    lock = DeckLockSerializer(allow_null=True)
    decks_close_at = serializers.DateTimeField(allow_null=True)
    revealed_at = serializers.DateTimeField(allow_null=True)


class DeckWaiverSerializer(serializers.Serializer[Any]):
    """Why the staff let the player play with these decks, and since when."""

    reason = serializers.CharField()
    at = serializers.DateTimeField()


class DeckProblemSerializer(serializers.Serializer[Any]):
    """Missing or illegal decks of one player; `waiver` is null until the staff accept them."""

    player = PlayerNameSerializer(source="registration")
    problem = serializers.SerializerMethodField()
    sides = serializers.ListField(child=serializers.CharField(), help_text="corp, runner or both.")
    waiver = DeckWaiverSerializer(allow_null=True)

    @extend_schema_field(serializers.ChoiceField(["missing", "illegal"]))
    def get_problem(self, problem: DeckProblem) -> str:
        return "missing" if problem.is_missing else "illegal"


class DeckFileSerializer(serializers.Serializer[Any]):
    """A deck as a file."""

    filename = serializers.CharField()
    content_type = serializers.CharField()
    text = serializers.CharField()
