"""The desk, the log, sandboxes and a player's own day as documents of the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, YesNo
from matches.models import MatchState
from tournaments.desk.pages.my_day import Now
from tournaments.desk.pages.next_step import Step, StepKind
from tournaments.event.pages import LogLine
from tournaments.models import (
    DroppedBy,
    LogEntry,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    RoundState,
    codes,
)
from tournaments.registration.serializers.join import NameBody
from tournaments.registration.serializers.roster import DeckStateSerializer
from tournaments.results.serializers.results import ImpactSerializer
from tournaments.results.serializers.standings import StandingSerializer
from tournaments.web.serializers import (
    LONGEST_REASON,
    JobSerializer,
    PlayerNameSerializer,
    PointsField,
)

STEPS = [kind.value for kind in StepKind]


class WaySerializer(serializers.Serializer[Any]):
    """Something that can be done now."""

    kind = serializers.ChoiceField(STEPS)
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    round = serializers.IntegerField(source="round_number", allow_null=True)


class StepSerializer(WaySerializer):
    """The one next thing to do; `tables` are those it waits for, `others` are ways beside it."""

    tables = serializers.SerializerMethodField()
    job = JobSerializer(allow_null=True)
    others = WaySerializer(many=True)

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_tables(self, step: Step) -> list[int | None]:
        """The numbers of the tables."""
        return [pairing.table_number for pairing in step.tables]


class NamedTableSerializer(serializers.Serializer[Any]):
    """A table with its players, as context {"players": {player id: Registration}} names them."""

    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table_number")
    state = serializers.ChoiceField(MatchState.choices, source="match.state")
    players = serializers.SerializerMethodField()

    @extend_schema_field(PlayerNameSerializer(many=True))
    def get_players(self, pairing: Pairing) -> Any:
        """Who sits there."""
        seats = pairing.match.seats.all() if pairing.match else []
        players = self.context["players"]
        return PlayerNameSerializer([players[seat.player_id] for seat in seats], many=True).data


class OpenTableSerializer(serializers.Serializer[Any]):
    """A table without a settled result; `minutes_over` is null while it has time."""

    table = NamedTableSerializer(source="pairing")
    since = serializers.DateTimeField(allow_null=True)
    minutes_over = serializers.IntegerField(allow_null=True)


class DeskRoundSerializer(serializers.Serializer[Any]):
    """The round that is drafted, played or was closed last."""

    number = serializers.IntegerField()
    name = serializers.CharField(source="title", help_text="Such as Round 3, or Semifinals.")
    state = serializers.ChoiceField(RoundState.choices)


class DeskSerializer(serializers.Serializer[Any]):
    """Where the event stands. `newest_entry` grows with every change that is logged.

    `registration_is_open` is by hand and by time. `late_tables` are those of closed rounds whose
    result is still missing.
    """

    newest_entry = serializers.IntegerField()
    step = StepSerializer()
    round = DeskRoundSerializer(source="state.round", allow_null=True)
    planned_rounds = serializers.IntegerField(source="state.target")
    players = serializers.IntegerField(source="state.players")
    checked_in = serializers.IntegerField(source="state.checked_in")
    not_checked_in = serializers.IntegerField(source="state.waiting")
    registration_is_open = serializers.BooleanField(source="state.registration_is_open")
    open_tables = OpenTableSerializer(source="state.open_tables", many=True)
    late_tables = NamedTableSerializer(many=True)
    jobs = JobSerializer(source="state.jobs", many=True)


class LogLineSerializer(serializers.Serializer[Any]):
    """One change: by whom, what, to what. `changes` say in words what was before.

    Only what this person can take back `can_undo`; `undoes` and `undone_by` are ids of entries.
    """

    id = serializers.IntegerField(source="entry.pk")
    at = serializers.DateTimeField(source="entry.at")
    by = serializers.SerializerMethodField()
    action = serializers.CharField(source="entry.action")
    subject = serializers.CharField(source="entry.subject", allow_blank=True)
    reason = serializers.CharField(source="entry.reason", allow_blank=True)
    points = serializers.CharField(allow_blank=True)
    changes = serializers.ListField(child=serializers.CharField())
    round = serializers.SerializerMethodField()
    player = serializers.SerializerMethodField()
    undoes = serializers.IntegerField(source="entry.undoes_id", allow_null=True)
    undone_by = serializers.SerializerMethodField()
    can_undo = serializers.BooleanField()

    def get_by(self, line: LogLine) -> str:
        """Who did it; empty for Datafort itself."""
        entry = line.entry
        return str(entry.player or entry.user or "")

    def get_round(self, line: LogLine) -> int | None:
        """The round it is about."""
        return line.entry.round.number if line.entry.round else None

    def get_player(self, line: LogLine) -> int | None:
        """The number of the player it is about."""
        return line.entry.registration.number if line.entry.registration else None

    def get_undone_by(self, line: LogLine) -> int | None:
        """The entry that took it back."""
        undone = getattr(line.entry, "undone_by", None)
        return undone.pk if undone else None


class ThenTableSerializer(serializers.Serializer[Any]):
    """A table or a bye as it was; `table` is null for a bye."""

    table = serializers.IntegerField(allow_null=True)
    names = serializers.ListField(child=serializers.CharField())


class LogEntrySerializer(serializers.Serializer[Any]):
    """One change, with the pairings it keeps."""

    line = LogLineSerializer()
    tables = ThenTableSerializer(many=True)


class UndoBody(Body):
    """Why it is taken back; it stands in the log."""

    reason = Text(max_length=LONGEST_REASON, required=False, allow_blank=True, default="")


class PlanSerializer(serializers.Serializer[Any]):
    """What taking a change back would do, and what that touches in a closed round."""

    says = serializers.CharField()
    impact = ImpactSerializer(allow_null=True)


class ThenPairingsSerializer(serializers.ModelSerializer[LogEntry]):
    """An entry of the log that holds who sat where."""

    class Meta:
        model = LogEntry
        fields = ["id", "at", "action", "subject"]


class ThenStandingsSerializer(serializers.Serializer[Any]):
    """One computation of the standings; the newest of a round is in force."""

    id = serializers.IntegerField(source="snapshot.pk")
    number = serializers.IntegerField(help_text="Counted from 1 in its round.")
    computed_at = serializers.DateTimeField(source="snapshot.computed_at")
    is_in_force = serializers.BooleanField()


class RoundVersionsSerializer(serializers.Serializer[Any]):
    """All that was drafted, published and computed of one round."""

    round = serializers.IntegerField()
    pairings = ThenPairingsSerializer(many=True)
    standings = ThenStandingsSerializer(many=True)


class VersionsSerializer(serializers.Serializer[Any]):
    """How things were, round by round."""

    rounds = RoundVersionsSerializer(many=True)


class MovedThenSerializer(serializers.Serializer[Any]):
    """A player whose line differs from the version before; null where there was none."""

    name = serializers.CharField()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_now = serializers.IntegerField(allow_null=True)
    points_before = PointsField(allow_null=True)
    points_now = PointsField(allow_null=True)


class StandingsThenSerializer(serializers.Serializer[Any]):
    """One computation of the standings; `moved` is null for the first of its round."""

    id = serializers.IntegerField(source="snapshot.pk")
    round = serializers.IntegerField(source="snapshot.round.number")
    computed_at = serializers.DateTimeField(source="snapshot.computed_at")
    rows = StandingSerializer(many=True)
    moved = serializers.SerializerMethodField()

    @extend_schema_field(MovedThenSerializer(many=True, allow_null=True))
    def get_moved(self, standings: dict[str, Any]) -> Any:
        """What differs from the one before."""
        moved = standings["moved"]
        return None if moved is None else MovedThenSerializer(moved, many=True).data


class ProfileBody(NameBody):
    """The name at the table, and pronouns."""

    name = Text(max_length=200, required=False)


class WishesBody(Body):
    """What a player wishes of the room."""

    avoids_stream = YesNo(help_text="Not to be filmed: never at a feature table.")


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
    waits = serializers.BooleanField()

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

    @extend_schema_field(serializers.ChoiceField([one.value for one in Now]))
    def get_now(self, _registration: Registration) -> str:
        """What is to be done first."""
        now: Now = self.context["day"]["state"]
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


class PracticeBody(Body):
    """A sandbox to make."""

    with_rounds = YesNo(required=False, help_text="As far as the event is; else from its start.")


class PlayBody(Body):
    """What chance plays: the open tables, or a whole round."""

    what = Choice(["tables", "round"], required=False)


class PlayedSerializer(serializers.Serializer[Any]):
    """What was played."""

    tables = serializers.IntegerField(allow_null=True, help_text="Null for a whole round.")
    round = serializers.IntegerField(allow_null=True, help_text="Null for tables.")


class PracticeSerializer(serializers.Serializer[Any]):
    """A sandbox."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")
    page = serializers.HyperlinkedIdentityField(view_name="tournaments:desk", lookup_field="slug")
