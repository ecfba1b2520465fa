"""Overlays as data, for programs that draw their own."""

from typing import Any

from rest_framework import serializers

from decks.models import Side
from tournaments.results.result_bodies import ROLES
from tournaments.rounds.serializers import CLOCK_STATES
from tournaments.web.serializers import PointsField


class OverlayClockSerializer(serializers.Serializer[Any]):
    """A clock: running it has `ends_at`, standing still the seconds `left`."""

    round = serializers.IntegerField(source="round_number")
    state = serializers.ChoiceField(CLOCK_STATES)
    ends_at = serializers.DateTimeField(allow_null=True)
    left = serializers.IntegerField()
    overtime = serializers.IntegerField(help_text="Seconds that are played after zero.")
    extra_minutes = serializers.IntegerField()


class OverlayIdentitySerializer(serializers.Serializer[Any]):
    """An identity that everybody may know."""

    title = serializers.CharField()
    name = serializers.CharField(help_text="What people call it.")
    faction = serializers.CharField()
    side = serializers.ChoiceField(Side.choices)


class OverlaySeatSerializer(serializers.Serializer[Any]):
    """A player at the table; games and points are null until the result is settled."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    pronouns = serializers.CharField()
    role = serializers.ChoiceField(ROLES, allow_null=True, help_text="In game 1.")
    chooses = serializers.BooleanField(help_text="Still chooses a side, so nobody has a role.")
    faction = serializers.CharField()
    identities = OverlayIdentitySerializer(many=True)
    games_won = serializers.IntegerField(allow_null=True)
    points = PointsField(allow_null=True)
    has_won = serializers.BooleanField()
    points_before = PointsField(source="before", allow_null=True)
    rank = serializers.IntegerField(allow_null=True)


class OverlayTableSerializer(serializers.Serializer[Any]):
    """A table. It is not shown where it is not there, or somebody there avoids the stream."""

    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="number", allow_null=True)
    is_shown = serializers.BooleanField()
    seats = OverlaySeatSerializer(many=True)
    clock = OverlayClockSerializer(allow_null=True)


class OverlayRowSerializer(serializers.Serializer[Any]):
    """A row; the number is null and the name empty of who avoids the stream."""

    rank = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    pronouns = serializers.CharField()
    points = PointsField()


class OverlayStandingsSerializer(serializers.Serializer[Any]):
    """Some rows of the standings."""

    after_round = serializers.IntegerField(allow_null=True)
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    rows = OverlayRowSerializer(many=True)


class OverlayClockAnswer(serializers.Serializer[Any]):
    """The clock of the room, null where none counts."""

    clock = OverlayClockSerializer(allow_null=True)
