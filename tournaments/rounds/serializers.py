"""Rounds with their tables, clocks and jobs as the API answers them.

Serializers of pairings and games want {"players": {player id: Registration}}
as context; nothing in here reads a deck, a draft or a report.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
from engine.systems import STORED_SYSTEMS
from engine.timing import ClockState
from matches import records as matches_records
from matches.models import GAME_END_CHOICES, Seat
from matches.scoring.results import Flag, Role
from tournaments.models import Pairing, Round, RoundState
from tournaments.rounds.draft_pages import DraftPage
from tournaments.rounds.pages import plain_text, public_reasons
from tournaments.web.serializers import (
    MOST_REASON_LETTERS,
    JobSerializer,
    PlayerNameSerializer,
    PointsField,
    player_name,
    points_to_body,
    result_to_body,
)

PUBLIC_STATES = [choice for choice in RoundState.choices if choice[0] != RoundState.DRAFT]
MAX_MINUTES_AT_ONCE, MAX_SEEN_MINUTES, MAX_TABLE_REASON_LENGTH, MAX_PAUSE_MARK = (
    60,
    9999,
    200,
    2**53,
)
MAX_ROUND_NUMBER = 999
CLOCK_STATES = [state.value for state in ClockState]


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A player at a table; match points are null until the result is settled.

    Faction and victory points are null where the game has none, or while they are not known.
    """

    player = serializers.SerializerMethodField()
    match_points = serializers.SerializerMethodField()
    faction = serializers.SerializerMethodField()
    victory_points = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = ["player", "match_points", "faction", "victory_points"]

    @extend_schema_field(PlayerNameSerializer)
    def get_player(self, seat: Seat) -> Any:
        """Who sits here."""
        return player_name(self.context["players"][seat.player_id])

    @extend_schema_field(PointsField(allow_null=True))
    def get_match_points(self, seat: Seat) -> int | str | None:
        """What the match brought."""
        return points_to_body(seat.points) if seat.match.is_settled else None

    def get_faction(self, seat: Seat) -> str | None:
        """What is played, by its id."""
        return next((played.faction for played in seat.game_seats() if played.faction), None)

    def get_victory_points(self, seat: Seat) -> int | None:
        """What the game brought."""
        return next((played.victory_points for played in seat.game_seats()), None)


class GameSerializer(serializers.Serializer[Any]):
    """One game: who plays which role, by player number; what came of it once it is settled.

    The roles are null at a table of a cut until the higher seed has chosen a side.
    """

    number = serializers.IntegerField()
    corp = serializers.IntegerField(allow_null=True)
    runner = serializers.IntegerField(allow_null=True)
    winner = serializers.ChoiceField(choices=[role.value for role in Role], allow_null=True)
    end = serializers.ChoiceField(choices=GAME_END_CHOICES, allow_null=True)
    corp_agenda_points = serializers.IntegerField(allow_null=True)
    runner_agenda_points = serializers.IntegerField(allow_null=True)


NOT_PLAYED: dict[str, Any] = {
    "winner": None,
    "end": None,
    "corp_agenda_points": None,
    "runner_agenda_points": None,
}


class PairingSerializer(serializers.ModelSerializer[Pairing]):
    """A table with its seats and games, or a bye."""

    table = serializers.IntegerField(source="table_number", allow_null=True)
    is_settled = serializers.SerializerMethodField()
    flags = serializers.SerializerMethodField()
    seats = SeatSerializer(source="match.seats", many=True, default=list, read_only=True)
    games = serializers.SerializerMethodField()
    bye = serializers.SerializerMethodField()
    reasons = serializers.SerializerMethodField()

    class Meta:
        model = Pairing
        fields = [
            "table",
            "is_settled",
            "flags",
            "seats",
            "games",
            "bye",
            "bye_points",
            "made_by_hand",
            "reasons",
        ]

    def get_is_settled(self, pairing: Pairing) -> bool:
        """Whether the result stands; that of a bye always does."""
        return pairing.match is None or pairing.match.is_settled

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField([flag.value for flag in Flag]))
    )
    def get_flags(self, pairing: Pairing) -> list[str]:
        """What else is true of the settled match."""
        return list(pairing.match.flags) if pairing.match else []

    @extend_schema_field(GameSerializer(many=True))
    def get_games(self, pairing: Pairing) -> Any:
        """The games of Corp and Runner; empty for a bye and for a pod."""
        match, players = pairing.match, self.context["players"]
        if match is None or not match.rule.has_roles:
            return []
        numbers = {seat.position: players[seat.player_id].number for seat in match.seats.all()}
        body = result_to_body(matches_records.settled_result(match), numbers) or {"games": ()}
        played = {game["number"]: game for game in body["games"]}
        is_open = pairing.has_open_choice and not match.is_settled
        # The fields of GameSerializer, without a serializer for each table of a hall.
        return [
            {
                "number": number,
                "corp": None if is_open else numbers[corp],
                "runner": None if is_open else numbers[3 - corp],
            }
            | NOT_PLAYED
            | played.get(number, {})
            for number, corp in matches_records.corps_by_game(match).items()
        ]

    @extend_schema_field(PlayerNameSerializer(allow_null=True))
    def get_bye(self, pairing: Pairing) -> Any:
        """Who has the bye; null for a table."""
        return player_name(pairing.bye) if pairing.bye else None

    def get_reasons(self, pairing: Pairing) -> list[str]:
        """Why these meet, or why the bye, in sentences; empty when made by hand."""
        return public_reasons(pairing, self.context["names"])


