"""What is certain about players before the last round is over, and how often they come in."""

from typing import Any

from rest_framework import serializers

from engine.clinch.last_round import ClinchVerdict
from tournaments.web.serializers import PointsField


class NeedSerializer(serializers.Serializer[Any]):
    """One player. Points are those from the own table in the last round."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    outlook = serializers.ChoiceField(
        [verdict.value for verdict in ClinchVerdict],
        source="verdict",
        help_text="What is certain, if nobody drops.",
    )
    place = serializers.IntegerField(allow_null=True, help_text="Where it is decided.")
    safe_from = PointsField(
        allow_null=True, help_text="With so many points or more in, whatever others do."
    )
    possible_from = PointsField(allow_null=True, help_text="With fewer points out.")
    is_proven = serializers.BooleanField(
        help_text="False where not every case could be checked: fewer points may be enough."
    )
    words = serializers.CharField()


class ChanceSerializer(serializers.Serializer[Any]):
    """One player when the rounds left were played out."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    times_in = serializers.IntegerField(help_text="Runs in which the player came in.")
    low = serializers.IntegerField(help_text="The 95 % interval by Wilson, in percent.")
    high = serializers.IntegerField()
    words = serializers.CharField()


class ChancesSerializer(serializers.Serializer[Any]):
    """An estimate after a closed round, with results drawn at random."""

    round = serializers.IntegerField()
    rounds_left = serializers.IntegerField()
    runs = serializers.IntegerField()
    rows = ChanceSerializer(many=True)


class NeedsSerializer(serializers.Serializer[Any]):
    """The last round of the Swiss: before it nobody is listed in `rows`."""

    round = serializers.IntegerField(allow_null=True)
    goal = serializers.CharField(help_text="Such as: the top 8.")
    open_tables = serializers.IntegerField()
    rows = NeedSerializer(many=True)
    chances = ChancesSerializer(allow_null=True, help_text="Before the last round.")
