"""Penalties and the infraction guide in the API."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from rulings.forms import LONGEST_NOTE
from rulings.guide import PenaltyKind
from tournaments.judging.pages.penalties import Otherwise
from tournaments.models import Penalty
from tournaments.web.serializers import CitesField, PlayerNameSerializer, cited_by

KINDS = [kind.value for kind in PenaltyKind]
MOST_OF_A_NUMBER = 99_999


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
        [one.value for one in Otherwise],
        help_text='How it differs from the guide that ships; "" where it does not.',
    )
    is_off = serializers.BooleanField()


class PenaltySerializer(serializers.ModelSerializer[Penalty]):
    """A penalty. One that `waits` costs a game or a match of the player's next round."""

    player = PlayerNameSerializer(source="registration")
    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    kind = serializers.ChoiceField(KINDS)
    expected = serializers.ChoiceField(KINDS, help_text="What the guide said it costs.")
    text = serializers.CharField(source="note.text")
    rulings = cited_by("note")
    given_by = serializers.CharField(source="note.author.staff_name", allow_null=True)
    stands = serializers.BooleanField()
    waits = serializers.BooleanField()
    withdrawn_by = serializers.CharField(source="withdrawn_by.staff_name", allow_null=True)

    class Meta:
        model = Penalty
        fields = [
            *("id", "player", "round", "table", "infraction", "infraction_name", "kind"),
            *("expected", "game", "text", "rulings", "given_by", "given_at", "stands", "waits"),
            *("dropped", "withdrawn_at", "withdrawn_by", "withdrawn_reason"),
        ]


class PenaltyAsked(serializers.Serializer[Any]):
    """Which penalties are asked for."""

    round = serializers.IntegerField(
        min_value=0, max_value=9999, required=False, help_text="0: before round 1."
    )
    player = serializers.IntegerField(min_value=1, max_value=MOST_OF_A_NUMBER, required=False)
    infraction = serializers.SlugField(max_length=60, required=False)
    kind = serializers.ChoiceField(KINDS, required=False)
    judge = serializers.CharField(max_length=150, required=False, help_text="A name or username.")


class PenaltyWanted(Body):
    """A penalty. Without `kind` it is what the guide says.

    With a `round` and a `table` it is about that table; without it is about the one the player
    has now, or waits for the next round. `seen` is the mark of its effect, which a penalty that
    costs a game or more needs: when the effect has changed since, nothing is given.
    """

    player = Whole(min_value=1, max_value=MOST_OF_A_NUMBER)
    infraction = Text(max_length=60)
    kind = serializers.ChoiceField(KINDS, allow_null=True, required=False, default=None)
    round = Whole(min_value=1, max_value=9999, allow_null=True, required=False, default=None)
    table = Whole(min_value=1, max_value=9999, allow_null=True, required=False, default=None)
    game = Whole(min_value=1, max_value=9, allow_null=True, required=False, default=None)
    text = Text(required=False, allow_blank=True, default="", max_length=LONGEST_NOTE)
    rulings = CitesField(default=list)
    seen = Text(required=False, allow_blank=True, default="", max_length=16)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A table is one of a round."""
        if (attrs["round"] is None) != (attrs["table"] is None):
            said = "Name the round and the table, or neither."
            raise serializers.ValidationError({"table": [said]})
        return attrs


class WithdrawWanted(Body):
    """Why a penalty is taken back."""

    reason = Text(max_length=500)
