"""Serializers of tables with their results, standings and cuts.

Players are identified by their number in the event.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import (
    RequestBody,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
)
from engine.standings.records import as_decimal
from engine.systems import CUT_SYSTEMS, ELIMINATION_SYSTEMS
from matches import records as matches_records
from matches.models import GAME_END_CHOICES, Match, MatchState, ReportState, ResultReport
from matches.scoring.rules import SCORING_RULES
from tournaments.models import Registration, Standing
from tournaments.results.result_bodies import FLAGS, ROLES
from tournaments.results.rules import CutChangeKind
from tournaments.rounds.serializers import PairingSerializer
from tournaments.web.serializers import PlayerNameSerializer, PointsField, result_to_body


class ReportedGameSerializer(serializers.Serializer[Any]):
    """A reported game; `corp` is the number of a player."""

    number = serializers.IntegerField()
    corp = serializers.IntegerField()
    winner = serializers.ChoiceField(ROLES, allow_null=True)
    end = serializers.ChoiceField(GAME_END_CHOICES)
    corp_agenda_points = serializers.IntegerField(allow_null=True)
    runner_agenda_points = serializers.IntegerField(allow_null=True)


class SeatPointsSerializer(serializers.Serializer[Any]):
    """The points of one player."""

    player = serializers.IntegerField()
    points = serializers.IntegerField()


class SeatFactionSerializer(serializers.Serializer[Any]):
    """The faction of one player; empty if it is unknown."""

    player = serializers.IntegerField()
    faction = serializers.CharField(allow_blank=True)


class ResultSerializer(serializers.Serializer[Any]):
    """A result. It can be sent back unchanged."""

    games = ReportedGameSerializer(many=True)
    flags = serializers.ListField(child=serializers.ChoiceField(FLAGS))
    totals = SeatPointsSerializer(many=True)
    victory_points = SeatPointsSerializer(many=True)
    factions = SeatFactionSerializer(many=True)


class ReportSerializer(serializers.Serializer[Any]):
    """A report by a player or the staff; `player` is null for the staff."""

    id = serializers.IntegerField()
    player = PlayerNameSerializer(allow_null=True)
    state = serializers.ChoiceField(ReportState.choices)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    result = ResultSerializer(allow_null=True)


class TableSeatSerializer(serializers.Serializer[Any]):
    """A seat of the table."""

    position = serializers.IntegerField()
    player = PlayerNameSerializer()


class LostGameSerializer(serializers.Serializer[Any]):
    """A game decided by a penalty. In a pod `game` is null, and the player comes last."""

    game = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField()


class OwnTableSerializer(serializers.Serializer[Any]):
    """The result of a table, for its players.

    `judged` explains the decisions of judges, which apply to any report.
    """

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(MatchState.choices)
    seats = TableSeatSerializer(many=True)
    result = ResultSerializer(allow_null=True, help_text="The settled result.")
    judged = serializers.ListField(child=serializers.CharField())
    lost_games = LostGameSerializer(
        many=True, help_text="Decided by penalties. Leave them out of a report."
    )
    reports = ReportSerializer(many=True)


class ComparedFieldSerializer(serializers.Serializer[Any]):
    """The values of one field in each report; `game` is null for the whole match."""

    game = serializers.IntegerField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]
    values = serializers.ListField(child=serializers.CharField(allow_blank=True))
    differs = serializers.BooleanField()


class StaffTableSerializer(OwnTableSerializer):
    """A table with all reports, for the staff.

    `told` is the latest result without losses by penalty, to fill a form with. `compared` has the
    newest reports of the players field by field, in the order of `spoken`.
    """

    told = ResultSerializer(allow_null=True)
    spoken = serializers.ListField(child=serializers.IntegerField(), help_text="Players' numbers.")
    compared = ComparedFieldSerializer(many=True)


def report_document(
    report: ResultReport, players: Mapping[int, Registration], numbers: Mapping[int, int]
) -> dict[str, Any]:
    """Return a report for the API; `players` are by primary key, `numbers` by position."""
    return {
        "id": report.pk,
        "player": players[report.seat.player_id] if report.seat else None,
        "state": report.state,
        "note": report.note,
        "created_at": report.created_at,
        "result": result_to_body(matches_records.result_from_document(report.result), numbers),
    }


def numbers_at(match: Match, players: Mapping[int, Registration]) -> dict[int, int]:
    return {seat.position: players[seat.player_id].number for seat in match.seats.all()}


class TableDetailSerializer(PairingSerializer):
    """A table of a published round.

    `goes_on` is the player chosen by the staff to advance from a drawn match.
    """

    round = serializers.IntegerField(source="round.number")
    goes_on = PlayerNameSerializer(source="advances", allow_null=True, read_only=True)

    class Meta(PairingSerializer.Meta):
        fields = ["round", *PairingSerializer.Meta.fields, "extra_minutes", "goes_on"]


class PlayerBody(RequestBody):
    """A player by number in the event."""

    player = StrictIntegerField(min_value=1)


class CorpChoiceSerializer(serializers.Serializer[Any]):
    """The player who chooses a side for game 1 at a table of a cut, and the Corp once chosen."""

    chooser = PlayerNameSerializer(allow_null=True)
    corp = PlayerNameSerializer(allow_null=True)


class CorpChoiceBody(RequestBody):
    """The player who plays Corp first. `previous_corp` is the `corp` you read, null if none.

    Without `previous_corp`, a choice made since is replaced.
    """

    corp = StrictIntegerField(min_value=1)
    previous_corp = StrictIntegerField(min_value=1, required=False, allow_null=True)


class RankChangeSerializer(serializers.Serializer[Any]):
    """A player whose rank or points change."""

    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    new_rank = serializers.IntegerField()
    points = PointsField()
    new_points = PointsField()


class SeedMoveSerializer(serializers.Serializer[Any]):
    """A player in the cut before or after the change; null means outside the cut."""

    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    new_seed = serializers.IntegerField(allow_null=True)


class CutImpactSerializer(serializers.Serializer[Any]):
    """The effect on a cut of the same size."""

    is_public = serializers.BooleanField()
    is_by_hand = serializers.BooleanField()
    seeds = SeedMoveSerializer(many=True)


class LaterSeatSerializer(serializers.Serializer[Any]):
    """A player at a later table, with the points before that round."""

    name = serializers.CharField()
    points = PointsField()
    new_points = PointsField()


class LaterTableSerializer(serializers.Serializer[Any]):
    """A later pairing of a player of this table; a bye has no table."""

    round = serializers.IntegerField(source="round_number")
    table = serializers.IntegerField(source="table_number", allow_null=True)
    seats = LaterSeatSerializer(many=True)
    stands_on_it = serializers.BooleanField(source="is_paired_by_results")
    is_draft = serializers.BooleanField()


class ImpactSerializer(serializers.Serializer[Any]):
    """All effects of a changed result; `old_draft` is a draft round paired by the old result.

    Send its `version` as `impact_version` to apply the change.
    """

    version = serializers.CharField(source="mark")
    moved = RankChangeSerializer(many=True)
    cut = CutImpactSerializer(allow_null=True)
    later = LaterTableSerializer(many=True)
    old_draft = serializers.IntegerField(allow_null=True)


# Standings with their computation, cuts with their brackets, and round robin schedules.

DECIMAL_DIGITS = 9
MAX_CUT_BODY_PLAYERS = 1000
GAME_STATES = ["waiting", "ready", "playing", "level", "over", "skipped"]


class NamedSerializer(serializers.Serializer[Any]):
    """A player by number and name."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class FigureSerializer(serializers.Serializer[Any]):
    """A number of the standings: exact, and rounded to nine digits (halves away from zero)."""

    exact = serializers.RegexField(r"^-?\d+/\d+$")
    decimal = serializers.RegexField(rf"^-?\d+\.\d{{{DECIMAL_DIGITS}}}$")


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """A line of the standings after a closed round."""

    after_round = serializers.IntegerField(source="snapshot.round.number")
    player = PlayerNameSerializer(source="registration")
    match_points = PointsField()
    tie_breakers = serializers.SerializerMethodField()

    class Meta:
        model = Standing
        fields = ["after_round", "rank", "player", "match_points", "tie_breakers"]

    @extend_schema_field(serializers.DictField(child=FigureSerializer(allow_null=True)))
    def get_tie_breakers(self, standing: Standing) -> dict[str, dict[str, str] | None]:
        """Tie-breakers by id; null if not set. Their order is that of the event."""
        return {id_: _figure_document(value) for id_, value in standing.tie_breakers.items()}


