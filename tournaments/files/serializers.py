"""What becomes of a tournament file, and the files of an event."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

FILE: Any = OpenApiTypes.OBJECT
"""The body of the request: the file itself."""


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class FileIdField(serializers.Field[Any, Any, Any, Any]):
    """The id of a player in the file."""

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": ["number", "string"]})
class FigureField(FileIdField):
    """A figure as the file has it, or as it was computed."""


class ImportedLineSerializer(serializers.Serializer[Any]):
    """A line of the standings; `id` is that of the file."""

    id = FileIdField()
    rank = serializers.IntegerField()
    match_points = FigureField(allow_null=True)
    strength_of_schedule = serializers.FloatField()
    extended_strength_of_schedule = serializers.FloatField()


class DifferenceSerializer(serializers.Serializer[Any]):
    """Where the file says something else than its games."""

    id = FileIdField()
    field = serializers.CharField()
    file = FigureField(allow_null=True)
    computed = FigureField(allow_null=True)


class FirstRoundByesSerializer(serializers.Serializer[Any]):
    """Players absent from round 1 whose stated points are higher by exactly one bye."""

    players = serializers.ListField(child=FileIdField())
    are_added = serializers.BooleanField(help_text="As requested with `first_round_byes`.")


class ImportedSerializer(serializers.Serializer[Any]):
    """The event a file became, or with `preview` would become; then it has no address."""

    event = serializers.CharField()
    players = serializers.IntegerField()
    rounds = serializers.IntegerField()
    cut = serializers.IntegerField()
    standings = ImportedLineSerializer(many=True)
    differences = DifferenceSerializer(many=True)
    first_round_byes = FirstRoundByesSerializer()
    url = serializers.CharField(allow_null=True)


class EventFileSerializer(serializers.Serializer[Any]):
    """One file. Where the event has none, `why_not` says why and asking for it is a 409."""

    form = serializers.CharField(source="id")
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField(source="words")
    media_type = serializers.CharField()
    file_name = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    for_whom = serializers.CharField()
    why_not = serializers.SerializerMethodField()

    def get_file_name(self, format_: Any) -> str:
        """As it is kept on a disk."""
        name: str = format_.file_name(self.context["tournament"])
        return name

    def get_url(self, format_: Any) -> str:
        """Where it is fetched from."""
        slug = self.context["tournament"].slug
        path = reverse("api:export", args=[slug, format_.id])
        return str(self.context["request"].build_absolute_uri(path))

    def get_why_not(self, format_: Any) -> str:
        """Empty where there is a file."""
        words: str = format_.why_not(self.context["tournament"])
        return words
