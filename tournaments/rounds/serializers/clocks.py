"""The clock of a round as the API tells it; programs count on by themselves."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from engine.clock import ClockState

MOST_AT_ONCE, MOST_SEEN, LONGEST_WHY, LARGEST_MARK = 60, 9999, 200, 2**53
CLOCK_STATES = [state.value for state in ClockState]


class ClockFaceSerializer(serializers.Serializer[Any]):
    """A clock: it runs and `ends_at`, or stands still and has `left_seconds`, below zero after it.

    `overtime_seconds` may follow after zero.
    """

    state = serializers.ChoiceField(CLOCK_STATES)
    ends_at = serializers.DateTimeField(allow_null=True)
    left_seconds = serializers.SerializerMethodField()
    overtime_seconds = serializers.IntegerField(source="overtime")

    def get_left_seconds(self, face: Any) -> int | None:
        """What is left of a clock that stands still; null while it runs."""
        return None if face.ends_at else face.left


class TableTimeSerializer(serializers.Serializer[Any]):
    """A table that still plays and was given minutes of its own."""

    table = serializers.IntegerField()
    extra_minutes = serializers.IntegerField()
    clock = ClockFaceSerializer()


class ClockSerializer(serializers.Serializer[Any]):
    """The clock of the room in a round; null for a round that is closed.

    `extra_minutes` are those added so far, `pause_mark` tells one pause from another: what changes
    the clock takes them as `seen`.
    """

    round = serializers.IntegerField(source="number")
    clock = ClockFaceSerializer(allow_null=True)
    minutes = serializers.IntegerField(help_text="All it was given, with those added.")
    extra_minutes = serializers.IntegerField()
    pause_mark = serializers.IntegerField()
    tables = TableTimeSerializer(many=True)


class ResumeBody(Body):
    """The `pause_mark` that was seen: a pause made since then stays."""

    seen = Whole(min_value=0, max_value=LARGEST_MARK, required=False, allow_null=True, default=None)


class MinutesBody(Body):
    """Minutes to add, or below zero to take; `seen` are the `extra_minutes` there were."""

    minutes = Whole(min_value=-MOST_AT_ONCE, max_value=MOST_AT_ONCE)
    seen = Whole(
        min_value=-MOST_SEEN, max_value=MOST_SEEN, required=False, allow_null=True, default=None
    )

    def validate_minutes(self, value: int) -> int:
        """None at all is nothing to do."""
        if value == 0:
            raise serializers.ValidationError("Say how many minutes.")
        return value


class TableMinutesBody(MinutesBody):
    """Minutes for one table, with the reason for the log."""

    reason = Text(max_length=LONGEST_WHY, required=False, allow_blank=True, default="")
