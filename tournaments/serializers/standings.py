"""Standings as the API tells them."""

from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import Standing
from tournaments.serializers.events import PlayerNameSerializer
from tournaments.serializers.points import PointsField
from tournaments.standings import as_decimal

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
