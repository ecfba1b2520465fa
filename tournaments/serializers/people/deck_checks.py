"""The checks of decks at the tables."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole
from decks.models import Side
from tournaments.models import (
    DeckCheck,
    DeckCheckDraw,
    DeckCheckOutcome,
)
from tournaments.serializers.events import PlayerNameSerializer

OUTCOMES = [choice for choice in DeckCheckOutcome.choices if choice[0]]


class DrawBody(Body):
    """Tables to draw by lot, or one table by its number."""

    count = Whole(min_value=1, max_value=99, required=False)
    table = Whole(min_value=1, max_value=9999, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError({"count": ["Give either count or table."]})
        return attrs


class OutcomeBody(Body):
    """What the judge found."""

    outcome = Choice(OUTCOMES)
    note = Text(max_length=500, required=False, allow_blank=True)


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
