"""Where one player stands and why: every tie-breaker as arithmetic."""

from typing import Any

from rest_framework import serializers

from tournaments.serializers.events import PlayerNameSerializer
from tournaments.serializers.standings import StandingSerializer


class SummandPlayerSerializer(serializers.Serializer[Any]):
    """Somebody a summand comes from."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class TermSerializer(serializers.Serializer[Any]):
    """One summand: its figure, its round, and whom it comes from; nobody for a bye."""

    text = serializers.CharField()
    round = serializers.IntegerField()
    opponents = SummandPlayerSerializer(many=True)


class SumSerializer(serializers.Serializer[Any]):
    """One tie-breaker worked out: the terms, by the divisor, make the result."""

    id = serializers.CharField()
    heading = serializers.CharField()
    name = serializers.CharField()
    explanation = serializers.CharField(allow_blank=True)
    terms = TermSerializer(many=True)
    divisor = serializers.IntegerField(allow_null=True)
    exact = serializers.CharField()
    result = serializers.CharField()


class WorkingsSerializer(serializers.Serializer[Any]):
    """One player's line of the standings, worked out; `place` counts a cut that is played."""

    player = PlayerNameSerializer()
    standing = StandingSerializer(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    sums = SumSerializer(many=True)
