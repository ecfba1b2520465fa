"""The parts of an event and the way into it, as the API tells them."""

from typing import Any

from rest_framework import serializers

from tournaments.models import DeckAudience, RoundState
from tournaments.sheets.stages import StageLine
from tournaments.systems import SYSTEMS


class JoiningSerializer(serializers.Serializer[Any]):
    """The join code and the address that holds it."""

    join_code = serializers.CharField()
    address = serializers.URLField()


class StageSerializer(serializers.Serializer[Any]):
    """One part of the event."""

    number = serializers.IntegerField(source="stage.number")
    system = serializers.ChoiceField(list(SYSTEMS), source="stage.system")
    scoring_rule = serializers.CharField(source="stage.scoring_rule")
    scoring = serializers.CharField(help_text="The rule by its name.")
    decks_shown_to = serializers.ChoiceField(DeckAudience.choices, source="stage.decks_shown_to")
    decks_shown_at = serializers.DateTimeField(source="stage.decks_shown_at", allow_null=True)
    rounds = serializers.SerializerMethodField()

    def get_rounds(self, line: StageLine) -> list[int]:
        """The numbers of the rounds that are published."""
        return [one.number for one in line.rounds if one.state != RoundState.DRAFT]