def _figure_document(stored: str | None) -> dict[str, str] | None:
    if stored is None:
        return None
    value = Fraction(stored)
    exact = f"{value.numerator}/{value.denominator}"
    return {"exact": exact, "decimal": as_decimal(value, DECIMAL_DIGITS)}


class TermSerializer(serializers.Serializer[Any]):
    """A summand with its round and opponents; a bye has none."""

    text = serializers.CharField()
    round = serializers.IntegerField()
    opponents = NamedSerializer(many=True)


class SumSerializer(serializers.Serializer[Any]):
    """The calculation of a tie-breaker: the terms divided by `divisor` give the result."""

    id = serializers.CharField()
    heading = serializers.CharField()
    name = serializers.CharField()
    explanation = serializers.CharField(allow_blank=True)
    terms = TermSerializer(many=True)
    divisor = serializers.IntegerField(allow_null=True)
    exact = serializers.CharField()
    result = serializers.CharField()


class WorkingsSerializer(serializers.Serializer[Any]):
    """A player's standing with its calculation; `place` includes the result of a cut."""

    player = PlayerNameSerializer()
    standing = StandingSerializer(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    sums = SumSerializer(many=True)
    updating_from_round = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "The first round whose standings are being recomputed after a change; null if all "
            "are current."
        ),
    )


