"""Standings with every tie-breaker as arithmetic, and the schedule of a round robin."""

from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.standings import as_decimal
from tournaments.models import Standing
from tournaments.web.serializers import PlayerNameSerializer, PointsField

DIGITS = 9


class FigureSerializer(serializers.Serializer[Any]):
    """A figure of the standings: exact, and rounded to nine digits (halves away from zero)."""

    exact = serializers.RegexField(r"^-?\d+/\d+$")
    decimal = serializers.RegexField(rf"^-?\d+\.\d{{{DIGITS}}}$")


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """One line of the standings after a closed round."""

    after_round = serializers.IntegerField(source="snapshot.round.number")
    player = PlayerNameSerializer(source="registration")
    match_points = PointsField()
    tie_breakers = serializers.SerializerMethodField()

    class Meta:
        model = Standing
        fields = ["after_round", "rank", "player", "match_points", "tie_breakers"]

    @extend_schema_field(serializers.DictField(child=FigureSerializer(allow_null=True)))
    def get_tie_breakers(self, standing: Standing) -> dict[str, dict[str, str] | None]:
        """Each figure by its id; null where it is not set. The event tells their order."""
        return {id_: _figure(value) for id_, value in standing.tie_breakers.items()}


def _figure(stored: str | None) -> dict[str, str] | None:
    if stored is None:
        return None
    value = Fraction(stored)
    exact = f"{value.numerator}/{value.denominator}"
    return {"exact": exact, "decimal": as_decimal(value, DIGITS)}


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


class ScheduledPlayerSerializer(serializers.Serializer[Any]):
    """A player; `place` is theirs in the fixed order, null for a guest at one table."""

    place = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    name = serializers.CharField()
    has_left = serializers.BooleanField()


class EncounterSerializer(serializers.Serializer[Any]):
    """Two who meet, or one with a bye; `points` by player once the result is settled."""

    table = serializers.IntegerField(allow_null=True)
    players = ScheduledPlayerSerializer(many=True, source="places")
    points = serializers.ListField(child=PointsField())


class ScheduledRoundSerializer(serializers.Serializer[Any]):
    """One round by its number in the event; one to come shows whom the order gives it."""

    number = serializers.IntegerField()
    is_published = serializers.BooleanField()
    encounters = EncounterSerializer(many=True)


class ScheduleSerializer(serializers.Serializer[Any]):
    """The plan of a round robin; empty until its round 1 is published."""

    is_round_robin = serializers.BooleanField()
    rounds = ScheduledRoundSerializer(many=True)
