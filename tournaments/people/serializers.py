"""A player across events as documents of the API."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, YesNo


class PrivacySerializer(serializers.Serializer[Any]):
    """What others see of a player beyond one event."""

    shown_name = serializers.CharField(
        allow_blank=True, help_text="In place of the name on pages over several events."
    )
    hides_history = serializers.BooleanField(
        help_text="No player's page for others, and in no list over several events."
    )
    hides_from_streams = serializers.BooleanField(
        help_text="At no event at a feature table, nor named on an overlay."
    )


class PrivacyBody(Body):
    """What to change; what is left out stays."""

    shown_name = Text(max_length=200, required=False, allow_blank=True)
    hides_history = YesNo(required=False)
    hides_from_streams = YesNo(required=False)
