"""Results as the API answers them. Players go by their number in the event, as everywhere there."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from matches import records
from matches.models import GAME_ENDS, Match, MatchState, ReportState, ResultReport
from tournaments.models import Registration
from tournaments.results.serializers.result_bodies import FLAGS, ROLES
from tournaments.web.serializers import PlayerNameSerializer, result_to_body


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
        "result": result_to_body(records.from_document(report.result), numbers),
    }


def numbers_at(match: Match, players: Mapping[int, Registration]) -> dict[int, int]:
    """The players' numbers by position."""
    return {seat.position: players[seat.player_id].number for seat in match.seats.all()}
