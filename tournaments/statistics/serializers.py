"""Statistics in the API."""

from typing import Any

from rest_framework import serializers

from decks import games
from decks.models import Side
from engine.standings.records import as_decimal
from tournaments.statistics.rules import (
    DIGITS,
    MIN_FOR_RATE,
    MIN_GROUP,
    ChartKind,
    ChartRow,
    ChartSection,
)


class StatisticsLineSerializer(serializers.Serializer[Any]):
    """A line of a chart: `count` out of `of`, or an `average` over `of`.

    The share and its 95 % Wilson interval are null if the sample is too small for a percentage.
    """

    name = serializers.CharField()
    against = serializers.CharField(
        allow_blank=True,
        help_text="The opposing side of a match-up, or the winner of games with this ending.",
    )
    faction = serializers.CharField(source="group", allow_blank=True)
    side = serializers.ChoiceField(Side.choices, allow_blank=True)
    count = serializers.IntegerField(
        allow_null=True, help_text="Null if the line only has an average."
    )
    of = serializers.IntegerField()
    share = serializers.SerializerMethodField()
    lowest = serializers.SerializerMethodField()
    highest = serializers.SerializerMethodField()
    average = serializers.SerializerMethodField()

    def get_share(self, line: ChartRow) -> float | None:
        """From 0 to 1, to four digits."""
        return line.rounded_rate[0]

    def get_lowest(self, line: ChartRow) -> float | None:
        """Lower end of the interval of the share."""
        return line.rounded_rate[1]

    def get_highest(self, line: ChartRow) -> float | None:
        """Upper end of the interval of the share."""
        return line.rounded_rate[2]

    def get_average(self, line: ChartRow) -> str | None:
        """Minutes, points or copies, to four digits; null for a line without an average."""
        return None if line.average is None else as_decimal(line.average, DIGITS)


class StatisticsChartSerializer(serializers.Serializer[Any]):
    """Lines of the same kind, highest first; `about` describes what is counted."""

    id = serializers.CharField()
    part = serializers.ChoiceField([section.value for section in ChartSection], source="section")
    kind = serializers.ChoiceField([kind.value for kind in ChartKind])
    title = serializers.CharField()
    about = serializers.CharField()
    lines = StatisticsLineSerializer(many=True)


class PlayStatisticsSerializer(serializers.Serializer[Any]):
    """Identities, win rates, endings and round lengths of a set of events of the same game."""

    game = serializers.ChoiceField(games.CHOICES)
    events = serializers.IntegerField(source="count.events")
    players = serializers.IntegerField(source="count.players")
    entries = serializers.IntegerField(
        source="count.entries", help_text="Players, counted once for each event."
    )
    matches = serializers.IntegerField(source="count.matches")
    games = serializers.IntegerField(source="count.games")
    matches_without_games = serializers.IntegerField(
        source="count.untold", help_text="Matches of which only the points are known."
    )
    late_events = serializers.IntegerField(
        help_text="Events still being counted. Their previous figures are used, if there are any."
    )
    least_for_a_share = serializers.SerializerMethodField()
    least_group = serializers.SerializerMethodField()
    charts = StatisticsChartSerializer(many=True)

    def get_least_for_a_share(self, statistics: Any) -> int:
        """Smaller samples have no share."""
        return MIN_FOR_RATE

    def get_least_group(self, statistics: Any) -> int | None:
        """Smaller groups of decks are left out during the event; null once it is over."""
        return MIN_GROUP if statistics.hides_small else None
