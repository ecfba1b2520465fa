"""Points as the API tells them."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.scoring import Points


@extend_schema_field(
    {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d+/\d+$"}]}
)
class PointsField(serializers.ReadOnlyField):
    """Points are whole numbers; a share of a place that is not whole is told as "10/3"."""

    def to_representation(self, value: Points) -> int | str:
        return value if isinstance(value, int) else str(value)
