"""Points and results in the documents of the API."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches import records
from matches.scoring import MatchResult, Points

BY_SEAT = {"totals": "points", "victory_points": "points", "factions": "faction"}
"""The parts of a result that have a value for each player, and its name in a body."""


@extend_schema_field(
    {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d+/\d+$"}]}
)
class PointsField(serializers.ReadOnlyField):
    """Points are whole numbers; a share of a place that is not whole is told as "10/3"."""

    def to_representation(self, value: Points) -> int | str:
        return value if isinstance(value, int) else str(value)


def result_to_body(result: MatchResult, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """The result by players' numbers, which are given by position; None where nothing is said."""
    if not result:
        return None
    body = records.to_document(result)
    body["games"] = [{**game, "corp": numbers[game["corp"]]} for game in body["games"]]
    for name, key in BY_SEAT.items():
        body[name] = [
            {"player": numbers[position], key: value}
            for position, value in enumerate(body[name], start=1)
        ]
    return body
