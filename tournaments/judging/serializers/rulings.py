"""Local rulings."""

from typing import Any

from rest_framework import serializers

from tournaments.web.serializers import cited_by


class LocalRulingSerializer(serializers.Serializer[Any]):
    """A ruling that holds at the event, or held there; `text` is what holds.

    One that was not `made_here` was made at an earlier event and is used again.
    """

    id = serializers.IntegerField(source="local.pk")
    code = serializers.CharField(source="local.ruling.short_code")
    subject = serializers.CharField(source="local.ruling.subject")
    version = serializers.IntegerField(source="version.number", allow_null=True)
    newest = serializers.IntegerField(
        source="local.ruling.current.number",
        allow_null=True,
        help_text="Number of the newest version.",
    )
    text = serializers.CharField(source="version.text", allow_null=True)
    reason = serializers.CharField(source="version.reason", allow_null=True)
    made_here = serializers.BooleanField(source="local.made_here")
    has_ended = serializers.BooleanField()
    rulings = cited_by("local.basis")
