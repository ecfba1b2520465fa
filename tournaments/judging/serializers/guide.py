"""The infraction guide of an event."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, YesNo
from rulings.guide import PenaltyKind, ladder_errors

MOST_STEPS = 5
KINDS = [kind.value for kind in PenaltyKind]
OTHERWISE = ["", "changed here", "only here", "not used here"]


class InfractionSerializer(serializers.Serializer[Any]):
    """What can be done wrong; `ladder` is what it costs the first time, the second, and so on."""

    code = serializers.CharField(source="infraction.code")
    name = serializers.CharField(source="infraction.name")
    category = serializers.CharField(source="infraction.category")
    description = serializers.CharField(source="infraction.description")
    ladder: Any = serializers.ListField(
        source="infraction.ladder", child=serializers.ChoiceField(KINDS)
    )
    otherwise = serializers.ChoiceField(
        OTHERWISE, help_text='How it differs from the guide that ships; "" where it does not.'
    )
    is_off = serializers.BooleanField()


class _LadderWanted(Body):
    ladder: Any = serializers.ListField(
        child=serializers.ChoiceField(KINDS), min_length=1, max_length=MOST_STEPS
    )

    def validate_ladder(self, ladder: list[str]) -> list[str]:
        """Not milder the second time."""
        errors = [f"{error[0].upper()}{error[1:]}" for error in ladder_errors(ladder)]
        if errors:
            raise serializers.ValidationError(errors)
        return ladder


class OwnInfractionWanted(_LadderWanted):
    """An infraction that this event alone knows."""

    name = Text(max_length=120)
    description = Text(max_length=500, required=False, allow_blank=True, default="")


class InfractionWanted(_LadderWanted):
    """Another ladder, or not used here. Name and description are for the event's own alone."""

    is_off = YesNo(required=False, default=False)
    name = Text(max_length=120, required=False)
    description = Text(max_length=500, required=False, allow_blank=True)
