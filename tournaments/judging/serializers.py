"""Judge calls in the API, to judges and to the players of the table."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
from rulings.forms import LONGEST_NOTE, LONGEST_REASON
from rulings.guide import PenaltyKind
from rulings.models import JudgeCall
from tournaments.judging.pages import GuideDifference
from tournaments.judging.queries import CALL_KIND_FILTERS, TableCall, public_judge_name
from tournaments.models import Pairing, Penalty
from tournaments.web.serializers import (
    CitesField,
    NoteSerializer,
    PlayerNameSerializer,
    citations_field,
)

MAX_MINUTES = 60
CALL_STATES = ["open", "answered", "withdrawn"]
CALL_PENALTY_KINDS = [
    kind.value for kind in PenaltyKind if kind is not PenaltyKind.DISQUALIFICATION
]
"""What can be given with an answer."""
HIDDEN_FROM_STAFF = {"about": "", "raised_by": None, "escalated_by": None}
"""What others behind the desk get instead: that a table waits, and for whom."""


class NumberedNameSerializer(serializers.Serializer[Any]):
    """A player of the event."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class CallSerializer(serializers.Serializer[Any]):
    """A call with its table; wants {"numbers": {player id: number}} as context.

    `raised_by` is a player, or who typed the call at the desk. `appeals` is the call whose answer
    was not accepted, `appealed_by` the one that appeals this; `overturned` is said of appeals.
    """

    id = serializers.IntegerField(source="call.pk")
    state = serializers.ChoiceField(CALL_STATES, source="call.state", read_only=True)
    round = serializers.IntegerField(source="pairing.round.number")
    table = serializers.IntegerField(source="pairing.table_number")
    players = serializers.SerializerMethodField()
    about = serializers.CharField(source="call.about")
    raised_by = serializers.SerializerMethodField()
    raised_at = serializers.DateTimeField(source="call.raised_at")
    taken_by = serializers.CharField(source="call.taken_by.staff_name", allow_null=True)
    taken_at = serializers.DateTimeField(source="call.taken_at", allow_null=True)
    for_head_judge = serializers.BooleanField(source="call.for_head_judge")
    escalated_by = serializers.CharField(source="call.escalated_by.staff_name", allow_null=True)
    escalated_at = serializers.DateTimeField(source="call.escalated_at", allow_null=True)
    appeals = serializers.IntegerField(source="call.appeals_id", allow_null=True)
    appealed_by = serializers.IntegerField(source="call.appeal.pk", allow_null=True)
    answered_by = serializers.CharField(source="call.answered_by.staff_name", allow_null=True)
    answered_at = serializers.DateTimeField(source="call.answered_at", allow_null=True)
    answer = serializers.CharField(source="call.answer")
    rulings = citations_field("call.note")
    minutes = serializers.IntegerField(source="call.minutes")
    overturned = serializers.BooleanField(source="call.overturned", allow_null=True)
    withdrawn_at = serializers.DateTimeField(source="call.withdrawn_at", allow_null=True)

    @extend_schema_field(NumberedNameSerializer(many=True))
    def get_players(self, line: TableCall) -> list[dict[str, Any]]:
        """Who sits at the table."""
        return players_at(line.pairing, self.context["numbers"])

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_raised_by(self, line: TableCall) -> str | None:
        """A name; null where the account is gone."""
        call = line.call
        if call.player is not None:
            return call.player.name
        return call.user.staff_name if call.user is not None else None


def players_at(pairing: Pairing, numbers: dict[int, int]) -> list[dict[str, Any]]:
    """The players of a table by their seats."""
    seats = pairing.match.seats.all() if pairing.match else []
    return [{"number": numbers[seat.player_id], "name": seat.player.name} for seat in seats]


class QueuedCallSerializer(CallSerializer):
    """A call with what the asking judge may do with it.

    Staff who are no judges, {"judges": False} in the context, see that a table waits; `about` is
    empty for them, `raised_by` and `escalated_by` are null.
    """

    waits_minutes = serializers.IntegerField(
        source="waited", allow_null=True, help_text="Whole minutes; null of a call that is over."
    )
    is_mine = serializers.BooleanField(help_text="Whether the asking judge goes there.")
    can_answer = serializers.BooleanField()
    can_give_back = serializers.BooleanField()
    can_escalate = serializers.BooleanField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        body: dict[str, Any] = super().to_representation(instance)
        return body if self.context["judges"] else body | HIDDEN_FROM_STAFF


