"""Rulings as judges cite them: by code and number of the version."""

from typing import Any

from django.core.exceptions import ValidationError as NotFound
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from rulings.forms import LONGEST_NOTE, MOST_CITED, CitedField
from rulings.models import JudgeNote, NoteKind, Ruling, RulingVersion
from rulings.permissions import readable_by_program

A_CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9-]{0,79}$")
MOST_VERSIONS = 9999


class CiteSerializer(Body):
    """A version of a ruling; without a number the one that holds now."""

    code = Text(
        max_length=80,
        validators=[A_CODE],
        help_text='The code or the short code, such as "R-0231".',
    )
    version = Whole(
        min_value=1, max_value=MOST_VERSIONS, allow_null=True, required=False, default=None
    )


@extend_schema_field(CiteSerializer(many=True))
class CitesField(serializers.ListField):
    """What somebody cites, in order: becomes RulingVersions; a code nobody knows is a 400."""

    child = CiteSerializer()

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "max_length": MOST_CITED, **options})

    def to_internal_value(self, data: Any) -> list[RulingVersion]:
        """The versions. Raises ValidationError with the nearest codes."""
        among = readable_by_program(self.context["request"])
        return [_version(cite, among) for cite in super().to_internal_value(data)]


def _version(cite: dict[str, Any], among: QuerySet[Ruling]) -> RulingVersion:
    number = cite["version"]
    typed = f"{cite['code']} v{number}" if number else cite["code"]
    field = CitedField()
    field.among = among
    try:
        (version,) = field.clean(typed)
    except NotFound as unknown:
        raise serializers.ValidationError(unknown.messages) from unknown
    return version


class CitedSerializer(serializers.Serializer[Any]):
    """A version that was cited; `newest` is the number of the newest one by now."""

    code = serializers.CharField(source="version.ruling.short_code")
    version = serializers.IntegerField(source="version.number")
    newest = serializers.IntegerField()
    subject = serializers.CharField(source="version.ruling.subject")


def cited_by(note: str) -> Any:
    """The field of what a note rests on, which may be null; `note` is its attribute."""
    return CitedSerializer(many=True, source=f"{note}.citations.all", default=list, read_only=True)


class NoteSerializer(serializers.ModelSerializer[JudgeNote]):
    """What a judge wrote about a match."""

    kind = serializers.ChoiceField(NoteKind.choices)
    author = serializers.CharField(allow_null=True)
    rulings = CitedSerializer(many=True, source="citations")

    class Meta:
        model = JudgeNote
        fields = ["id", "kind", "author", "text", "rulings", "created_at"]


class NoteWanted(Body):
    """A note on a match: words, rulings, or both."""

    text = Text(required=False, allow_blank=True, default="", max_length=LONGEST_NOTE)
    rulings = CitesField(default=list)