class RoundSerializer(serializers.ModelSerializer[Round]):
    """A round that is published; drafts are never shown."""

    name = serializers.CharField(source="title", help_text="Such as Round 3, or Semifinals.")
    state = serializers.ChoiceField(choices=PUBLIC_STATES)
    stage = serializers.IntegerField(source="stage.number")
    system = serializers.ChoiceField(source="stage.system", choices=list(STORED_SYSTEMS))
    tables = serializers.IntegerField()
    byes = serializers.IntegerField()

    class Meta:
        model = Round
        fields = [
            "number",
            "name",
            "stage",
            "system",
            "state",
            "published_at",
            "started_at",
            "closed_at",
            "tables",
            "byes",
        ]


class RoundDetailSerializer(RoundSerializer):
    """A round with its tables in order, byes last."""

    pairings = PairingSerializer(many=True)

    class Meta(RoundSerializer.Meta):
        fields = [*RoundSerializer.Meta.fields, "pairings"]


class ClockFaceSerializer(serializers.Serializer[Any]):
    """A clock: it runs and `ends_at`, or stands still and has `left_seconds`, below zero after it.

    `overtime_seconds` may follow after zero.
    """

    state = serializers.ChoiceField(CLOCK_STATES)
    ends_at = serializers.DateTimeField(allow_null=True)
    left_seconds = serializers.SerializerMethodField()
    overtime_seconds = serializers.IntegerField(source="overtime")

    def get_left_seconds(self, face: Any) -> int | None:
        """What is left of a clock that stands still; null while it runs."""
        return None if face.ends_at else face.left


class TableTimeSerializer(serializers.Serializer[Any]):
    """A table that still plays and was given minutes of its own."""

    table = serializers.IntegerField()
    extra_minutes = serializers.IntegerField()
    clock = ClockFaceSerializer()


class RoundClockSerializer(serializers.Serializer[Any]):
    """The clock of the room in a round; null for a round that is closed.

    `version` changes with every pause. Send it to resume the clock, and `extra_minutes` to add
    minutes, so that nothing is done twice.
    """

    round = serializers.IntegerField(source="number")
    clock = ClockFaceSerializer(allow_null=True)
    minutes = serializers.IntegerField(help_text="All it was given, with those added.")
    extra_minutes = serializers.IntegerField()
    version = serializers.IntegerField()
    tables = TableTimeSerializer(many=True)


class ResumeBody(RequestBody):
    """The `version` of the clock as you read it. A later pause is not ended."""

    version = StrictIntegerField(
        min_value=0, max_value=MAX_PAUSE_MARK, allow_null=True, default=None
    )


class MinutesBody(RequestBody):
    """Minutes to add, or to remove if negative, and the `extra_minutes` as you read them."""

    minutes = StrictIntegerField(min_value=-MAX_MINUTES_AT_ONCE, max_value=MAX_MINUTES_AT_ONCE)
    extra_minutes = StrictIntegerField(
        min_value=-MAX_SEEN_MINUTES, max_value=MAX_SEEN_MINUTES, allow_null=True, default=None
    )

    def validate_minutes(self, value: int) -> int:
        """None at all is nothing to do."""
        if value == 0:
            raise serializers.ValidationError("Say how many minutes.")
        return value


