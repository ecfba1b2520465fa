"""The log and a player's own day as documents of the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import StrictCharField
from tournaments.models import DroppedBy, Penalty, Registration, RegistrationState, codes
from tournaments.my_event.pages import MyPageState
from tournaments.registration.serializers import DeckStateSerializer, NameBody
from tournaments.web.serializers import PointsField


class ProfileBody(NameBody):
    """The name at the table, and pronouns."""

    name = StrictCharField(max_length=200, required=False)


class MyOpponentSerializer(serializers.Serializer[Any]):
    """Somebody at the same table."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class MyRoundSerializer(serializers.Serializer[Any]):
    """A round of this player; no table is a bye."""

    number = serializers.IntegerField(source="round.number")
    name = serializers.CharField(source="title", help_text="Such as Round 3, or Semifinal.")
    table = serializers.IntegerField(source="table.table", allow_null=True)
    opponents = MyOpponentSerializer(many=True)


class MyStandingSerializer(serializers.Serializer[Any]):
    """Where the player stands after the last closed round."""

    rank = serializers.IntegerField()
    match_points = PointsField()


class MyPenaltySerializer(serializers.ModelSerializer[Penalty]):
    """A penalty as its player reads it. One that `waits` counts in the player's next round."""

    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    reason = serializers.CharField(source="note.text")
    waits = serializers.BooleanField(source="is_waiting")

    class Meta:
        model = Penalty
        fields = ["kind", "infraction_name", "reason", "round", "table", "game", "waits"]


class MeSerializer(serializers.ModelSerializer[Registration]):
    """A player's own place in the event."""

    # Wants the day of desk.pages.my_day as context "day".

    name = serializers.CharField(source="player.name")
    pronouns = serializers.CharField(source="player.pronouns")
    state = serializers.ChoiceField(RegistrationState.choices)
    dropped_by = serializers.ChoiceField([*DroppedBy.choices, ""])
    now = serializers.SerializerMethodField()
    can_check_in = serializers.SerializerMethodField()
    can_return = serializers.SerializerMethodField()
    waiting_place = serializers.SerializerMethodField()
    meeting_table = serializers.SerializerMethodField()
    check_in_code = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()
    standing = serializers.SerializerMethodField()
    cut_seed = serializers.SerializerMethodField()
    cut_place = serializers.SerializerMethodField()
    penalties = serializers.SerializerMethodField()
    decks = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = [
            "number",
            "name",
            "pronouns",
            "state",
            "dropped_by",
            "now",
            "can_check_in",
            "can_return",
            "waiting_place",
            "meeting_table",
            "avoids_stream",
            "paid_at",
            "check_in_code",
            "rounds",
            "standing",
            "cut_seed",
            "cut_place",
            "penalties",
            "decks",
        ]

    @extend_schema_field(serializers.ChoiceField([one.value for one in MyPageState]))
    def get_now(self, _registration: Registration) -> str:
        """What is to be done first."""
        now: MyPageState = self.context["day"]["state"]
        return now.value

    def get_can_check_in(self, _registration: Registration) -> bool:
        """Whether the player can say "I am here" now."""
        return bool(self.context["day"]["can_check_in"])

    def get_can_return(self, _registration: Registration) -> bool:
        """Whether who left can come back by themselves."""
        return bool(self.context["day"]["arriving"].can_return)

    def get_waiting_place(self, _registration: Registration) -> int | None:
        """1 for who moves up next; null for who does not wait."""
        place: int | None = self.context["day"]["arriving"].waiting_place
        return place

    def get_meeting_table(self, registration: Registration) -> int | None:
        """The seat at the player meeting, while it is on."""
        return registration.meeting_table if self.context["day"]["has_meeting"] else None

    def get_check_in_code(self, registration: Registration) -> str:
        """What the staff scan."""
        return codes.check_in_code(registration.pk)

    @extend_schema_field(MyRoundSerializer(many=True))
    def get_rounds(self, _registration: Registration) -> Any:
        """The published rounds, first to last."""
        return MyRoundSerializer(self.context["day"]["rounds"], many=True).data

    @extend_schema_field(MyStandingSerializer(allow_null=True))
    def get_standing(self, _registration: Registration) -> Any:
        """Null before the first round is closed."""
        standing = self.context["day"]["standing"]
        return MyStandingSerializer(standing).data if standing else None

    def get_cut_seed(self, _registration: Registration) -> int | None:
        """The seed in the cut once that is published; null for who is not in it."""
        seed: int | None = self.context["day"]["cut_seed"]
        return seed

    def get_cut_place(self, _registration: Registration) -> int | None:
        """The place in the event once the cut has decided it; null before, and without a cut."""
        placing = self.context["day"]["placing"]
        return placing.rank if placing else None

    @extend_schema_field(MyPenaltySerializer(many=True))
    def get_penalties(self, _registration: Registration) -> Any:
        """The penalties in force against the player."""
        day = self.context["day"]
        rows = [*day["new_penalties"], *day["earlier_penalties"]]
        return MyPenaltySerializer(rows, many=True).data

    @extend_schema_field(DeckStateSerializer(many=True))
    def get_decks(self, registration: Registration) -> Any:
        """What was handed in."""
        decks = registration.deck_submissions.select_related("version").order_by("side")
        return DeckStateSerializer(decks, many=True).data