class ScheduledPlayerSerializer(serializers.Serializer[Any]):
    """A player; `place` is the position in the fixed order, null for a guest at one table."""

    place = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    name = serializers.CharField()
    has_left = serializers.BooleanField()


class EncounterSerializer(serializers.Serializer[Any]):
    """A pairing of two players, or a bye; `points` are by player once settled."""

    table = serializers.IntegerField(allow_null=True)
    players = ScheduledPlayerSerializer(many=True, source="places")
    points = serializers.ListField(child=PointsField())


class ScheduledRoundSerializer(serializers.Serializer[Any]):
    """A round by number in the event; a future round has the pairings given by the order."""

    number = serializers.IntegerField()
    is_published = serializers.BooleanField()
    encounters = EncounterSerializer(many=True)


class ScheduleSerializer(serializers.Serializer[Any]):
    """The schedule of a round robin; empty until round 1 is published."""

    is_round_robin = serializers.BooleanField()
    rounds = ScheduledRoundSerializer(many=True)


class CutBody(RequestBody):
    """The players of a cut by number, best seed first. The default scoring is that of the event."""

    players = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_CUT_BODY_PLAYERS
    )
    system = StrictChoiceField(list(ELIMINATION_SYSTEMS))
    scoring_rule = StrictChoiceField(list(SCORING_RULES), allow_blank=True, default="")
    reason = StrictCharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Required unless these are the best of the standings in order.",
    )
    fixed_bracket = StrictBooleanField(
        default=False,
        help_text="Single elimination only: keep the bracket instead of re-seeding each round.",
    )


class DeclineBody(RequestBody):
    """The number of the player who declines, and the reason."""

    number = StrictIntegerField(min_value=1)
    reason = StrictCharField(max_length=200, help_text="For the log; only staff can read it.")


class CutChangeBody(RequestBody):
    """A change of the players or seeds of a cut, with the reason."""

    kind = StrictChoiceField([kind.value for kind in CutChangeKind])
    player = StrictIntegerField(
        min_value=1,
        max_value=32_767,
        help_text="The player who declines, is replaced, is invited or gets the seed.",
    )
    other = StrictIntegerField(
        min_value=1, max_value=32_767, required=False, help_text="The replacement."
    )
    seed = StrictIntegerField(
        min_value=1, max_value=32_767, required=False, help_text="The new seed."
    )
    reason = StrictCharField(max_length=200, help_text="For the log; only staff can read it.")


