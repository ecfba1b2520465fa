"""API answers of the event log."""

from typing import Any

from rest_framework import serializers

from tournaments.event.pages import LogLine


class LogLineSerializer(serializers.Serializer[Any]):
    """A logged change. `changes` describe it; `undoes` and `undone_by` are ids of entries."""

    id = serializers.IntegerField(source="entry.pk")
    at = serializers.DateTimeField(source="entry.at")
    by = serializers.SerializerMethodField()
    action = serializers.CharField(source="entry.action")
    subject = serializers.CharField(source="entry.shown_subject", allow_blank=True)
    reason = serializers.CharField(source="entry.shown_reason", allow_blank=True)
    points = serializers.CharField(allow_blank=True)
    changes = serializers.ListField(child=serializers.CharField())
    round = serializers.SerializerMethodField()
    player = serializers.SerializerMethodField()
    undoes = serializers.IntegerField(source="entry.undoes_id", allow_null=True)
    undone_by = serializers.SerializerMethodField()

    def get_by(self, line: LogLine) -> str:
        """The name of the author; empty for automatic changes."""
        entry = line.entry
        return str(entry.player or entry.user or "")

    def get_round(self, line: LogLine) -> int | None:
        """The number of the round concerned."""
        return line.entry.round.number if line.entry.round else None

    def get_player(self, line: LogLine) -> int | None:
        """The number of the player concerned."""
        return line.entry.registration.number if line.entry.registration else None

    def get_undone_by(self, line: LogLine) -> int | None:
        """The id of the entry that undid this change."""
        undone = getattr(line.entry, "undone_by", None)
        return undone.pk if undone else None


class ThenTableSerializer(serializers.Serializer[Any]):
    """A table or bye at that time; `table` is null for a bye."""

    table = serializers.IntegerField(allow_null=True)
    names = serializers.ListField(child=serializers.CharField())


class LogEntrySerializer(serializers.Serializer[Any]):
    """A logged change, with the pairings it stores."""

    line = LogLineSerializer()
    tables = ThenTableSerializer(many=True)
