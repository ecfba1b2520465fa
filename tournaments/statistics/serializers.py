"""Statistics as the API says them."""

from fractions import Fraction
from typing import Any

from rest_framework import serializers

from decks import games
from decks.models import Side
from engine.standings.records import as_decimal
from tournaments.statistics.rules import LEAST_FOR_RATE, LEAST_GROUP, ChartKind, ChartSection

DIGITS = 4


class StatisticsLineSerializer(serializers.Serializer[Any]):
    """One line of a chart: `count` of `of`, or an `average` of `of`.

    The share and its 95 % Wilson interval are null where there are too few for a percentage.
    """

    name = serializers.CharField()
    against = serializers.CharField(
        allow_blank=True, help_text="The other side of a match-up, or who won games that ended so."
    )
    faction = serializers.CharField(source="group", allow_blank=True)
    side = serializers.ChoiceField(Side.choices, allow_blank=True)
    count = serializers.IntegerField(
        allow_null=True, help_text="Null where only the average says something."
    )
    of = serializers.IntegerField()
    share = serializers.SerializerMethodField()
    lowest = serializers.SerializerMethodField()
    highest = serializers.SerializerMethodField()
    average = serializers.SerializerMethodField()

    def get_share(self, line: Any) -> float | None:
        """From 0 to 1, to four digits."""
        return _rounded_rate(line, line.rate.share)

    def get_lowest(self, line: Any) -> float | None:
        """Where the interval of the share begins."""
        return _rounded_rate(line, line.rate.interval and line.rate.interval[0])

    def get_highest(self, line: Any) -> float | None:
        """Where it ends."""
        return _rounded_rate(line, line.rate.interval and line.rate.interval[1])

    def get_average(self, line: Any) -> str | None:
        """Minutes, points or copies, to four digits; null for a line that has none."""
        return None if line.average is None else as_decimal(line.average, DIGITS)


def _rounded_rate(line: Any, value: Fraction | float | None) -> float | None:
    return None if value is None or line.count is None else round(float(value), DIGITS)


class StatisticsChartSerializer(serializers.Serializer[Any]):
    """Lines of one kind, most first; `about` says what is counted."""

    id = serializers.CharField()
    part = serializers.ChoiceField([one.value for one in ChartSection], source="section")
    kind = serializers.ChoiceField([one.value for one in ChartKind])
    title = serializers.CharField()
    about = serializers.CharField()
    lines = StatisticsLineSerializer(many=True)


class PlayStatisticsSerializer(serializers.Serializer[Any]):
    """What was played in some events of one game, what won, and how long it took."""

    game = serializers.ChoiceField(games.CHOICES)
    events = serializers.IntegerField(source="count.events")
    players = serializers.IntegerField(source="count.players")
    entries = serializers.IntegerField(
        source="count.entries", help_text="Players, counted once for each event."
    )
    matches = serializers.IntegerField(source="count.matches")
    games = serializers.IntegerField(source="count.games")
    matches_without_games = serializers.IntegerField(
        source="count.untold", help_text="Only their points are known."
    )
    late_events = serializers.IntegerField(
        help_text="Events still being counted: their last figures are used, or none yet."
    )
    least_for_a_share = serializers.SerializerMethodField()
    least_group = serializers.SerializerMethodField()
    charts = StatisticsChartSerializer(many=True)

    def get_least_for_a_share(self, statistics: Any) -> int:
        """Of fewer there is no share."""
        return LEAST_FOR_RATE

    def get_least_group(self, statistics: Any) -> int | None:
        """While the event is played smaller groups of decks are left out; null once it is over."""
        return LEAST_GROUP if statistics.hides_small else None
