"""Serializers of import results and export formats."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.files.exports import ExportFormat

# The body of the request is the file itself.
FILE: Any = OpenApiTypes.OBJECT


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class FileIdField(serializers.Field[Any, Any, Any, Any]):
    """Id of a player in the file."""

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": ["number", "string"]})
class FigureField(FileIdField):
    """A figure as stated in the file or as computed."""


class ImportedLineSerializer(serializers.Serializer[Any]):
    """A line of the standings; `id` is the id in the file."""

    id = FileIdField()
    rank = serializers.IntegerField()
    match_points = FigureField(allow_null=True)
    strength_of_schedule = serializers.FloatField()
    extended_strength_of_schedule = serializers.FloatField()


class DifferenceSerializer(serializers.Serializer[Any]):
    """A figure where the file disagrees with its games."""

    id = FileIdField()
    field = serializers.CharField()
    file = FigureField(allow_null=True)
    computed = FigureField(allow_null=True)


class FirstRoundByesSerializer(serializers.Serializer[Any]):
    """Players absent from round 1 whose stated points are higher by exactly one bye."""

    players = serializers.ListField(child=FileIdField())
    are_added = serializers.BooleanField(help_text="As requested with `first_round_byes`.")


class ImportedSerializer(serializers.Serializer[Any]):
    """The imported event. With `preview`, nothing is stored and `url` is null."""

    event = serializers.CharField()
    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    cut = serializers.IntegerField()
    standings = ImportedLineSerializer(many=True)
    differences = DifferenceSerializer(many=True)
    first_round_byes = FirstRoundByesSerializer()
    url = serializers.CharField(allow_null=True)


class EventFileSerializer(serializers.Serializer[Any]):
    """An export format. `why_not` is the reason if the event has no such file (409)."""

    form = serializers.CharField(source="id")
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField(source="words")
    media_type = serializers.CharField()
    file_name = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    for_whom = serializers.CharField()
    why_not = serializers.SerializerMethodField()

    def get_file_name(self, format_: ExportFormat) -> str:
        """Name of the downloaded file."""
        return format_.file_name(self.context["tournament"])

    def get_url(self, format_: ExportFormat) -> str:
        """Address of the file."""
        slug = self.context["tournament"].slug
        path = reverse("api:export", args=[slug, format_.id])
        return str(self.context["request"].build_absolute_uri(path))

    def get_why_not(self, format_: ExportFormat) -> str:
        """Empty if the file is available."""
        return format_.why_not(self.context["tournament"])
