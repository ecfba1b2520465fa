"""Penalties and the infraction guide in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole, YesNo
from rulings.forms import LONGEST_NOTE
from rulings.guide import PenaltyKind, ladder_errors
from tournaments.judging.pages.penalties import Otherwise
from tournaments.judging.serializers.calls import CallSerializer
from tournaments.models import DeckCheckOutcome, Penalty
from tournaments.web.serializers import CitesField, NoteSerializer, PlayerNameSerializer, cited_by

MOST_STEPS = 5
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


class LookSerializer(serializers.Serializer[Any]):
    """What a penalty would do: sentences, and their mark to send as `seen`."""

    expected = serializers.ChoiceField(KINDS)
    earlier = serializers.IntegerField(help_text="How often it was penalised here already.")
    kind = serializers.ChoiceField(KINDS)
    effect: Any = serializers.ListField(child=serializers.CharField())
    seen = serializers.CharField()


class WithdrawWanted(Body):
    """Why a penalty is taken back."""

    reason = Text(max_length=500)


class AgainWanted(Body):
    """Why a penalty stands again; it may be left empty."""

    reason = Text(required=False, allow_blank=True, default="", max_length=500)


class NextTimeSerializer(serializers.Serializer[Any]):
    """What the guide says when the player does it again."""

    infraction = serializers.CharField(source="infraction.code")
    infraction_name = serializers.CharField(source="infraction.name")
    earlier = serializers.IntegerField()
    penalty = serializers.ChoiceField(KINDS, source="kind")


class TableNoteSerializer(serializers.Serializer[Any]):
    """A note and the table it is about."""

    round = serializers.IntegerField(source="pairing.round.number")
    table = serializers.IntegerField(source="pairing.table_number")
    note = NoteSerializer()


class CheckDoneSerializer(serializers.Serializer[Any]):
    """A deck of the player that was checked; `outcome` is "" while it is not."""

    round = serializers.IntegerField(source="draw.round_number")
    side = serializers.CharField(source="submission.side")
    outcome = serializers.ChoiceField(DeckCheckOutcome.choices)
    note = serializers.CharField()
    checked_at = serializers.DateTimeField(allow_null=True)


class ConductSerializer(serializers.Serializer[Any]):
    """The history of one player at the event."""

    player = PlayerNameSerializer(source="place")
    penalties = serializers.SerializerMethodField()
    next_times = NextTimeSerializer(many=True)
    calls = CallSerializer(many=True)
    notes = TableNoteSerializer(many=True)
    checks = CheckDoneSerializer(many=True)

    @extend_schema_field(PenaltySerializer(many=True))
    def get_penalties(self, conduct: Any) -> Any:
        """Those that stand first, the newest first."""
        return PenaltySerializer(conduct.penalties, many=True).data
