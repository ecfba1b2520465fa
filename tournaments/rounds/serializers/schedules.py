"""The plan of a round robin as the API tells it."""

from typing import Any

from rest_framework import serializers

from tournaments.web.serializers import PointsField


class ScheduledPlayerSerializer(serializers.Serializer[Any]):
    """A player; `place` is theirs in the fixed order, null for a guest at one table."""

    place = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    name = serializers.CharField()
    has_left = serializers.BooleanField()


class EncounterSerializer(serializers.Serializer[Any]):
    """Two who meet, or one with a bye; `points` by player once the result is settled."""

    table = serializers.IntegerField(allow_null=True)
    players = ScheduledPlayerSerializer(many=True, source="places")
    points = serializers.ListField(child=PointsField())


class ScheduledRoundSerializer(serializers.Serializer[Any]):
    """One round by its number in the event; one to come shows whom the order gives it."""

    number = serializers.IntegerField()
    is_published = serializers.BooleanField()
    encounters = EncounterSerializer(many=True)


class ScheduleSerializer(serializers.Serializer[Any]):
    """The plan of a round robin; empty until its round 1 is published."""

    is_round_robin = serializers.BooleanField()
    rounds = ScheduledRoundSerializer(many=True)
