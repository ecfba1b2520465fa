"""Ratings in the API."""

from typing import Any

from rest_framework import serializers


class RatedPlayerSerializer(serializers.Serializer[Any]):
    """A player; `id` is unique on the whole site."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="public_name")


class RankedSerializer(serializers.Serializer[Any]):
    """A player in the list; equal ratings share a place."""

    place = serializers.IntegerField()
    player = RatedPlayerSerializer()
    rating = serializers.IntegerField(source="rating.value")
    margin = serializers.IntegerField(
        source="rating.margin", help_text="Half of the 95 % interval around the rating."
    )
    provisional = serializers.BooleanField(source="rating.is_provisional")
    events = serializers.IntegerField(help_text="Rated events the player has played.")
    games = serializers.IntegerField(help_text="Rated games; a two-game match counts as two.")
    last_played = serializers.DateField()


class EventOfDaySerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class RatingStepSerializer(serializers.Serializer[Any]):
    """The rating after a day of play, with the games and events of that day."""

    day = serializers.DateField()
    rating = serializers.IntegerField(source="rating.value")
    margin = serializers.IntegerField(source="rating.margin")
    provisional = serializers.BooleanField(source="rating.is_provisional")
    change = serializers.IntegerField(allow_null=True, help_text="Null on the first day.")
    games = serializers.IntegerField(help_text="Rated games of that day.")
    events = EventOfDaySerializer(many=True)


class RatingHistorySerializer(serializers.Serializer[Any]):
    """A player's rating today and after each day of play, newest first."""

    player = RatedPlayerSerializer()
    game = serializers.CharField(source="game.id")
    rating = serializers.IntegerField(source="today.value")
    margin = serializers.IntegerField(source="today.margin")
    provisional = serializers.BooleanField(source="today.is_provisional")
    listed = serializers.BooleanField(
        source="is_listed",
        help_text="True if the player has enough games for the list, at least one of them in the "
        "last year.",
    )
    events = serializers.IntegerField()
    games = serializers.IntegerField()
    last_played = serializers.DateField()
    history = RatingStepSerializer(many=True, source="steps")
