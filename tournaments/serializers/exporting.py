"""The files of an event, as the API lists them."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers


class EventFileSerializer(serializers.Serializer[Any]):
    """One file. Where the event has none, `why_not` says why and asking for it is a 409."""

    format = serializers.CharField(source="id")
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField(source="words")
    media_type = serializers.CharField()
    file_name = serializers.SerializerMethodField()
    address = serializers.SerializerMethodField()
    for_whom = serializers.CharField()
    why_not = serializers.SerializerMethodField()

    def get_file_name(self, format_: Any) -> str:
        """As it is kept on a disk."""
        name: str = format_.file_name(self.context["tournament"])
        return name

    def get_address(self, format_: Any) -> str:
        """Where it is fetched from."""
        slug = self.context["tournament"].slug
        path = reverse("api:export", args=[slug, format_.id])
        return str(self.context["request"].build_absolute_uri(path))

    def get_why_not(self, format_: Any) -> str:
        """Empty where there is a file."""
        words: str = format_.why_not(self.context["tournament"])
        return words
