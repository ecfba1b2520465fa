"""API serializers of judge calls, penalties, the infraction guide and local rulings."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
from rulings.forms import LONGEST_NOTE, LONGEST_REASON
from rulings.guide import PenaltyKind
from rulings.models import JudgeCall
from tournaments.judging.pages import GuideDifference
from tournaments.judging.queries import CALL_KIND_FILTERS, TableCall, public_judge_name
from tournaments.models import Penalty
from tournaments.web.serializers import (
    CitesField,
    NoteSerializer,
    PlayerNameSerializer,
    citations_field,
)

MAX_MINUTES = 60
CALL_STATES = ["open", "answered", "withdrawn"]
PENALTY_KINDS = [kind.value for kind in PenaltyKind]
# Penalties that can be given with an answer.
CALL_PENALTY_KINDS = [
    kind.value for kind in PenaltyKind if kind is not PenaltyKind.DISQUALIFICATION
]
# Values shown to staff who are not judges.
HIDDEN_FROM_STAFF = {"about": "", "raised_by": None, "escalated_by": None}
MAX_PLAYER_NUMBER = 99_999


class NumberedNameSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()


class CallSerializer(serializers.Serializer[Any]):
    """A call with its table. The context requires `numbers`, player numbers by player key.

    `raised_by` is a player, or the staff member who entered the call at the desk. `appeals` is the
    call whose answer was appealed, `appealed_by` the appeal of this call. `overturned` is set on
    appeals only.
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
        """The players of the table."""
        numbers = self.context["numbers"]
        return [
            {"number": numbers[seat.player_id], "name": seat.player.name}
            for seat in line.pairing.seats
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_raised_by(self, line: TableCall) -> str | None:
        """A name; null if the account was deleted."""
        call = line.call
        if call.player is not None:
            return call.player.name
        return call.user.staff_name if call.user is not None else None


class QueuedCallSerializer(CallSerializer):
    """A call with the options of the judge.

    For staff who are not judges, `about` is empty, and `raised_by` and `escalated_by` are null.
    """

    waits_minutes = serializers.IntegerField(
        source="waited", allow_null=True, help_text="Whole minutes; null once the call is over."
    )
    is_mine = serializers.BooleanField(help_text="True if you have taken the call.")
    can_answer = serializers.BooleanField()
    can_give_back = serializers.BooleanField()
    can_escalate = serializers.BooleanField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        body: dict[str, Any] = super().to_representation(instance)
        return body if self.context["judges"] else body | HIDDEN_FROM_STAFF


class CallDetailSerializer(CallSerializer):
    """A call with `before`, other calls of the table and its players, and `notes` on the match."""

    can_answer = serializers.BooleanField(source="page.line.can_answer")
    can_give_back = serializers.BooleanField(source="page.line.can_give_back")
    can_escalate = serializers.BooleanField(source="page.line.can_escalate")
    can_appeal = serializers.BooleanField(source="page.can_appeal")
    before = CallSerializer(many=True, source="page.before")
    notes = NoteSerializer(many=True, source="page.notes")


class OwnCallSerializer(serializers.Serializer[JudgeCall]):
    """A call as shown to the players of its table."""

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
        """Public name of the judge who has taken the call."""
        return public_judge_name(call.taken_by)

    def get_answered_by(self, call: JudgeCall) -> str | None:
        """Public name of the judge who answered."""
        return public_judge_name(call.answered_by)

    def get_is_mine(self, call: JudgeCall) -> bool:
        """True if you raised the call and can cancel it."""
        player = self.context["player"]
        return player is not None and call.player_id == player.pk


class OwnTableCallsSerializer(serializers.Serializer[Any]):
    """The open call and the newest answer at your table."""

    open = OwnCallSerializer(allow_null=True)
    answered = OwnCallSerializer(allow_null=True)
    can_appeal = serializers.BooleanField(help_text="True while the answer can be appealed.")


class CallBody(RequestBody):
    """A call or an appeal."""

    about = StrictCharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class StaffCallBody(CallBody):
    """A call entered at the desk, for a table of the current round."""

    table = StrictIntegerField(min_value=1, max_value=9999)


class ReasonBody(RequestBody):
    """An optional reason."""

    reason = StrictCharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class CallPenaltyBody(RequestBody):
    """A penalty that is given with an answer. `kind` defaults to the guide's penalty.

    A game loss or a harder penalty requires the `version` of its effect.
    """

    player = StrictIntegerField(min_value=1, max_value=MAX_PLAYER_NUMBER)
    infraction = StrictCharField(max_length=60)
    kind = serializers.ChoiceField(CALL_PENALTY_KINDS, allow_null=True, default=None)
    game = StrictIntegerField(min_value=1, max_value=9, allow_null=True, default=None)
    version = StrictCharField(allow_blank=True, default="", max_length=16)


class AnswerBody(RequestBody):
    """The answer to a call, with minutes added to the clock of the table.

    `overturned` is required for an appeal, and allowed only there.
    """

    text = StrictCharField(max_length=LONGEST_NOTE, allow_blank=True, default="")
    rulings = CitesField(default=list)
    minutes = StrictIntegerField(min_value=0, max_value=MAX_MINUTES, default=0)
    overturned = StrictBooleanField(allow_null=True, default=None)
    penalty = CallPenaltyBody(allow_null=True, default=None)


class CallsQuery(serializers.Serializer[Any]):
    state = serializers.ChoiceField(
        ["open", "over"], default="open", help_text="Only judges can use `over`."
    )
    round = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="Past calls of a round."
    )
    judge = serializers.CharField(
        max_length=150,
        required=False,
        help_text="Name or username of the judge who answered.",
    )
    kind = serializers.ChoiceField(
        list(CALL_KIND_FILTERS),
        required=False,
        help_text="Appeals, or calls left to the head judge.",
    )


