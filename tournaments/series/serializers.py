"""API answers of series."""

from typing import Any

from rest_framework import serializers

from tournaments.models import Series, Tournament
from tournaments.series.queries import ShownPlayer
from tournaments.series.rules import TIE_BREAKERS, SeasonCell, SeasonRow
from tournaments.web.serializers import PointsField


class SeriesSerializer(serializers.ModelSerializer[Series]):
    """A series with its scoring and qualification."""

    target = serializers.SerializerMethodField()
    tie_breakers = serializers.ListField(child=serializers.ChoiceField(list(TIE_BREAKERS)))
    place_points = serializers.ListField(child=serializers.IntegerField())
    url = serializers.HyperlinkedIdentityField(
        view_name="api:series", lookup_field="slug", lookup_url_kwarg="series"
    )
    page = serializers.HyperlinkedIdentityField(
        view_name="tournaments:series", lookup_field="slug", lookup_url_kwarg="series"
    )

    class Meta:
        model = Series
        fields = [
            "slug",
            "name",
            "description",
            "visibility",
            "scoring",
            "place_points",
            "points_for_playing",
            "planned_events",
            "best_of",
            "tie_breakers",
            "target",
            "qualify_per_event",
            "qualify_by_table",
            "passes_down",
            "url",
            "page",
        ]

    def get_target(self, series: Series) -> str | None:
        """The slug of the event that players qualify for; null if there is none to show."""
        targets: dict[int, str | None] = self.context.get("targets", {})
        return targets.get(series.pk)


class SeriesEventSerializer(serializers.ModelSerializer[Tournament]):
    """An event of a series."""

    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")

    class Meta:
        model = Tournament
        fields = ["slug", "name", "starts_on", "finished_at", "url"]


class SeasonCellSerializer(serializers.Serializer[Any]):
    """A player's result at an event."""

    event = serializers.SerializerMethodField()
    place = serializers.IntegerField()
    points = PointsField()
    counts = serializers.BooleanField()

    def get_event(self, cell: SeasonCell) -> str:
        """The slug of the event; empty if it has just been hidden."""
        slugs: dict[int, str] = self.context["slugs"]
        return slugs.get(cell.evening, "")


class SeasonLineSerializer(serializers.Serializer[Any]):
    """A row of the table."""

    place = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    points = PointsField()
    played = serializers.IntegerField(help_text="Events played.")
    counted = serializers.IntegerField(help_text="Events that count.")
    moved = serializers.IntegerField(
        allow_null=True, help_text="Places gained with the last event; null for a new player."
    )
    decided_by = serializers.CharField(
        help_text="The tie-breaker that separates this player from the one above; empty if none."
    )
    events = SeasonCellSerializer(many=True, read_only=True, source="cells")

    def get_player(self, line: SeasonRow) -> str:
        """The name of the player."""
        players: dict[int, ShownPlayer] = self.context["players"]
        return players[line.player].name


class QualifiedSerializer(serializers.Serializer[Any]):
    """A qualified player, with the reason."""

    player = serializers.CharField(source="player.name")
    how = serializers.CharField()
    by_table = serializers.BooleanField()
