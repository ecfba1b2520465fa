"""One result, in and out. Players go by their number in the event, as everywhere in the API."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole, YesNo
from matches import records
from matches.models import GAME_ENDS, Match, MatchState, ReportState, ResultReport
from matches.scoring import MOST_AGENDA_POINTS, MOST_VICTORY_POINTS, Flag, MatchResult, Role
from tournaments.models import Registration
from tournaments.serializers.events import PlayerNameSerializer
from tournaments.serializers.judging.citing import CitesField

ROLES = [role.value for role in Role]
FLAGS = [flag.value for flag in Flag]
MOST_SEATS, MOST_GAMES, LONGEST_NOTE = 5, 2, 500
AS_SEATED = "The number of the Corp; without it as the table is seated: roles swap after game 1."


class GameBody(Body):
    """One game. `winner` is null when nobody won; an end left out is the usual one."""

    number = Whole(min_value=1, max_value=MOST_GAMES)
    corp = Whole(min_value=1, required=False, allow_null=True, help_text=AS_SEATED)
    winner = Choice(ROLES, allow_null=True)
    end = Choice(GAME_ENDS, required=False, allow_null=True)
    corp_agenda_points = Whole(
        min_value=0, max_value=MOST_AGENDA_POINTS, required=False, allow_null=True
    )
    runner_agenda_points = Whole(
        min_value=0, max_value=MOST_AGENDA_POINTS, required=False, allow_null=True
    )


class SeatPointsBody(Body):
    """A number for one player."""

    player = Whole(min_value=1)
    points = Whole(min_value=0, max_value=MOST_VICTORY_POINTS)


class SeatFactionBody(Body):
    """What one player played; empty where it is not known."""

    player = Whole(min_value=1)
    faction = Text(max_length=30, allow_blank=True)


class ResultBody(Body):
    """What happened at a table. Which parts are asked for is a matter of its scoring rule."""

    games = serializers.ListField(child=GameBody(), max_length=MOST_GAMES, required=False)
    flags = serializers.ListField(child=Choice(FLAGS), max_length=len(FLAGS), required=False)
    totals = serializers.ListField(
        child=SeatPointsBody(),
        max_length=MOST_SEATS,
        required=False,
        help_text="Match points that staff type where the games are not known.",
    )
    victory_points = serializers.ListField(
        child=SeatPointsBody(), max_length=MOST_SEATS, required=False
    )
    factions = serializers.ListField(child=SeatFactionBody(), max_length=MOST_SEATS, required=False)


class ReportBody(Body):
    """What a player says."""

    result = ResultBody()


class ConfirmBody(Body):
    """The report that was seen, by its `id`."""

    report = Whole(min_value=1)


class DisputeBody(ConfirmBody):
    """The report that was seen, and what was otherwise."""

    note = Text(max_length=LONGEST_NOTE, required=False, allow_blank=True, default="")


class DecisionBody(Body):
    """What the staff record, and on which `version` of the table they decide."""

    result = ResultBody()
    seen_version = Whole(min_value=1)
    note = Text(max_length=LONGEST_NOTE, required=False, allow_blank=True, default="")
    force = YesNo(
        required=False,
        default=False,
        help_text="Record it although the rules say it cannot be; the note says why.",
    )
    seen_impact = Text(
        max_length=64,
        required=False,
        allow_null=True,
        default=None,
        help_text="In a closed round: the `mark` of the 409 that told what this touches.",
    )
    cited = CitesField(default=list, help_text="Rulings it rests on; for those who judge.")


class ToldGameSerializer(serializers.Serializer[Any]):
    """One game as it was told; `corp` is the number of a player."""

    number = serializers.IntegerField()
    corp = serializers.IntegerField()
    winner = serializers.ChoiceField(ROLES, allow_null=True)
    end = serializers.ChoiceField(GAME_ENDS)
    corp_agenda_points = serializers.IntegerField(allow_null=True)
    runner_agenda_points = serializers.IntegerField(allow_null=True)


class SeatPointsSerializer(serializers.Serializer[Any]):
    """A number for one player."""

    player = serializers.IntegerField()
    points = serializers.IntegerField()


class SeatFactionSerializer(serializers.Serializer[Any]):
    """What one player played; empty where it is not known."""

    player = serializers.IntegerField()
    faction = serializers.CharField(allow_blank=True)


class ResultSerializer(serializers.Serializer[Any]):
    """A result; sent back as it is it says the same once more."""

    games = ToldGameSerializer(many=True)
    flags = serializers.ListField(child=serializers.ChoiceField(FLAGS))
    totals = SeatPointsSerializer(many=True)
    victory_points = SeatPointsSerializer(many=True)
    factions = SeatFactionSerializer(many=True)


def result_document(result: MatchResult, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """The result by players' numbers, which are given by position; None where nothing is told."""
    if not result:
        return None
    told = records.to_document(result)
    told["games"] = [{**game, "corp": numbers[game["corp"]]} for game in told["games"]]
    for name, key in (("totals", "points"), ("victory_points", "points"), ("factions", "faction")):
        told[name] = [
            {"player": numbers[position], key: value}
            for position, value in enumerate(told[name], start=1)
        ]
    return told


class ToldReportSerializer(serializers.Serializer[Any]):
    """What a player or the staff said; `player` is null for the staff."""

    id = serializers.IntegerField()
    player = PlayerNameSerializer(allow_null=True)
    state = serializers.ChoiceField(ReportState.choices)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    result = ResultSerializer(allow_null=True)


class ToldSeatSerializer(serializers.Serializer[Any]):
    """A seat of the table."""

    position = serializers.IntegerField()
    player = PlayerNameSerializer()


class OwnTableSerializer(serializers.Serializer[Any]):
    """What the players of a table know of its result.

    `judged` says in sentences what a judge has decided whatever is told.
    """

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(MatchState.choices)
    seats = ToldSeatSerializer(many=True)
    result = ResultSerializer(allow_null=True, help_text="What is settled.")
    judged = serializers.ListField(child=serializers.CharField())
    reports = ToldReportSerializer(many=True)


class ComparedFieldSerializer(serializers.Serializer[Any]):
    """One field of the reports beside each other; `game` is null for the match as a whole."""

    game = serializers.IntegerField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]
    values = serializers.ListField(child=serializers.CharField(allow_blank=True))
    differs = serializers.BooleanField()


class StaffTableSerializer(OwnTableSerializer):
    """One table with all that was told of it, for the staff.

    `told` is the result to begin with: what was told before a judge took anything. `compared`
    holds the newest words of the players field by field, in the order of `spoken`.
    """

    told = ResultSerializer(allow_null=True)
    spoken = serializers.ListField(child=serializers.IntegerField(), help_text="Players' numbers.")
    compared = ComparedFieldSerializer(many=True)


def report_document(
    report: ResultReport, players: Mapping[int, Registration], numbers: Mapping[int, int]
) -> dict[str, Any]:
    """One report; `players` by their key, `numbers` by position."""
    return {
        "id": report.pk,
        "player": players[report.seat.player_id] if report.seat else None,
        "state": report.state,
        "note": report.note,
        "created_at": report.created_at,
        "result": result_document(records.from_document(report.result), numbers),
    }


def numbers_at(match: Match, players: Mapping[int, Registration]) -> dict[int, int]:
    """The players' numbers by position."""
    return {seat.position: players[seat.player_id].number for seat in match.seats.all()}
