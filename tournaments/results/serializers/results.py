"""A table and its result as the API answers them, and what another result would change.

Players go by their number in the event, as everywhere there.
"""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Whole
from matches import records
from matches.models import GAME_ENDS, Match, MatchState, ReportState, ResultReport
from tournaments.models import Pairing, Registration
from tournaments.results.serializers.result_bodies import FLAGS, ROLES
from tournaments.rounds.serializers.rounds import PairingSerializer
from tournaments.web.serializers import PlayerNameSerializer, PointsField, result_to_body


class ToldGameSerializer(serializers.Serializer[Any]):
    """One game as it was reported; `corp` is the number of a player."""

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


class LostGameSerializer(serializers.Serializer[Any]):
    """A game that a penalty has decided; in a pod, without a game, a player who comes last."""

    game = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField()


class OwnTableSerializer(serializers.Serializer[Any]):
    """What the players of a table know of its result.

    `judged` says in sentences what a judge has decided whatever is reported.
    """

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(MatchState.choices)
    seats = ToldSeatSerializer(many=True)
    result = ResultSerializer(allow_null=True, help_text="What is settled.")
    judged = serializers.ListField(child=serializers.CharField())
    lost_games = LostGameSerializer(
        many=True, help_text="Decided by penalties, whatever is reported; leave them out."
    )
    reports = ToldReportSerializer(many=True)


class ComparedFieldSerializer(serializers.Serializer[Any]):
    """One field of the reports beside each other; `game` is null for the match as a whole."""

    game = serializers.IntegerField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]
    values = serializers.ListField(child=serializers.CharField(allow_blank=True))
    differs = serializers.BooleanField()


class StaffTableSerializer(OwnTableSerializer):
    """One table with all that was reported of it, for the staff.

    `told` is the result to begin with: what was reported before a judge took anything. `compared`
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


class TableSerializer(PairingSerializer):
    """A table of a published round. `goes_on` is who was said to, where a match ended level."""

    round = serializers.IntegerField(source="round.number")
    goes_on = serializers.SerializerMethodField()

    class Meta(PairingSerializer.Meta):
        fields = ["round", *PairingSerializer.Meta.fields, "extra_minutes", "goes_on"]

    @extend_schema_field(PlayerNameSerializer(allow_null=True))
    def get_goes_on(self, pairing: Pairing) -> Any:
        """Who goes on by the word of the staff."""
        return PlayerNameSerializer(pairing.advances).data if pairing.advances else None


class PlayerBody(Body):
    """One player, by the number in the event."""

    player = Whole(min_value=1)


class CorpChoiceSerializer(serializers.Serializer[Any]):
    """Who chooses the roles of game 1 at a table of a cut, and who is Corp by that choice."""

    chooser = PlayerNameSerializer(allow_null=True)
    corp = PlayerNameSerializer(allow_null=True)


class CorpChoiceBody(Body):
    """Who begins as Corp. `seen` is the number of who was to be when you looked, null for nobody.

    Without it whatever was chosen meanwhile is changed.
    """

    corp = Whole(min_value=1)
    seen = Whole(min_value=1, required=False, allow_null=True)


class MovedSerializer(serializers.Serializer[Any]):
    """A player whose rank or points change."""

    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    new_rank = serializers.IntegerField()
    points = PointsField()
    new_points = PointsField()


class SeedMoveSerializer(serializers.Serializer[Any]):
    """A player in the cut before or after; null is outside of it."""

    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    new_seed = serializers.IntegerField(allow_null=True)


class CutTouchedSerializer(serializers.Serializer[Any]):
    """Who would be in a cut of the same size."""

    is_public = serializers.BooleanField()
    is_by_hand = serializers.BooleanField()
    seeds = SeedMoveSerializer(many=True)


class LaterSeatSerializer(serializers.Serializer[Any]):
    """A player at a later table, with the points before that round."""

    name = serializers.CharField()
    points = PointsField()
    new_points = PointsField()


class LaterTableSerializer(serializers.Serializer[Any]):
    """A later pairing of a player of this table; without a table it is a bye."""

    round = serializers.IntegerField(source="round_number")
    table = serializers.IntegerField(source="table_number", allow_null=True)
    seats = LaterSeatSerializer(many=True)
    stands_on_it = serializers.BooleanField()
    is_draft = serializers.BooleanField()


class ImpactSerializer(serializers.Serializer[Any]):
    """Everything that another result touches; `old_draft` is the round of a draft made by it.

    Whoever applies the change sends the `mark` along: so what was seen is what is applied.
    """

    mark = serializers.CharField()
    moved = MovedSerializer(many=True)
    cut = CutTouchedSerializer(allow_null=True)
    later = LaterTableSerializer(many=True)
    old_draft = serializers.IntegerField(allow_null=True)
