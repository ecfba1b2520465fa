"""Events and their players as the API tells them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.standings import TIE_BREAKERS
from tournaments.models import Registration, Tournament
from tournaments.snapshots import tie_breakers_of


class TieBreakerSerializer(serializers.Serializer[Any]):
    """What orders the standings, first to last."""

    id = serializers.CharField()
    heading = serializers.CharField()
    name = serializers.CharField()


class EventSerializer(serializers.ModelSerializer[Tournament]):
    """An event in a list."""

    player_count = serializers.IntegerField()
    is_finished = serializers.BooleanField()
    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")
    page = serializers.HyperlinkedIdentityField(view_name="tournaments:event", lookup_field="slug")

    class Meta:
        model = Tournament
        fields = [
            "slug",
            "name",
            "game",
            "starts_on",
            "time_zone",
            "location",
            "visibility",
            "player_count",
            "is_finished",
            "finished_at",
            "url",
            "page",
        ]


class EventDetailSerializer(EventSerializer):
    """An event with its rules."""

    tie_breakers = serializers.SerializerMethodField()
    current_round = serializers.IntegerField(
        source="current_number",
        allow_null=True,
        help_text="The number of the newest round that is published; null before the first.",
    )

    class Meta(EventSerializer.Meta):
        fields = [
            *EventSerializer.Meta.fields,
            "description",
            "registration_is_open",
            "registration_closes_at",
            "max_players",
            "scoring_rule",
            "bye_points",
            "planned_rounds",
            "current_round",
            "round_minutes",
            "decks_required",
            "tie_breakers",
        ]

    @extend_schema_field(TieBreakerSerializer(many=True))
    def get_tie_breakers(self, tournament: Tournament) -> Any:
        """The figures of the standings, in order."""
        breakers = [TIE_BREAKERS[id_] for id_ in tie_breakers_of(tournament)]
        return TieBreakerSerializer(breakers, many=True).data


class PlayerNameSerializer(serializers.ModelSerializer[Registration]):
    """A player of the event as other answers name them."""

    name = serializers.CharField(source="player.name")

    class Meta:
        model = Registration
        fields = ["number", "name"]


class PlayerSerializer(PlayerNameSerializer):
    """A player's place in the event."""

    pronouns = serializers.CharField(source="player.pronouns")

    class Meta(PlayerNameSerializer.Meta):
        fields = ["number", "name", "pronouns", "state", "joined_in_round"]