# Penalties and the infraction guide.


class InfractionSerializer(serializers.Serializer[Any]):
    """An infraction. `ladder` lists the penalties for the first offence, the second, and so on."""

    code = serializers.CharField(source="infraction.code")
    name = serializers.CharField(source="infraction.name")
    category = serializers.CharField(source="infraction.category")
    description = serializers.CharField(source="infraction.description")
    ladder: Any = serializers.ListField(
        source="infraction.ladder", child=serializers.ChoiceField(PENALTY_KINDS)
    )
    otherwise = serializers.ChoiceField(
        [difference.value for difference in GuideDifference],
        help_text="Difference from the shipped guide; empty if there is none.",
    )
    is_off = serializers.BooleanField()


class PenaltySerializer(serializers.ModelSerializer[Penalty]):
    """A penalty. If it `waits`, it costs a game or match of the player's next round."""

    player = PlayerNameSerializer(source="registration")
    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    kind = serializers.ChoiceField(PENALTY_KINDS)
    expected = serializers.ChoiceField(PENALTY_KINDS, help_text="The penalty of the guide.")
    text = serializers.CharField(source="note.text")
    rulings = citations_field("note")
    given_by = serializers.CharField(source="note.author.staff_name", allow_null=True)
    stands = serializers.BooleanField(source="is_in_force")
    waits = serializers.BooleanField(source="is_waiting")
    withdrawn_by = serializers.CharField(source="withdrawn_by.staff_name", allow_null=True)

    class Meta:
        model = Penalty
        fields = [
            *("id", "player", "round", "table", "infraction", "infraction_name", "kind"),
            *("expected", "game", "text", "rulings", "given_by", "given_at", "stands", "waits"),
            *("dropped", "withdrawn_at", "withdrawn_by", "withdrawn_reason"),
        ]


class PenaltiesQuery(serializers.Serializer[Any]):
    round = serializers.IntegerField(
        min_value=0, max_value=9999, required=False, help_text="0 means before round 1."
    )
    player = serializers.IntegerField(min_value=1, max_value=MAX_PLAYER_NUMBER, required=False)
    infraction = serializers.SlugField(max_length=60, required=False)
    kind = serializers.ChoiceField(PENALTY_KINDS, required=False)
    judge = serializers.CharField(max_length=150, required=False, help_text="A name or username.")


class PenaltyBody(RequestBody):
    """A penalty. `kind` defaults to the guide's penalty.

    It applies to the table of `round` and `table`, by default to the player's current table,
    otherwise to the next round. A game loss or a harder penalty requires the `version` of its
    effect, and is refused if the effect has changed since.
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
        if (attrs["round"] is None) != (attrs["table"] is None):
            message = "Send both the round and the table, or neither."
            raise serializers.ValidationError({"table": [message]})
        return attrs


class WithdrawalBody(RequestBody):
    """The withdrawal of a penalty."""

    reason = StrictCharField(max_length=500)


# Local rulings.


class LocalRulingSerializer(serializers.Serializer[Any]):
    """A local ruling in its wording at the event.

    If it was not `made_here`, it comes from an earlier event.
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
