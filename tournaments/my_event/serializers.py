"""Serializers of a player's own part in an event."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import StrictCharField
from tournaments.models import DroppedBy, Penalty, Registration, RegistrationState, codes
from tournaments.my_event.pages import MyPageState
from tournaments.registration.serializers import DeckStateSerializer, NameBody
from tournaments.web.serializers import PointsField


class ProfileBody(NameBody):
    """The player's name and pronouns."""

    name = StrictCharField(max_length=200, required=False)


class MyOpponentSerializer(serializers.Serializer[Any]):
    """An opponent at the player's table."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class MyRoundSerializer(serializers.Serializer[Any]):
    """A round of this player. A bye has no table."""

    number = serializers.IntegerField(source="round.number")
    name = serializers.CharField(source="title", help_text="For example Round 3 or Semifinal.")
    table = serializers.IntegerField(source="table.table", allow_null=True)
    opponents = MyOpponentSerializer(many=True)


class MyStandingSerializer(serializers.Serializer[Any]):
    """The player's place after the last closed round."""

    rank = serializers.IntegerField()
    match_points = PointsField()


class MyPenaltySerializer(serializers.ModelSerializer[Penalty]):
    """A penalty as its player sees it. If `waits`, it counts in the player's next round."""

    round = serializers.IntegerField(source="round_number", allow_null=True)
    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    reason = serializers.CharField(source="note.text")
    waits = serializers.BooleanField(source="is_waiting")

    class Meta:
        model = Penalty
        fields = ["kind", "infraction_name", "reason", "round", "table", "game", "waits"]


class MeSerializer(serializers.ModelSerializer[Registration]):
    """A player's own part in an event."""

    # The context "day" is that of tournaments.my_event.pages.my_page_context.

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

    @extend_schema_field(serializers.ChoiceField([state.value for state in MyPageState]))
    def get_now(self, _registration: Registration) -> str:
        """The player's next step."""
        state: MyPageState = self.context["day"]["state"]
        return state.value

    def get_can_check_in(self, _registration: Registration) -> bool:
        """True if the player can check in now."""
        return bool(self.context["day"]["can_check_in"])

    def get_can_return(self, _registration: Registration) -> bool:
        """True if the player dropped and can undo it."""
        return bool(self.context["day"]["arriving"].can_return)

    def get_waiting_place(self, _registration: Registration) -> int | None:
        """Position on the waiting list; 1 moves up next."""
        place: int | None = self.context["day"]["arriving"].waiting_place
        return place

    def get_meeting_table(self, registration: Registration) -> int | None:
        """Table before round 1, until that round is published."""
        return registration.meeting_table if self.context["day"]["has_meeting"] else None

    def get_check_in_code(self, registration: Registration) -> str:
        """Code that staff scan at the door."""
        return codes.check_in_code(registration.pk)

    @extend_schema_field(MyRoundSerializer(many=True))
    def get_rounds(self, _registration: Registration) -> Any:
        """Published rounds in order."""
        return MyRoundSerializer(self.context["day"]["rounds"], many=True).data

    @extend_schema_field(MyStandingSerializer(allow_null=True))
    def get_standing(self, _registration: Registration) -> Any:
        """Null until the first round is closed."""
        standing = self.context["day"]["standing"]
        return MyStandingSerializer(standing).data if standing else None

    def get_cut_seed(self, _registration: Registration) -> int | None:
        """Seed in the cut once the seeds are published; null for players outside the cut."""
        seed: int | None = self.context["day"]["cut_seed"]
        return seed

    def get_cut_place(self, _registration: Registration) -> int | None:
        """Final place, once the cut has decided it."""
        placing = self.context["day"]["placing"]
        return placing.rank if placing else None

    @extend_schema_field(MyPenaltySerializer(many=True))
    def get_penalties(self, _registration: Registration) -> Any:
        """Penalties in force."""
        day = self.context["day"]
        rows = [*day["new_penalties"], *day["earlier_penalties"]]
        return MyPenaltySerializer(rows, many=True).data

    @extend_schema_field(DeckStateSerializer(many=True))
    def get_decks(self, registration: Registration) -> Any:
        """Submitted decks."""
        decks = registration.deck_submissions.select_related("version").order_by("side")
        return DeckStateSerializer(decks, many=True).data
