"""Serializers of a player across events."""

from typing import Any

from rest_framework import serializers

from decks.games import GAMES
from tournaments.web.serializers import PointsField


class ChartLineSerializer(serializers.Serializer[Any]):
    """Line of a chart: `hits` out of `of`, or an `average`."""

    name = serializers.CharField()
    against = serializers.CharField(
        allow_blank=True, help_text="The opposing side of a match-up, or the winners with this end."
    )
    hits = serializers.IntegerField()
    of = serializers.IntegerField()
    average = PointsField(allow_null=True)


class ChartSerializer(serializers.Serializer[Any]):
    """Chart of games played or won."""

    id = serializers.CharField()
    title = serializers.CharField()
    lines = ChartLineSerializer(many=True)


class GameRecordSerializer(serializers.Serializer[Any]):
    """Record in one game system: tables by match points, counted per opponent."""

    game = serializers.ChoiceField([(id_, game.name) for id_, game in GAMES.items()])
    events = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    charts = ChartSerializer(many=True)


class PersonSerializer(serializers.Serializer[Any]):
    """Player across events, with the public name."""

    id = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.public_name")
    pronouns = serializers.CharField(source="player.pronouns")
    games = GameRecordSerializer(many=True)


class PlayedDeckSerializer(serializers.Serializer[Any]):
    """Deck. `identity` is empty if it is hidden; `is_open` is true if the decklist is public."""

    side = serializers.CharField()
    identity = serializers.CharField()
    is_open = serializers.BooleanField()


class RecordSerializer(serializers.Serializer[Any]):
    """Matches won, drawn and lost by match points, and byes."""

    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    byes = serializers.IntegerField()


class PersonEventSerializer(serializers.Serializer[Any]):
    """Event of the player. `number` is the player's number at the event."""

    event = serializers.SlugField(source="event.slug")
    name = serializers.CharField(source="event.name")
    game = serializers.CharField(source="event.game")
    day = serializers.DateField(source="event.starts_on")
    number = serializers.IntegerField()
    place = serializers.CharField(help_text="Final place as text; empty before a round is closed.")
    record = RecordSerializer(allow_null=True)
    points = PointsField(allow_null=True)
    decks = PlayedDeckSerializer(many=True)


class OpponentSerializer(serializers.Serializer[Any]):
    """Opponent. All unnamed opponents share a line with null as id and name."""

    id = serializers.IntegerField(source="player.pk", allow_null=True, default=None)
    name = serializers.CharField(source="player.public_name", allow_null=True, default=None)
    tables = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