class TableMinutesBody(MinutesBody):
    """Minutes for one table, with the reason for the log."""

    reason = StrictCharField(max_length=MAX_TABLE_REASON_LENGTH, allow_blank=True, default="")


class JobRoundSerializer(serializers.Serializer[Any]):
    """The round a job has made; `url` is where it is read: a draft has an address of its own."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(RoundState.choices)
    url = serializers.CharField()


class JobDetailSerializer(JobSerializer):
    """One piece of work, and the round it has made."""

    round = JobRoundSerializer(allow_null=True)

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "round"]


class PairingBody(RequestBody):
    """Which round to pair: the next one unless given."""

    number = StrictIntegerField(
        min_value=1, max_value=MAX_ROUND_NUMBER, allow_null=True, default=None
    )
    force_reason = StrictCharField(
        max_length=MOST_REASON_LETTERS,
        allow_blank=True,
        default="",
        help_text="Close the round before although results are missing, and why.",
    )


class PairingAskedSerializer(serializers.Serializer[Any]):
    """The job that pairs round `number`; ask for it until it is over."""

    job = JobSerializer()
    number = serializers.IntegerField()


class ExpectedSerializer(serializers.Serializer[Any]):
    """A moment to come: what is usual, and from when to when it is likely."""

    low = serializers.DateTimeField()
    typical = serializers.DateTimeField()
    high = serializers.DateTimeField()


class DayEndSerializer(serializers.Serializer[Any]):
    """When a day of the event will be over: the end of its last round, `last_number`.

    `fits_until` is the last of its rounds that ends before `closes_at`, 0 for none.
    """

    day = serializers.IntegerField(help_text="1 or 2.")
    last_number = serializers.IntegerField()
    last = ExpectedSerializer()
    closes_at = serializers.DateTimeField(allow_null=True)
    is_late = serializers.BooleanField()
    fits_until = serializers.IntegerField()


class EndTimesSerializer(serializers.Serializer[Any]):
    """When what is left will be over; null where nobody can say.

    `round` is the end of the round at the tables, `last` that of the last round known to come,
    with the number `last_number`; `with_cut` is the end with a cut of `cut_size` behind it.
    `measured` are the rounds it was measured on, 0 for the clock alone. `fits_until` is the last
    round that ends before `closes_at`, null where nobody said when that is. `days` has each day
    that is not over: one, or both of an event of two days.
    """

    round_number = serializers.IntegerField(allow_null=True)
    round = ExpectedSerializer(allow_null=True)
    last_number = serializers.IntegerField(allow_null=True)
    last = ExpectedSerializer(allow_null=True)
    days = DayEndSerializer(many=True)
    cut_size = serializers.IntegerField(allow_null=True)
    with_cut = ExpectedSerializer(allow_null=True)
    measured = serializers.IntegerField()
    closes_at = serializers.DateTimeField(allow_null=True)
    is_late = serializers.BooleanField()
    fits_until = serializers.IntegerField(allow_null=True)
    warning = serializers.CharField(allow_blank=True)


# A draft as the API shows it to those who run the event, and what they change about it.


MAX_TABLES, MAX_DRAFT_PLAYERS, MAX_LOG_ID = 9999, 5000, 2**53
SEEN_HELP_TEXT = "The `version` of the draft you read. Refused if the draft has changed since."


class SentenceField(serializers.CharField):
    """A sentence that a page shows too."""

    def to_representation(self, value: Any) -> str:
        return plain_text(value)


class DraftSeatSerializer(serializers.Serializer[Any]):
    """A player of the draft with what the pairing weighs."""

    player = PlayerNameSerializer(source="registration")
    match_points = PointsField()
    byes = serializers.IntegerField()
    role = serializers.ChoiceField(
        [role.value for role in Role], allow_null=True, help_text="In game 1."
    )
    met_before = serializers.BooleanField()
    floats = serializers.ChoiceField(["", "down", "up"])
    balance = serializers.IntegerField(
        allow_null=True, help_text="Corp minus Runner games, where a match is one game."
    )
    seed = serializers.IntegerField(allow_null=True, help_text="In a cut.")
    chooses = serializers.BooleanField(help_text="Still chooses a side, so nobody has a role.")


class DraftRowSerializer(serializers.Serializer[Any]):
    """A table, or a bye with one seat and no table."""

    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    seats = DraftSeatSerializer(many=True)
    reasons = serializers.ListField(child=SentenceField())
    warnings = serializers.ListField(child=SentenceField())
    cost = serializers.ListField(child=serializers.CharField(), help_text="In words.")
    parts = serializers.DictField(
        child=serializers.IntegerField(), help_text="The same as numbers, by rule."
    )
    is_locked = serializers.BooleanField(source="pairing.is_locked")
    made_by_hand = serializers.BooleanField(source="pairing.made_by_hand")
    is_told = serializers.SerializerMethodField()

    def get_is_told(self, row: Any) -> bool:
        """Whether somebody has reported a result here: the table stays whatever is paired anew."""
        is_reported: bool = row.pairing.is_reported
        return is_reported


class CertificateSerializer(serializers.Serializer[Any]):
    """One thing the draft was made from, so that it can be made again."""

    name = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class DraftSerializer(serializers.Serializer[Any]):
    """The whole draft. Send its `version` with every change.

    `relaxations` say which rules had to give way; `gone` and `arrived` who left and who came since
    it was made. What has `can_be_published` false is paired again first, or published without
    latecomers where only these are new.
    """

    number = serializers.SerializerMethodField()
    version = serializers.SerializerMethodField()
    tables = DraftRowSerializer(many=True)
    byes = DraftRowSerializer(many=True)
    cost = serializers.ListField(child=serializers.CharField())
    relaxations = serializers.ListField(child=SentenceField())
    certificate = serializers.SerializerMethodField()
    gone = PlayerNameSerializer(many=True)
    arrived = PlayerNameSerializer(many=True)
    can_be_drawn = serializers.BooleanField()
    is_fixed = serializers.BooleanField()
    results_changed = serializers.BooleanField()
    can_be_published = serializers.BooleanField()

    def get_number(self, draft: DraftPage) -> int:
        """Which round it is."""
        number: int = self.context["round"].number
        return number

    def get_version(self, draft: DraftPage) -> int:
        """Which change of it this is."""
        round_: Round = self.context["round"]
        return round_.stage.tournament.log.newest_draft_change()

    @extend_schema_field(CertificateSerializer(many=True))
    def get_certificate(self, draft: DraftPage) -> list[dict[str, str]]:
        """What the draft was made from."""
        return [{"name": name, "value": value} for name, value in draft.certificate]


class SwapBody(RequestBody):
    """Two players who change places; what that breaks wants `confirmed`."""

    one = StrictIntegerField(min_value=1)
    other = StrictIntegerField(min_value=1)
    version = StrictIntegerField(min_value=0, max_value=MAX_LOG_ID, allow_null=True, default=None)
    confirmed = StrictBooleanField(default=False)


class TableLockBody(RequestBody):
    """A table by its number, or the bye of a player, to be kept or let go."""

    table = StrictIntegerField(min_value=1, required=False)
    bye = StrictIntegerField(min_value=1, required=False, help_text="The number of the player.")
    locked = StrictBooleanField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("table" in attrs) == ("bye" in attrs):
            raise serializers.ValidationError({"table": ["Name a table or a bye, one of the two."]})
        return attrs


class RestBody(RequestBody):
    """Which tables stay when the others are paired anew, and why.

    In a draft those that are locked stay. In a published round `keep_tables` and `keep_byes` say
    which; tables with a result or a report stay in any case.
    """

    reason = StrictCharField(max_length=MOST_REASON_LETTERS, allow_blank=True, default="")
    keep_tables = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_TABLES, required=False
    )
    keep_byes = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_DRAFT_PLAYERS, required=False
    )


class HandTableBody(RequestBody):
    """A table made by hand; the first seat is Corp in game 1."""

    table = StrictIntegerField(min_value=1, max_value=MAX_TABLES)
    seats = serializers.ListField(child=StrictIntegerField(min_value=1), min_length=1, max_length=5)


class ByHandBody(RequestBody):
    """Who meets and who has a bye, beside what is locked; what that breaks wants `confirmed`."""

    tables = serializers.ListField(child=HandTableBody(), max_length=MAX_TABLES)
    byes = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_DRAFT_PLAYERS, default=list
    )
    version = StrictIntegerField(min_value=0, max_value=MAX_LOG_ID, allow_null=True, default=None)
    confirmed = StrictBooleanField(default=False)


class PublishBody(RequestBody):
    """How a draft is published."""

    leave_out_latecomers = StrictBooleanField(
        default=False, help_text="Who came since then plays from the next round."
    )
    version = StrictIntegerField(
        min_value=0, max_value=MAX_LOG_ID, allow_null=True, default=None, help_text=SEEN_HELP_TEXT
    )