class CutPreviewSerializer(serializers.Serializer[Any]):
    """The effect of a change of the cut; best seed first."""

    words = serializers.CharField(help_text="The public sentence, without the reason.")
    before = PlayerNameSerializer(many=True)
    after = PlayerNameSerializer(many=True)
    is_done = serializers.BooleanField(help_text="False for a preview.")


class SeedSerializer(serializers.Serializer[Any]):
    """A place in the cut."""

    seed = serializers.IntegerField()
    player = PlayerNameSerializer(source="registration")


class CutSerializer(serializers.Serializer[Any]):
    """A cut for organisers; `next_in` is the next player if another declines."""

    stage = serializers.IntegerField()
    system = serializers.ChoiceField(list(CUT_SYSTEMS))
    scoring_rule = serializers.CharField()
    fixed_bracket = serializers.BooleanField()
    is_public = serializers.BooleanField(help_text="The bracket is public.")
    has_begun = serializers.BooleanField(
        help_text="A round is published, so the players can no longer change."
    )
    is_as_in_standings = serializers.BooleanField()
    seeds = SeedSerializer(many=True)
    declined = PlayerNameSerializer(many=True)
    left = PlayerNameSerializer(many=True, help_text="Players of the cut who dropped.")
    next_in = PlayerNameSerializer(allow_null=True)
    winner = PlayerNameSerializer(allow_null=True)


class CandidatesSerializer(serializers.Serializer[Any]):
    """Candidates for a cut, best first, and its usual size."""

    usual_size = serializers.IntegerField()
    players = PlayerNameSerializer(many=True)
    standings_wait = serializers.BooleanField(
        help_text="The standings are being computed. Try again in a moment. If their job failed, "
        "retry it."
    )
    open_round = serializers.IntegerField(allow_null=True, help_text="Must be closed first.")


class BracketSeatSerializer(serializers.Serializer[Any]):
    """A side of a game: a player, or in `words` the source of the player."""

    words = serializers.CharField()
    player = serializers.SerializerMethodField()
    seed = serializers.IntegerField(allow_null=True)
    points = PointsField(allow_null=True)
    has_won = serializers.BooleanField()
    has_lost = serializers.BooleanField()

    @extend_schema_field(NamedSerializer(allow_null=True))
    def get_player(self, seat: Any) -> Any:
        return _named_document(seat)


class BracketGameSerializer(serializers.Serializer[Any]):
    """A game of the bracket; `leads_to` names the next games of winner and loser."""

    number = serializers.IntegerField()
    name = serializers.CharField(source="round", help_text="The name of its bracket round.")
    state = serializers.ChoiceField(GAME_STATES)
    seats = BracketSeatSerializer(many=True)
    leads_to = serializers.ListField(child=serializers.CharField())
    round = serializers.SerializerMethodField()
    table = serializers.SerializerMethodField()

    def get_round(self, line: Any) -> int | None:
        """The number of the round in the event; null before it is paired."""
        return line.pairing.round.number if line.pairing else None

    def get_table(self, line: Any) -> int | None:
        return line.pairing.table_number if line.pairing else None


class PlacingSerializer(serializers.Serializer[Any]):
    """A final place; undecided without a player."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    why = serializers.CharField()

    @extend_schema_field(NamedSerializer(allow_null=True))
    def get_player(self, line: Any) -> Any:
        return _named_document(line)


def _named_document(line: Any) -> Any:
    return None if line.number is None else NamedSerializer(line).data


class BracketSerializer(serializers.Serializer[Any]):
    """The bracket of a cut; empty until the cut is published."""

    stage = serializers.IntegerField(allow_null=True)
    system = serializers.ChoiceField(list(CUT_SYSTEMS), allow_null=True)
    fixed_bracket = serializers.BooleanField()
    games = BracketGameSerializer(many=True)
    changes = serializers.ListField(
        child=serializers.CharField(),
        help_text="Players who declined, were replaced or invited, in order.",
    )
    placings = PlacingSerializer(many=True)
