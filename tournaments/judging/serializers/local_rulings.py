"""Local rulings of an event, as everybody there reads them."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from rulings.forms import LONGEST_NOTE
from tournaments.web.serializers import A_CODE, CitesField, cited_by


class LocalRulingSerializer(serializers.Serializer[Any]):
    """A ruling that holds at the event, or held there; `text` is what holds.

    One that was not `made_here` was made at an earlier event and is used again.
    """

    id = serializers.IntegerField(source="local.pk")
    code = serializers.CharField(source="local.ruling.short_code")
    subject = serializers.CharField(source="local.ruling.subject")
    version = serializers.IntegerField(source="version.number", allow_null=True)
    newest = serializers.IntegerField(
        source="local.ruling.current.number", allow_null=True, help_text="Send it as `seen`."
    )
    text = serializers.CharField(source="version.text", allow_null=True)
    reason = serializers.CharField(source="version.reason", allow_null=True)
    made_here = serializers.BooleanField(source="local.made_here")
    has_ended = serializers.BooleanField()
    rulings = cited_by("local.basis")


class OfferedRulingSerializer(serializers.Serializer[Any]):
    """A ruling of an earlier event that may hold here as well."""

    code = serializers.CharField(source="short_code")
    subject = serializers.CharField()
    text = serializers.CharField(source="current.text", allow_null=True)


class _WordingWanted(Body):
    text = Text(max_length=LONGEST_NOTE)
    rulings = CitesField(default=list)


class LocalRulingWanted(_WordingWanted):
    """A new ruling: a card or a topic, its words, what it rests on, and why; public, all of it."""

    subject = Text(max_length=120)
    reason = Text(required=False, allow_blank=True, default="", max_length=200)


class NextVersionWanted(_WordingWanted):
    """Other words for a ruling, on top of the version that was read."""

    seen = Whole(min_value=1, max_value=9999)
    reason = Text(max_length=200)


class UseWanted(Body):
    """Which ruling of an earlier event holds here too."""

    code = Text(max_length=80, validators=[A_CODE])