class CallDetailSerializer(CallSerializer):
    """One call with all that is known of its table.

    `before` are other calls of the table and of its players, `notes` what was noted there.
    """

    can_answer = serializers.BooleanField(source="page.line.can_answer")
    can_give_back = serializers.BooleanField(source="page.line.can_give_back")
    can_escalate = serializers.BooleanField(source="page.line.can_escalate")
    can_appeal = serializers.BooleanField(source="page.can_appeal")
    before = CallSerializer(many=True, source="page.before")
    notes = NoteSerializer(many=True, source="page.notes")


class OwnCallSerializer(serializers.Serializer[JudgeCall]):
    """A call as the players of its table read it on their phones."""

    id = serializers.IntegerField()
    state = serializers.ChoiceField(CALL_STATES, read_only=True)
    about = serializers.CharField()
    raised_at = serializers.DateTimeField()
    is_mine = serializers.SerializerMethodField()
    for_head_judge = serializers.BooleanField()
    taken_by = serializers.SerializerMethodField()
    answered_by = serializers.SerializerMethodField()
    answered_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField()
    rulings = citations_field("note")

    def get_taken_by(self, call: JudgeCall) -> str | None:
        """The judge who is on the way, never by the login name."""
        return public_judge_name(call.taken_by)

    def get_answered_by(self, call: JudgeCall) -> str | None:
        """The judge who answered, never by the login name."""
        return public_judge_name(call.answered_by)

    def get_is_mine(self, call: JudgeCall) -> bool:
        """Whether the asking player raised it, and may take it back."""
        player = self.context["player"]
        return player is not None and call.player_id == player.pk


class OwnTableCallsSerializer(serializers.Serializer[Any]):
    """What the asking player's table sees: the open call, and the newest answer."""

    open = OwnCallSerializer(allow_null=True)
    answered = OwnCallSerializer(allow_null=True)
    can_appeal = serializers.BooleanField(help_text="Whether the answer can be appealed.")


class AboutWanted(RequestBody):
    """What a call, or an appeal, is about."""

    about = StrictCharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class StaffCallWanted(AboutWanted):
    """A call that is typed at the desk for a table of the round that is played."""

    table = StrictIntegerField(min_value=1, max_value=9999)


class ReasonWanted(RequestBody):
    """Why; it may be left empty."""

    reason = StrictCharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class CallPenaltyWanted(RequestBody):
    """A penalty that is given with an answer; without a kind what the guide says.

    `version` is that of its effect, for a game loss or a harder penalty.
    """

    player = StrictIntegerField(min_value=1, max_value=99_999)
    infraction = StrictCharField(max_length=60)
    kind = serializers.ChoiceField(CALL_PENALTY_KINDS, allow_null=True, default=None)
    game = StrictIntegerField(min_value=1, max_value=9, allow_null=True, default=None)
    version = StrictCharField(allow_blank=True, default="", max_length=16)


class AnswerWanted(RequestBody):
    """How a call ended; minutes go on the clock of the table.

    `overturned` is asked for with an appeal, and only there.
    """

    text = StrictCharField(max_length=LONGEST_NOTE, allow_blank=True, default="")
    rulings = CitesField(default=list)
    minutes = StrictIntegerField(min_value=0, max_value=MAX_MINUTES, default=0)
    overturned = StrictBooleanField(allow_null=True, default=None)
    penalty = CallPenaltyWanted(allow_null=True, default=None)


class CallsAsked(serializers.Serializer[Any]):
    """Which calls are asked for."""

    state = serializers.ChoiceField(
        ["open", "over"], default="open", help_text="`over` for judges alone."
    )
    round = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="Calls that are over, of a round."
    )
    judge = serializers.CharField(
        max_length=150,
        required=False,
        help_text="Answered by the judge with this name or username.",
    )
    kind = serializers.ChoiceField(
        list(CALL_KIND_FILTERS), required=False, help_text="Appeals, or left to the head judge."
    )


