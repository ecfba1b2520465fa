"""Judge calls in the API, to judges and to the players of the table."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole, YesNo
from rulings.forms import LONGEST_LINE, LONGEST_NOTE
from rulings.guide import PenaltyKind
from rulings.models import JudgeCall
from tournaments.judging.queries import CALL_KINDS, TableCall, judge_name
from tournaments.models import Pairing
from tournaments.web.serializers import CitesField, NoteSerializer, cited_by

MOST_MINUTES = 60
STATES = ["open", "answered", "withdrawn"]
MILDER = [kind.value for kind in PenaltyKind if kind is not PenaltyKind.DISQUALIFICATION]
"""What can be given with an answer."""
FOR_JUDGES = {"about": "", "raised_by": None, "escalated_by": None}
"""What others behind the desk get instead: that a table waits, and for whom."""


class NumberedNameSerializer(serializers.Serializer[Any]):
    """A player of the event."""

    number = serializers.IntegerField()
    name = serializers.CharField()


def state_of(call: JudgeCall) -> str:
    """Whether somebody still waits."""
    if call.is_open:
        return "open"
    return "answered" if call.answered_at else "withdrawn"


class CallSerializer(serializers.Serializer[Any]):
    """A call with its table; wants {"numbers": {player id: number}} as context.

    `raised_by` is a player, or who typed the call at the desk. `appeals` is the call whose answer
    was not accepted, `appealed_by` the one that appeals this; `overturned` is said of appeals.
    """

    id = serializers.IntegerField(source="call.pk")
    state = serializers.SerializerMethodField()
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
    rulings = cited_by("call.note")
    minutes = serializers.IntegerField(source="call.minutes")
    overturned = serializers.BooleanField(source="call.overturned", allow_null=True)
    withdrawn_at = serializers.DateTimeField(source="call.withdrawn_at", allow_null=True)

    @extend_schema_field(serializers.ChoiceField(STATES))
    def get_state(self, line: TableCall) -> str:
        """Whether somebody still waits."""
        return state_of(line.call)

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
        return body if self.context["judges"] else body | FOR_JUDGES


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
    state = serializers.SerializerMethodField()
    about = serializers.CharField()
    raised_at = serializers.DateTimeField()
    is_mine = serializers.SerializerMethodField()
    for_head_judge = serializers.BooleanField()
    taken_by = serializers.SerializerMethodField()
    answered_by = serializers.SerializerMethodField()
    answered_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField()
    rulings = cited_by("note")

    @extend_schema_field(serializers.ChoiceField(STATES))
    def get_state(self, call: JudgeCall) -> str:
        """Whether the table still waits."""
        return state_of(call)

    def get_taken_by(self, call: JudgeCall) -> str | None:
        """The judge who is on the way, never by the login name."""
        return judge_name(call.taken_by)

    def get_answered_by(self, call: JudgeCall) -> str | None:
        """The judge who answered, never by the login name."""
        return judge_name(call.answered_by)

    def get_is_mine(self, call: JudgeCall) -> bool:
        """Whether the asking player raised it, and may take it back."""
        player = self.context["player"]
        return player is not None and call.player_id == player.pk


class OwnTableCallsSerializer(serializers.Serializer[Any]):
    """What the asking player's table sees: the open call, and the newest answer."""

    open = OwnCallSerializer(allow_null=True)
    answered = OwnCallSerializer(allow_null=True)
    can_appeal = serializers.BooleanField(help_text="Whether the answer can be appealed.")


def _words(**options: Any) -> Text:
    given = {"required": False, "allow_blank": True, "default": "", "max_length": LONGEST_LINE}
    return Text(**{**given, **options})


class AboutWanted(Body):
    """What a call, or an appeal, is about."""

    about = _words()


class StaffCallWanted(AboutWanted):
    """A call that is typed at the desk for a table of the round that is played."""

    table = Whole(min_value=1, max_value=9999)


class ReasonWanted(Body):
    """Why; it may be left empty."""

    reason = _words()


class CallPenaltyWanted(Body):
    """A penalty that is given with an answer; without a kind what the guide says.

    `seen` is the mark of its effect, for what costs a game or more.
    """

    player = Whole(min_value=1, max_value=99_999)
    infraction = Text(max_length=60)
    kind = serializers.ChoiceField(MILDER, allow_null=True, required=False, default=None)
    game = Whole(min_value=1, max_value=9, allow_null=True, required=False, default=None)
    seen = Text(required=False, allow_blank=True, default="", max_length=16)


class AnswerWanted(Body):
    """How a call ended; minutes go on the clock of the table.

    `overturned` is asked for with an appeal, and only there.
    """

    text = _words(max_length=LONGEST_NOTE)
    rulings = CitesField(default=list)
    minutes = Whole(min_value=0, max_value=MOST_MINUTES, required=False, default=0)
    overturned = YesNo(allow_null=True, required=False, default=None)
    penalty = CallPenaltyWanted(allow_null=True, required=False, default=None)


class CallsAsked(serializers.Serializer[Any]):
    """Which calls are asked for."""

    state = serializers.ChoiceField(
        ["open", "over"], required=False, default="open", help_text="`over` for judges alone."
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
        list(CALL_KINDS), required=False, help_text="Appeals, or left to the head judge."
    )
