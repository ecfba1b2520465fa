"""What another result of an old table would touch, as the API tells it."""

from typing import Any

from rest_framework import serializers

from tournaments.web.serializers import PointsField


class MovedSerializer(serializers.Serializer[Any]):
    """A player whose rank or points change."""

    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    new_rank = serializers.IntegerField()
    points = PointsField()
    new_points = PointsField()


class SeedMoveSerializer(serializers.Serializer[Any]):
    """A player in the cut before or after; null is outside of it."""

    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    new_seed = serializers.IntegerField(allow_null=True)


class CutTouchedSerializer(serializers.Serializer[Any]):
    """Who would be in a cut of the same size."""

    is_public = serializers.BooleanField()
    is_by_hand = serializers.BooleanField()
    seeds = SeedMoveSerializer(many=True)


class LaterSeatSerializer(serializers.Serializer[Any]):
    """A player at a later table, with the points before that round."""

    name = serializers.CharField()
    points = PointsField()
    new_points = PointsField()


class LaterTableSerializer(serializers.Serializer[Any]):
    """A later pairing of a player of this table; without a table it is a bye."""

    round = serializers.IntegerField(source="round_number")
    table = serializers.IntegerField(source="table_number", allow_null=True)
    seats = LaterSeatSerializer(many=True)
    stands_on_it = serializers.BooleanField()
    is_draft = serializers.BooleanField()


class ImpactSerializer(serializers.Serializer[Any]):
    """Everything that another result touches; `old_draft` is the round of a draft made by it.

    Whoever applies the change sends the `mark` along: so what was seen is what is applied.
    """

    mark = serializers.CharField()
    moved = MovedSerializer(many=True)
    cut = CutTouchedSerializer(allow_null=True)
    later = LaterTableSerializer(many=True)
    old_draft = serializers.IntegerField(allow_null=True)