# Penalties and the infraction guide in the API.


PENALTY_KINDS = [kind.value for kind in PenaltyKind]
MAX_PLAYER_NUMBER = 99_999


class InfractionSerializer(serializers.Serializer[Any]):
    """What can be done wrong; `ladder` is what it costs the first time, the second, and so on."""

    code = serializers.CharField(source="infraction.code")
    name = serializers.CharField(source="infraction.name")
    category = serializers.CharField(source="infraction.category")
    description = serializers.CharField(source="infraction.description")
    ladder: Any = serializers.ListField(
        source="infraction.ladder", child=serializers.ChoiceField(PENALTY_KINDS)
    )
    otherwise = serializers.ChoiceField(
        [one.value for one in GuideDifference],
        help_text='How it differs from the guide that ships; "" where it does not.',
    )
    is_off = serializers.BooleanField()


class PenaltySerializer(serializers.ModelSerializer[Penalty]):
    """A penalty. One that `waits` costs a game or a match of the player's next round."""

    player = PlayerNameSerializer(source="registration")
    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    kind = serializers.ChoiceField(PENALTY_KINDS)
    expected = serializers.ChoiceField(PENALTY_KINDS, help_text="What the guide said it costs.")
    text = serializers.CharField(source="note.text")
    rulings = citations_field("note")
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
    player = serializers.IntegerField(min_value=1, max_value=MAX_PLAYER_NUMBER, required=False)
    infraction = serializers.SlugField(max_length=60, required=False)
    kind = serializers.ChoiceField(PENALTY_KINDS, required=False)
    judge = serializers.CharField(max_length=150, required=False, help_text="A name or username.")


class PenaltyWanted(RequestBody):
    """A penalty. Without `kind` it is what the guide says.

    With a `round` and a `table` it is about that table; without it is about the one the player
    has now, or waits for the next round. `version` is that of its effect, which a penalty that
    costs a game or more needs: when the effect has changed since, nothing is given.
    """

    player = StrictIntegerField(min_value=1, max_value=MAX_PLAYER_NUMBER)
    infraction = StrictCharField(max_length=60)
    kind = serializers.ChoiceField(PENALTY_KINDS, allow_null=True, default=None)
    round = StrictIntegerField(min_value=1, max_value=9999, allow_null=True, default=None)
    table = StrictIntegerField(min_value=1, max_value=9999, allow_null=True, default=None)
    game = StrictIntegerField(min_value=1, max_value=9, allow_null=True, default=None)
    text = StrictCharField(allow_blank=True, default="", max_length=LONGEST_NOTE)
    rulings = CitesField(default=list)
    version = StrictCharField(allow_blank=True, default="", max_length=16)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A table is one of a round."""
        if (attrs["round"] is None) != (attrs["table"] is None):
            said = "Name the round and the table, or neither."
            raise serializers.ValidationError({"table": [said]})
        return attrs


class WithdrawWanted(RequestBody):
    """Why a penalty is taken back."""

    reason = StrictCharField(max_length=500)


# Local rulings.


class LocalRulingSerializer(serializers.Serializer[Any]):
    """A ruling that holds at the event, or held there; `text` is what holds.

    One that was not `made_here` was made at an earlier event and is used again.
    """

    id = serializers.IntegerField(source="local.pk")
    code = serializers.CharField(source="local.ruling.short_code")
    subject = serializers.CharField(source="local.ruling.subject")
    version = serializers.IntegerField(source="version.number", allow_null=True)
    newest = serializers.IntegerField(
        source="local.ruling.current.number",
        allow_null=True,
        help_text="Number of the newest version.",
    )
    text = serializers.CharField(source="version.text", allow_null=True)
    reason = serializers.CharField(source="version.reason", allow_null=True)
    made_here = serializers.BooleanField(source="local.made_here")
    has_ended = serializers.BooleanField()
    rulings = citations_field("local.basis")
