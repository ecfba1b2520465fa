"""Rounds with their tables, clocks and jobs as the API answers them.

Serializers of pairings and games want {"players": {player id: Registration}}
as context; nothing in here reads a deck, a draft or a report.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from engine.clock import ClockState
from engine.systems import STORED
from matches import records
from matches.models import GAME_ENDS, Seat
from matches.scoring import Flag, Role
from tournaments.models import Pairing, Round, RoundState
from tournaments.rounds.pages.reasons import public_reasons
from tournaments.web.serializers import (
    LONGEST_REASON,
    JobSerializer,
    PlayerNameSerializer,
    PointsField,
    player_name,
    points_to_body,
    result_to_body,
)

PUBLIC_STATES = [choice for choice in RoundState.choices if choice[0] != RoundState.DRAFT]
MOST_AT_ONCE, MOST_SEEN, LONGEST_WHY, LARGEST_MARK = 60, 9999, 200, 2**53
MOST_ROUNDS = 999
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
        return next((played.faction for played in seat.in_games() if played.faction), None)

    def get_victory_points(self, seat: Seat) -> int | None:
        """What the game brought."""
        return next((played.victory_points for played in seat.in_games()), None)


class GameSerializer(serializers.Serializer[Any]):
    """One game: who plays which role, by player number; what came of it once it is settled.

    The roles are null at a table of a cut until the higher seed has chosen a side.
    """

    number = serializers.IntegerField()
    corp = serializers.IntegerField(allow_null=True)
    runner = serializers.IntegerField(allow_null=True)
    winner = serializers.ChoiceField(choices=[role.value for role in Role], allow_null=True)
    end = serializers.ChoiceField(choices=GAME_ENDS, allow_null=True)
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
        body = result_to_body(records.settled_result(match), numbers) or {"games": ()}
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
            for number, corp in records.corps(match).items()
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
    system = serializers.ChoiceField(source="stage.system", choices=list(STORED))
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


class ClockSerializer(serializers.Serializer[Any]):
    """The clock of the room in a round; null for a round that is closed.

    `extra_minutes` are those added so far, `pause_mark` tells one pause from another: what changes
    the clock takes them as `seen`.
    """

    round = serializers.IntegerField(source="number")
    clock = ClockFaceSerializer(allow_null=True)
    minutes = serializers.IntegerField(help_text="All it was given, with those added.")
    extra_minutes = serializers.IntegerField()
    pause_mark = serializers.IntegerField()
    tables = TableTimeSerializer(many=True)


class ResumeBody(Body):
    """The `pause_mark` that was seen: a pause made since then stays."""

    seen = Whole(min_value=0, max_value=LARGEST_MARK, required=False, allow_null=True, default=None)


class MinutesBody(Body):
    """Minutes to add, or below zero to take; `seen` are the `extra_minutes` there were."""

    minutes = Whole(min_value=-MOST_AT_ONCE, max_value=MOST_AT_ONCE)
    seen = Whole(
        min_value=-MOST_SEEN, max_value=MOST_SEEN, required=False, allow_null=True, default=None
    )

    def validate_minutes(self, value: int) -> int:
        """None at all is nothing to do."""
        if value == 0:
            raise serializers.ValidationError("Say how many minutes.")
        return value


class TableMinutesBody(MinutesBody):
    """Minutes for one table, with the reason for the log."""

    reason = Text(max_length=LONGEST_WHY, required=False, allow_blank=True, default="")


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


class PairingBody(Body):
    """Which round to pair: the next one unless given."""

    number = Whole(
        min_value=1, max_value=MOST_ROUNDS, required=False, allow_null=True, default=None
    )
    force_reason = Text(
        max_length=LONGEST_REASON,
        required=False,
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
