"""Clinch scenarios and chances in the API."""

from typing import Any

from rest_framework import serializers

from engine.clinch.last_round import ClinchVerdict
from tournaments.web.serializers import PointsField


class NeedSerializer(serializers.Serializer[Any]):
    """A player's scenario. Points are those of the player's own table in the last round."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    outlook = serializers.ChoiceField(
        [verdict.value for verdict in ClinchVerdict],
        source="verdict",
        help_text="The certain outcome, if nobody drops.",
    )
    place = serializers.IntegerField(allow_null=True, help_text="Null while it is undecided.")
    safe_from = PointsField(
        allow_null=True,
        help_text="The fewest points that are enough, whatever happens at other tables.",
    )
    possible_from = PointsField(
        allow_null=True, help_text="The fewest points that can be enough with other results."
    )
    is_proven = serializers.BooleanField(
        help_text="False if not every case could be checked: fewer points may be enough."
    )
    words = serializers.CharField()


class ChanceSerializer(serializers.Serializer[Any]):
    """A player's chance in the simulated rounds."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    times_in = serializers.IntegerField(help_text="Runs in which the player reached the goal.")
    low = serializers.IntegerField(help_text="Lower end of the 95 % Wilson interval, in percent.")
    high = serializers.IntegerField(help_text="Upper end of the interval.")
    words = serializers.CharField()


class ChancesSerializer(serializers.Serializer[Any]):
    """Estimate after a closed round, with random results in the remaining rounds."""

    round = serializers.IntegerField()
    rounds_left = serializers.IntegerField()
    runs = serializers.IntegerField()
    rows = ChanceSerializer(many=True)


class NeedsSerializer(serializers.Serializer[Any]):
    """Scenarios of the last round before the cut; `rows` is empty before that round."""

    round = serializers.IntegerField(allow_null=True)
    goal = serializers.CharField(help_text='For example "the top 8".')
    open_tables = serializers.IntegerField()
    rows = NeedSerializer(many=True)
    chances = ChancesSerializer(allow_null=True, help_text="Before the last round.")
