"""Serializers of rounds with their tables, clocks, jobs and drafts.

Serializers of pairings and games require {"players": {player id: Registration}} as context.
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
    MAX_REASON_LETTERS,
    JobSerializer,
    PlayerNameSerializer,
    PointsField,
    player_name,
    points_to_body,
    result_to_body,
)

PUBLIC_STATES = [choice for choice in RoundState.choices if choice[0] != RoundState.DRAFT]
MAX_MINUTES_AT_ONCE, MAX_SEEN_MINUTES, MAX_TABLE_REASON_LENGTH = 60, 9999, 200
MAX_PAUSE_MARK = 2**53
MAX_ROUND_NUMBER = 999
CLOCK_STATES = [state.value for state in ClockState]


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A player at a table; match points are null until the result is settled.

    Faction and victory points are null if the game has none, or while they are unknown.
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
        return player_name(self.context["players"][seat.player_id])

    @extend_schema_field(PointsField(allow_null=True))
    def get_match_points(self, seat: Seat) -> int | str | None:
        return points_to_body(seat.points) if seat.match.is_settled else None

    def get_faction(self, seat: Seat) -> str | None:
        """The id of the faction."""
        return next((played.faction for played in seat.game_seats() if played.faction), None)

    def get_victory_points(self, seat: Seat) -> int | None:
        return next((played.victory_points for played in seat.game_seats()), None)


class GameSerializer(serializers.Serializer[Any]):
    """A game with the sides by player number, and its result once settled.

    The sides are null at a table of a cut until the higher seed has chosen one.
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
        """True if the result is settled, or for a bye."""
        return pairing.match is None or pairing.match.is_settled

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField([flag.value for flag in Flag]))
    )
    def get_flags(self, pairing: Pairing) -> list[str]:
        return list(pairing.match.flags) if pairing.match else []

    @extend_schema_field(GameSerializer(many=True))
    def get_games(self, pairing: Pairing) -> Any:
        """The games of Corp and Runner; empty for a bye or a pod."""
        match, players = pairing.match, self.context["players"]
        if match is None or not match.rule.has_roles:
            return []
        numbers = {seat.position: players[seat.player_id].number for seat in match.seats.all()}
        body = result_to_body(matches_records.settled_result(match), numbers) or {"games": ()}
        played = {game["number"]: game for game in body["games"]}
        is_open = pairing.has_open_choice and not match.is_settled
        # The fields of GameSerializer. A serializer per table is too slow for a large event.
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
        """The player with the bye; null for a table."""
        return player_name(pairing.bye) if pairing.bye else None

    def get_reasons(self, pairing: Pairing) -> list[str]:
        """The reasons of the pairing as sentences; empty if paired by hand."""
        return public_reasons(pairing, self.context["names"])


class RoundSerializer(serializers.ModelSerializer[Round]):
    """A published round."""

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
    """A clock. A running clock has `ends_at`, a stopped one `left_seconds`, negative past zero.

    `overtime_seconds` can follow after zero.
    """

    state = serializers.ChoiceField(CLOCK_STATES)
    ends_at = serializers.DateTimeField(allow_null=True)
    left_seconds = serializers.SerializerMethodField()
    overtime_seconds = serializers.IntegerField(source="overtime")

    def get_left_seconds(self, face: Any) -> int | None:
        """The time left on a stopped clock; null while it runs."""
        return None if face.ends_at else face.left


class TableTimeSerializer(serializers.Serializer[Any]):
    """A table still playing that has extra minutes."""

    table = serializers.IntegerField()
    extra_minutes = serializers.IntegerField()
    clock = ClockFaceSerializer()


class RoundClockSerializer(serializers.Serializer[Any]):
    """The clock of a round; null for a closed round.

    `version` changes with every pause. Send it to resume the clock, and `extra_minutes` to add
    minutes, so that a repeated request changes nothing.
    """

    round = serializers.IntegerField(source="number")
    clock = ClockFaceSerializer(allow_null=True)
    minutes = serializers.IntegerField(help_text="The round length, including extra minutes.")
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
        if value == 0:
            raise serializers.ValidationError("Enter the number of minutes.")
        return value


class TableMinutesBody(MinutesBody):
    """Minutes for one table, with the reason for the log."""

    reason = StrictCharField(max_length=MAX_TABLE_REASON_LENGTH, allow_blank=True, default="")


class JobRoundSerializer(serializers.Serializer[Any]):
    """The round made by a job; `url` is the address of the draft or of the published round."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(RoundState.choices)
    url = serializers.CharField()


class JobDetailSerializer(JobSerializer):
    """A job and the round it has made."""

    round = JobRoundSerializer(allow_null=True)

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "round"]


class PairingBody(RequestBody):
    """The number of the round to pair; the default is the next one."""

    number = StrictIntegerField(
        min_value=1, max_value=MAX_ROUND_NUMBER, allow_null=True, default=None
    )
    force_reason = StrictCharField(
        max_length=MAX_REASON_LETTERS,
        allow_blank=True,
        default="",
        help_text="Close the previous round without its missing results, for this reason.",
    )


class PairingRequestedSerializer(serializers.Serializer[Any]):
    """The job that pairs round `number`; poll it until it is done."""

    job = JobSerializer()
    number = serializers.IntegerField()


class ExpectedSerializer(serializers.Serializer[Any]):
    """An expected moment: the typical time, and the likely range."""

    low = serializers.DateTimeField()
    typical = serializers.DateTimeField()
    high = serializers.DateTimeField()


class DayEndSerializer(serializers.Serializer[Any]):
    """The expected end of a day: the end of its last round, `last_number`.

    `fits_until` is the last of its rounds that ends before `closes_at`, 0 for none.
    """

    day = serializers.IntegerField(help_text="1 or 2.")
    last_number = serializers.IntegerField()
    last = ExpectedSerializer()
    closes_at = serializers.DateTimeField(allow_null=True)
    is_late = serializers.BooleanField()
    fits_until = serializers.IntegerField()


class EndTimesSerializer(serializers.Serializer[Any]):
    """Expected end times; null if they cannot be estimated.

    `round` is the end of the current round, `last` the end of the last known round, number
    `last_number`. `with_cut` is the end with a cut of `cut_size` after it. `measured` is the
    number of rounds the estimate is based on, 0 for the clock alone. `fits_until` is the last
    round that ends before `closes_at`, null without a closing time. `days` are the remaining days.
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


