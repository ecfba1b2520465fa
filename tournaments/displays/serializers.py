"""Serializers of overlay data, for programs that draw their own overlays."""

from typing import Any

from rest_framework import serializers

from decks.models import Side
from tournaments.results.result_bodies import ROLES
from tournaments.rounds.serializers import CLOCK_STATES
from tournaments.web.serializers import PointsField


class OverlayClockSerializer(serializers.Serializer[Any]):
    """Clock. A running clock has `ends_at`, a stopped clock the seconds `left`."""

    round = serializers.IntegerField(source="round_number")
    state = serializers.ChoiceField(CLOCK_STATES)
    ends_at = serializers.DateTimeField(allow_null=True)
    left = serializers.IntegerField()
    overtime = serializers.IntegerField(help_text="Seconds of play after the clock reaches zero.")
    extra_minutes = serializers.IntegerField()


class OverlayIdentitySerializer(serializers.Serializer[Any]):
    """Public identity."""

    title = serializers.CharField()
    name = serializers.CharField(help_text="The short name.")
    faction = serializers.CharField()
    side = serializers.ChoiceField(Side.choices)


class OverlaySeatSerializer(serializers.Serializer[Any]):
    """Player at the table. Games and points are null until the result is settled."""

    number = serializers.IntegerField(source="seat.number")
    name = serializers.CharField(source="seat.name")
    pronouns = serializers.CharField(source="seat.pronouns")
    role = serializers.ChoiceField(
        ROLES, source="seat.role", allow_null=True, help_text="In game 1."
    )
    chooses = serializers.BooleanField(
        source="seat.chooses", help_text="Still chooses a side, so the table has no roles yet."
    )
    faction = serializers.CharField(source="seat.faction")
    identities = OverlayIdentitySerializer(many=True)
    games_won = serializers.IntegerField(allow_null=True)
    points = PointsField(source="seat.points", allow_null=True)
    has_won = serializers.BooleanField(source="seat.has_won")
    points_before = PointsField(source="before", allow_null=True)
    rank = serializers.IntegerField(allow_null=True)


class OverlayTableSerializer(serializers.Serializer[Any]):
    """Table. Not shown if it is missing or if one of its players avoids the stream."""

    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="number", allow_null=True)
    is_shown = serializers.BooleanField()
    seats = OverlaySeatSerializer(many=True)
    clock = OverlayClockSerializer(allow_null=True)


class OverlayRowSerializer(serializers.Serializer[Any]):
    """Row of the standings. Players who avoid the stream have no number and no name."""

    rank = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    pronouns = serializers.CharField()
    points = PointsField()


class OverlayStandingsSerializer(serializers.Serializer[Any]):
    """Page of the current standings."""

    after_round = serializers.IntegerField(allow_null=True)
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    rows = OverlayRowSerializer(many=True)


class OverlayClockAnswer(serializers.Serializer[Any]):
    """Clock of the round, null without a clock."""

    clock = OverlayClockSerializer(allow_null=True)
