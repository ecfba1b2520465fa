"""Who is here: at the door, on day 2, at the player meeting and at a table; for the API."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole, YesNo
from tournaments.registration.serializers.roster import MOST_AT_ONCE, RegistrationSerializer
from tournaments.registration.services.arrivals import Outcome
from tournaments.web.serializers import PlayerNameSerializer

OUTCOMES = [one.value for one in Outcome]
SEATS = [2, 4]


class NumbersBody(Body):
    """Players by number; null is everybody who is not here yet."""

    numbers = serializers.ListField(
        child=Whole(min_value=1, max_value=32_767), max_length=MOST_AT_ONCE, allow_null=True
    )


class MissingBody(Body):
    """All who are missing, by number: as a list that was looked at."""

    numbers = serializers.ListField(
        child=Whole(min_value=1, max_value=32_767), max_length=10_000, allow_empty=False
    )


class DayTwoSerializer(serializers.Serializer[Any]):
    """Day 2 of an event, and who is missing."""

    starts_on = serializers.DateField(allow_null=True, help_text="Null: it has one day.")
    start_time = serializers.TimeField(allow_null=True)
    first_round = serializers.IntegerField(allow_null=True, help_text="Null: the cut.")
    begins_next = serializers.BooleanField(help_text="The next round is the first of day 2.")
    is_open = serializers.BooleanField(help_text="Players check in again.")
    players = serializers.IntegerField(help_text="Who plays on day 2.")
    missing = PlayerNameSerializer(many=True, help_text="Not checked in for it, by name.")


class ScanBody(Body):
    """What a code says, or a number or a name that was typed."""

    code = Text(max_length=400, required=False)
    typed = Text(max_length=200, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError({"code": ["Give either code or typed."]})
        return attrs


class CheckedInSerializer(serializers.Serializer[Any]):
    """How many were not here before."""

    checked_in = serializers.IntegerField()


class ArrivalSerializer(serializers.Serializer[Any]):
    """What became of somebody at the door; without an outcome it may be one of those found."""

    outcome = serializers.ChoiceField(OUTCOMES, allow_null=True)
    words = serializers.CharField(allow_blank=True)
    registration = RegistrationSerializer(allow_null=True)
    found = RegistrationSerializer(many=True)


class MeetingBody(Body):
    """How the players are seated."""

    seats = Choice(SEATS)
    with_registered = YesNo(required=False, help_text="Those who are not checked in as well.")


class MeetingSeatSerializer(serializers.Serializer[Any]):
    """A player and the table of the meeting."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    pronouns = serializers.CharField(allow_blank=True)
    table = serializers.IntegerField()


class MeetingSerializer(serializers.Serializer[Any]):
    """The player meeting. Once it is over its seats are shown to those who run the event."""

    is_on = serializers.BooleanField()
    seats = MeetingSeatSerializer(many=True)


class SeatedSerializer(serializers.Serializer[Any]):
    """A player of the table, and whether somebody misses them."""

    player = PlayerNameSerializer()
    is_missed = serializers.BooleanField()


class AbsencesSerializer(serializers.Serializer[Any]):
    """Who sits at a table and who is missed; once a result `is_told` nobody can be."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    players = SeatedSerializer(many=True)
    is_told = serializers.BooleanField()
