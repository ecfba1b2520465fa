"""Who sees decks, and what a player would see now."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Choice, Whole
from tournaments.models import (
    DeckAudience,
    IdentitiesShown,
)
from tournaments.serializers.events import PlayerNameSerializer


class StageAudienceBody(Body):
    """Who sees the decks of one stage, and from when; null: once its first round is public."""

    stage = Whole(min_value=1, max_value=99)
    shown_to = Choice(DeckAudience.choices)
    shown_at = serializers.DateTimeField(required=False, allow_null=True)


class AudiencesBody(Body):
    """Who sees the decks; stages that are not named stay as they are."""

    stages = StageAudienceBody(  # type: ignore[call-arg]
        many=True, max_length=20, required=False
    )
    identities_shown = Choice(IdentitiesShown.choices, required=False)


class StageAudienceSerializer(serializers.Serializer[Any]):
    """Who sees the decks of one stage, and from when."""

    stage = serializers.IntegerField(source="number")
    shown_to = serializers.ChoiceField(DeckAudience.choices, source="decks_shown_to")
    shown_at = serializers.DateTimeField(source="decks_shown_at", allow_null=True)


class AudiencesSerializer(serializers.Serializer[Any]):
    """Who sees the decks, and the same in sentences."""

    stages = StageAudienceSerializer(many=True)
    identities_shown = serializers.ChoiceField(IdentitiesShown.choices)
    now = serializers.ListField(child=serializers.CharField())
    to_come = serializers.ListField(child=serializers.CharField())


class PreviewLineSerializer(serializers.Serializer[Any]):
    """One player, and which of their decks and identities are seen."""

    player = PlayerNameSerializer(source="registration")
    decks = serializers.SerializerMethodField()
    identities = serializers.SerializerMethodField()
    is_own = serializers.BooleanField()
    has_handed_in = serializers.BooleanField()

    def get_decks(self, line: Any) -> list[str]:
        """The sides that are seen."""
        return [deck.side for deck in line.decks]

    def get_identities(self, line: Any) -> list[str]:
        """The titles that are seen."""
        found = [deck.version.identity for deck in line.identities]
        return [identity.title for identity in found if identity]


class PreviewSerializer(serializers.Serializer[Any]):
    """What one person would see now; without reads_event nothing."""

    reads_event = serializers.BooleanField()
    reads_notes = serializers.BooleanField()
    rounds = serializers.ListField(child=serializers.IntegerField())
    players = PreviewLineSerializer(source="lines", many=True)