# Drafts and their changes.

MAX_TABLES, MAX_DRAFT_PLAYERS, MAX_LOG_ID = 9999, 5000, 2**53
SEEN_HELP_TEXT = "The `version` of the draft you read. Refused if the draft has changed since."


class SentenceField(serializers.CharField):
    # The sentence of a page, as plain text.
    def to_representation(self, value: Any) -> str:
        return plain_text(value)


class DraftSeatSerializer(serializers.Serializer[Any]):
    """A player of the draft with the figures used for pairing."""

    player = PlayerNameSerializer(source="registration")
    match_points = PointsField()
    byes = serializers.IntegerField()
    role = serializers.ChoiceField(
        [role.value for role in Role], allow_null=True, help_text="In game 1."
    )
    met_before = serializers.BooleanField()
    floats = serializers.ChoiceField(["", "down", "up"])
    balance = serializers.IntegerField(
        allow_null=True, help_text="Corp minus Runner games, if a match is one game."
    )
    seed = serializers.IntegerField(allow_null=True, help_text="In a cut.")
    chooses = serializers.BooleanField(help_text="Has not chosen a side yet, so `role` is null.")


class DraftRowSerializer(serializers.Serializer[Any]):
    """A table, or a bye with one seat and no table."""

    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    seats = DraftSeatSerializer(many=True)
    reasons = serializers.ListField(child=SentenceField())
    warnings = serializers.ListField(child=SentenceField())
    cost = serializers.ListField(child=serializers.CharField(), help_text="As text.")
    parts = serializers.DictField(
        child=serializers.IntegerField(), help_text="As numbers, by rule."
    )
    is_locked = serializers.BooleanField(source="pairing.is_locked")
    made_by_hand = serializers.BooleanField(source="pairing.made_by_hand")
    is_told = serializers.BooleanField(
        source="pairing.is_reported",
        help_text="A result is reported, so the table is kept when the round is re-paired.",
    )


class CertificateSerializer(serializers.Serializer[Any]):
    """A value needed to reproduce the draft."""

    name = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class DraftSerializer(serializers.Serializer[Any]):
    """The whole draft. Send its `version` with every change.

    `relaxations` are the rules that were relaxed. `gone` and `arrived` are players who left or
    came since it was made. If `can_be_published` is false, pair the round again, or publish it
    without latecomers if only these have changed.
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
        number: int = self.context["round"].number
        return number

    def get_version(self, draft: DraftPage) -> int:
        round_: Round = self.context["round"]
        return round_.stage.tournament.log.newest_draft_change()

    @extend_schema_field(CertificateSerializer(many=True))
    def get_certificate(self, draft: DraftPage) -> list[dict[str, str]]:
        return [{"name": name, "value": value} for name, value in draft.certificate]


class SwapBody(RequestBody):
    """Two players who change places. A breach of a rule requires `confirmed`."""

    one = StrictIntegerField(min_value=1)
    other = StrictIntegerField(min_value=1)
    version = StrictIntegerField(min_value=0, max_value=MAX_LOG_ID, allow_null=True, default=None)
    confirmed = StrictBooleanField(default=False)


class TableLockBody(RequestBody):
    """A table by number, or the bye of a player, to lock or unlock."""

    table = StrictIntegerField(min_value=1, required=False)
    bye = StrictIntegerField(min_value=1, required=False, help_text="The number of the player.")
    locked = StrictBooleanField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("table" in attrs) == ("bye" in attrs):
            raise serializers.ValidationError({"table": ["Send either a table or a bye."]})
        return attrs


class RestBody(RequestBody):
    """The tables to keep when the round is re-paired, and the reason.

    In a draft the locked tables are kept. In a published round these are `keep_tables` and
    `keep_byes`. Tables with a result or a report are always kept.
    """

    reason = StrictCharField(max_length=MAX_REASON_LETTERS, allow_blank=True, default="")
    keep_tables = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_TABLES, required=False
    )
    keep_byes = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_DRAFT_PLAYERS, required=False
    )


class ManualTableBody(RequestBody):
    """A table made by hand; the first seat is Corp in game 1."""

    table = StrictIntegerField(min_value=1, max_value=MAX_TABLES)
    seats = serializers.ListField(child=StrictIntegerField(min_value=1), min_length=1, max_length=5)


class ManualPairingBody(RequestBody):
    """Tables and byes, in addition to the locked ones. Breaches of a rule require `confirmed`."""

    tables = serializers.ListField(child=ManualTableBody(), max_length=MAX_TABLES)
    byes = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_DRAFT_PLAYERS, default=list
    )
    version = StrictIntegerField(min_value=0, max_value=MAX_LOG_ID, allow_null=True, default=None)
    confirmed = StrictBooleanField(default=False)


class PublishBody(RequestBody):
    """Options for publishing a draft."""

    leave_out_latecomers = StrictBooleanField(
        default=False, help_text="Players who arrived since the draft play from the next round."
    )
    version = StrictIntegerField(
        min_value=0, max_value=MAX_LOG_ID, allow_null=True, default=None, help_text=SEEN_HELP_TEXT
    )
