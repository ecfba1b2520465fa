"""The log and how things were, as the API tells them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text
from tournaments.models import LogEntry
from tournaments.serializers.impacts import ImpactSerializer
from tournaments.serializers.jobs import LONGEST_REASON
from tournaments.serializers.points import PointsField
from tournaments.serializers.standings import StandingSerializer
from tournaments.sheets.log import LogLine


class LogLineSerializer(serializers.Serializer[Any]):
    """One change: by whom, what, to what. `changes` say in words what was before.

    Only what this person can take back `can_undo`; `undoes` and `undone_by` are ids of entries.
    """

    id = serializers.IntegerField(source="entry.pk")
    at = serializers.DateTimeField(source="entry.at")
    by = serializers.SerializerMethodField()
    action = serializers.CharField(source="entry.action")
    subject = serializers.CharField(source="entry.subject", allow_blank=True)
    reason = serializers.CharField(source="entry.reason", allow_blank=True)
    points = serializers.CharField(allow_blank=True)
    changes = serializers.ListField(child=serializers.CharField())
    round = serializers.SerializerMethodField()
    player = serializers.SerializerMethodField()
    undoes = serializers.IntegerField(source="entry.undoes_id", allow_null=True)
    undone_by = serializers.SerializerMethodField()
    can_undo = serializers.BooleanField()

    def get_by(self, line: LogLine) -> str:
        """Who did it; empty for Datafort itself."""
        entry = line.entry
        return str(entry.player or entry.user or "")

    def get_round(self, line: LogLine) -> int | None:
        """The round it is about."""
        return line.entry.round.number if line.entry.round else None

    def get_player(self, line: LogLine) -> int | None:
        """The number of the player it is about."""
        return line.entry.registration.number if line.entry.registration else None

    def get_undone_by(self, line: LogLine) -> int | None:
        """The entry that took it back."""
        undone = getattr(line.entry, "undone_by", None)
        return undone.pk if undone else None


class ThenTableSerializer(serializers.Serializer[Any]):
    """A table or a bye as it was; `table` is null for a bye."""

    table = serializers.IntegerField(allow_null=True)
    names = serializers.ListField(child=serializers.CharField())


class LogEntrySerializer(serializers.Serializer[Any]):
    """One change, with the pairings it keeps."""

    line = LogLineSerializer()
    tables = ThenTableSerializer(many=True)


class UndoBody(Body):
    """Why it is taken back; it stands in the log."""

    reason = Text(max_length=LONGEST_REASON, required=False, allow_blank=True, default="")


class PlanSerializer(serializers.Serializer[Any]):
    """What taking a change back would do, and what that touches in a closed round."""

    says = serializers.CharField()
    impact = ImpactSerializer(allow_null=True)


class ThenPairingsSerializer(serializers.ModelSerializer[LogEntry]):
    """An entry of the log that holds who sat where."""

    class Meta:
        model = LogEntry
        fields = ["id", "at", "action", "subject"]


class ThenStandingsSerializer(serializers.Serializer[Any]):
    """One computation of the standings; the newest of a round is in force."""

    id = serializers.IntegerField(source="snapshot.pk")
    number = serializers.IntegerField(help_text="Counted from 1 in its round.")
    computed_at = serializers.DateTimeField(source="snapshot.computed_at")
    is_in_force = serializers.BooleanField()


class RoundVersionsSerializer(serializers.Serializer[Any]):
    """All that was drafted, published and computed of one round."""

    round = serializers.IntegerField()
    pairings = ThenPairingsSerializer(many=True)
    standings = ThenStandingsSerializer(many=True)


class VersionsSerializer(serializers.Serializer[Any]):
    """How things were, round by round."""

    rounds = RoundVersionsSerializer(many=True)


class MovedThenSerializer(serializers.Serializer[Any]):
    """A player whose line differs from the version before; null where there was none."""

    name = serializers.CharField()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_now = serializers.IntegerField(allow_null=True)
    points_before = PointsField(allow_null=True)
    points_now = PointsField(allow_null=True)


class StandingsThenSerializer(serializers.Serializer[Any]):
    """One computation of the standings; `moved` is null for the first of its round."""

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    computed_at = serializers.DateTimeField()
    rows = StandingSerializer(many=True)
    moved = serializers.SerializerMethodField()

    @extend_schema_field(MovedThenSerializer(many=True, allow_null=True))
    def get_moved(self, told: dict[str, Any]) -> Any:
        """What differs from the one before."""
        moved = told["moved"]
        return None if moved is None else MovedThenSerializer(moved, many=True).data
