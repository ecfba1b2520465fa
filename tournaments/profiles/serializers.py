"""A player across events as documents of the API."""

from typing import Any

from rest_framework import serializers

from decks.games import GAMES
from tournaments.web.serializers import PointsField


class ChartLineSerializer(serializers.Serializer[Any]):
    """A side, identity, faction or end: so many `of` so many; `average` where it is one."""

    name = serializers.CharField()
    against = serializers.CharField(
        allow_blank=True, help_text="The other side of a match-up, or who won games that ended so."
    )
    hits = serializers.IntegerField()
    of = serializers.IntegerField()
    average = PointsField(allow_null=True)


class ChartSerializer(serializers.Serializer[Any]):
    """What was played, and how it went."""

    id = serializers.CharField()
    title = serializers.CharField()
    lines = ChartLineSerializer(many=True)


class GameRecordSerializer(serializers.Serializer[Any]):
    """One game: tables won, drawn and lost by match points, each opponent counted."""

    game = serializers.ChoiceField([(id_, one.name) for id_, one in GAMES.items()])
    events = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    charts = ChartSerializer(many=True)


class PersonSerializer(serializers.Serializer[Any]):
    """A player across events, under the name they show there."""

    id = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.public_name")
    pronouns = serializers.CharField(source="player.pronouns")
    games = GameRecordSerializer(many=True)


class PlayedDeckSerializer(serializers.Serializer[Any]):
    """A deck: the identity "" where it is not shown, and whether everybody reads the list."""

    side = serializers.CharField()
    identity = serializers.CharField()
    is_open = serializers.BooleanField()


class RecordSerializer(serializers.Serializer[Any]):
    """Matches by match points, and byes."""

    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    byes = serializers.IntegerField()


class PersonEventSerializer(serializers.Serializer[Any]):
    """An event of the player; `number` is theirs in it."""

    event = serializers.SlugField(source="event.slug")
    name = serializers.CharField(source="event.name")
    game = serializers.CharField(source="event.game")
    day = serializers.DateField(source="event.starts_on")
    number = serializers.IntegerField()
    place = serializers.CharField(help_text="In words; empty before a round is closed.")
    record = RecordSerializer(allow_null=True)
    points = PointsField(allow_null=True)
    decks = PlayedDeckSerializer(many=True)


class OpponentSerializer(serializers.Serializer[Any]):
    """Another player; id and name are null for all who are not named, in one line."""

    id = serializers.IntegerField(source="player.pk", allow_null=True, default=None)
    name = serializers.CharField(source="player.public_name", allow_null=True, default=None)
    tables = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
