"""What becomes of a tournament file."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class FileIdField(serializers.Field[Any, Any, Any, Any]):
    """The id of a player in the file."""

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(
    {"oneOf": [{"type": "number"}, {"type": "string"}], "nullable": True},
)
class FigureField(FileIdField):
    """A figure as the file has it, or as it was computed."""


class ImportedLineSerializer(serializers.Serializer[Any]):
    """A line of the standings; `id` is that of the file."""

    id = FileIdField()
    rank = serializers.IntegerField()
    match_points = FigureField()
    strength_of_schedule = serializers.FloatField()
    extended_strength_of_schedule = serializers.FloatField()


class DifferenceSerializer(serializers.Serializer[Any]):
    """Where the file says something else than its games."""

    id = FileIdField()
    field = serializers.CharField()
    file = FigureField(allow_null=True)
    computed = FigureField(allow_null=True)


class ImportedSerializer(serializers.Serializer[Any]):
    """The event a file became, or with `preview` would become; then it has no address."""

    event = serializers.CharField()
    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    cut = serializers.IntegerField()
    standings = ImportedLineSerializer(many=True)
    differences = DifferenceSerializer(many=True)
    url = serializers.CharField(allow_null=True)


FILE: Any = OpenApiTypes.OBJECT
"""The body of the request: the file itself."""
