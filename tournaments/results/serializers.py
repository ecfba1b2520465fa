"""A table and its result as the API answers them, and what another result would change.

Players go by their number in the event, as everywhere there.
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
from tournaments.models import Pairing, Registration, Standing
from tournaments.results.result_bodies import FLAGS, ROLES
from tournaments.results.rules import CutChangeKind
from tournaments.rounds.serializers import PairingSerializer
from tournaments.web.serializers import PlayerNameSerializer, PointsField, result_to_body


class ToldGameSerializer(serializers.Serializer[Any]):
    """One game as it was reported; `corp` is the number of a player."""

    number = serializers.IntegerField()
    corp = serializers.IntegerField()
    winner = serializers.ChoiceField(ROLES, allow_null=True)
    end = serializers.ChoiceField(GAME_END_CHOICES)
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
        "result": result_to_body(matches_records.result_from_document(report.result), numbers),
    }


def numbers_at(match: Match, players: Mapping[int, Registration]) -> dict[int, int]:
    """The players' numbers by position."""
    return {seat.position: players[seat.player_id].number for seat in match.seats.all()}


class TableDetailSerializer(PairingSerializer):
    """A table of a published round. `goes_on` is who was said to, where a match ended level."""

    round = serializers.IntegerField(source="round.number")
    goes_on = serializers.SerializerMethodField()

    class Meta(PairingSerializer.Meta):
        fields = ["round", *PairingSerializer.Meta.fields, "extra_minutes", "goes_on"]

    @extend_schema_field(PlayerNameSerializer(allow_null=True))
    def get_goes_on(self, pairing: Pairing) -> Any:
        """Who goes on by the word of the staff."""
        return PlayerNameSerializer(pairing.advances).data if pairing.advances else None


class PlayerBody(RequestBody):
    """One player, by the number in the event."""

    player = StrictIntegerField(min_value=1)


class CorpChoiceSerializer(serializers.Serializer[Any]):
    """Who chooses the roles of game 1 at a table of a cut, and who is Corp by that choice."""

    chooser = PlayerNameSerializer(allow_null=True)
    corp = PlayerNameSerializer(allow_null=True)


class CorpChoiceBody(RequestBody):
    """Who plays Corp first. `previous_corp` is the `corp` you read, null if there was none.

    Without it whatever was chosen meanwhile is changed.
    """

    corp = StrictIntegerField(min_value=1)
    previous_corp = StrictIntegerField(min_value=1, required=False, allow_null=True)


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

    Send its `version` as `impact_version` to apply the change.
    """

    version = serializers.CharField(source="mark")
    moved = MovedSerializer(many=True)
    cut = CutTouchedSerializer(allow_null=True)
    later = LaterTableSerializer(many=True)
    old_draft = serializers.IntegerField(allow_null=True)


# Standings with every tie-breaker worked out, a cut with its bracket, a round robin's schedule.


DECIMAL_DIGITS = 9
MAX_CUT_BODY_PLAYERS = 1000
GAME_STATES = ["waiting", "ready", "playing", "level", "over", "skipped"]


class FigureSerializer(serializers.Serializer[Any]):
    """A figure of the standings: exact, and rounded to nine digits (halves away from zero)."""

    exact = serializers.RegexField(r"^-?\d+/\d+$")
    decimal = serializers.RegexField(rf"^-?\d+\.\d{{{DECIMAL_DIGITS}}}$")


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """One line of the standings after a closed round."""

    after_round = serializers.IntegerField(source="snapshot.round.number")
    player = PlayerNameSerializer(source="registration")
    match_points = PointsField()
    tie_breakers = serializers.SerializerMethodField()

    class Meta:
        model = Standing
        fields = ["after_round", "rank", "player", "match_points", "tie_breakers"]

    @extend_schema_field(serializers.DictField(child=FigureSerializer(allow_null=True)))
    def get_tie_breakers(self, standing: Standing) -> dict[str, dict[str, str] | None]:
        """Each figure by its id; null where it is not set. The event tells their order."""
        return {id_: _figure_document(value) for id_, value in standing.tie_breakers.items()}


def _figure_document(stored: str | None) -> dict[str, str] | None:
    if stored is None:
        return None
    value = Fraction(stored)
    exact = f"{value.numerator}/{value.denominator}"
    return {"exact": exact, "decimal": as_decimal(value, DECIMAL_DIGITS)}


class SummandPlayerSerializer(serializers.Serializer[Any]):
    """Somebody a summand comes from."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class TermSerializer(serializers.Serializer[Any]):
    """One summand: its figure, its round, and whom it comes from; nobody for a bye."""

    text = serializers.CharField()
    round = serializers.IntegerField()
    opponents = SummandPlayerSerializer(many=True)


class SumSerializer(serializers.Serializer[Any]):
    """One tie-breaker worked out: the terms, by the divisor, make the result."""

    id = serializers.CharField()
    heading = serializers.CharField()
    name = serializers.CharField()
    explanation = serializers.CharField(allow_blank=True)
    terms = TermSerializer(many=True)
    divisor = serializers.IntegerField(allow_null=True)
    exact = serializers.CharField()
    result = serializers.CharField()


class WorkingsSerializer(serializers.Serializer[Any]):
    """One player's line of the standings, worked out; `place` counts a cut that is played."""

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
    """A player; `place` is theirs in the fixed order, null for a guest at one table."""

    place = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    name = serializers.CharField()
    has_left = serializers.BooleanField()


class EncounterSerializer(serializers.Serializer[Any]):
    """Two who meet, or one with a bye; `points` by player once the result is settled."""

    table = serializers.IntegerField(allow_null=True)
    players = ScheduledPlayerSerializer(many=True, source="places")
    points = serializers.ListField(child=PointsField())


class ScheduledRoundSerializer(serializers.Serializer[Any]):
    """One round by its number in the event; one to come shows whom the order gives it."""

    number = serializers.IntegerField()
    is_published = serializers.BooleanField()
    encounters = EncounterSerializer(many=True)


class ScheduleSerializer(serializers.Serializer[Any]):
    """The plan of a round robin; empty until its round 1 is published."""

    is_round_robin = serializers.BooleanField()
    rounds = ScheduledRoundSerializer(many=True)


class CutBody(RequestBody):
    """The players of a cut by their numbers, best seed first; scored as the event unless given."""

    players = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=MAX_CUT_BODY_PLAYERS
    )
    system = StrictChoiceField(list(ELIMINATION_SYSTEMS))
    scoring_rule = StrictChoiceField(list(SCORING_RULES), allow_blank=True, default="")
    reason = StrictCharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Needed where these are not the best of the standings in their order.",
    )
    fixed_bracket = StrictBooleanField(
        default=False,
        help_text="Single elimination only: keep the bracket instead of seeding each round anew.",
    )


class DeclineBody(RequestBody):
    """The number of who gives the place up, and why."""

    number = StrictIntegerField(min_value=1)
    reason = StrictCharField(max_length=200, help_text="The log keeps it; staff alone read it.")


class CutChangeBody(RequestBody):
    """A change of who is in the cut, and why."""

    kind = StrictChoiceField([one.value for one in CutChangeKind])
    player = StrictIntegerField(
        min_value=1, max_value=32_767, help_text="Who declines, is out, comes or moves."
    )
    other = StrictIntegerField(
        min_value=1, max_value=32_767, required=False, help_text="Who replaces the player."
    )
    seed = StrictIntegerField(
        min_value=1, max_value=32_767, required=False, help_text="The new seed."
    )
    reason = StrictCharField(max_length=200, help_text="The log keeps it; staff alone read it.")


class CutPreviewSerializer(serializers.Serializer[Any]):
    """What a change of the cut does; best seed first."""

    words = serializers.CharField(help_text="What everybody reads of it, without the reason.")
    before = PlayerNameSerializer(many=True)
    after = PlayerNameSerializer(many=True)
    is_done = serializers.BooleanField(help_text="False for a preview.")


class SeedSerializer(serializers.Serializer[Any]):
    """A place in the cut."""

    seed = serializers.IntegerField()
    player = PlayerNameSerializer(source="registration")


class CutSerializer(serializers.Serializer[Any]):
    """A cut as those who run the event see it; `next_in` comes when somebody declines."""

    stage = serializers.IntegerField()
    system = serializers.ChoiceField(list(CUT_SYSTEMS))
    scoring_rule = serializers.CharField()
    fixed_bracket = serializers.BooleanField()
    is_public = serializers.BooleanField(help_text="Everybody sees its bracket.")
    has_begun = serializers.BooleanField(help_text="A round is published, so its players stay.")
    is_as_in_standings = serializers.BooleanField()
    seeds = SeedSerializer(many=True)
    declined = PlayerNameSerializer(many=True)
    left = PlayerNameSerializer(many=True, help_text="In the cut, and gone from the event.")
    next_in = PlayerNameSerializer(allow_null=True)
    winner = PlayerNameSerializer(allow_null=True)


class CandidatesSerializer(serializers.Serializer[Any]):
    """Who can be in a cut, best first, and how large it usually is."""

    usual_size = serializers.IntegerField()
    players = PlayerNameSerializer(many=True)
    standings_wait = serializers.BooleanField(
        help_text="The standings are being computed: ask again in a moment. Where that failed, try "
        "its job again."
    )
    open_round = serializers.IntegerField(allow_null=True, help_text="To be closed first.")


class NamedSerializer(serializers.Serializer[Any]):
    """A player by number and name, found by a line that holds both."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class BracketSeatSerializer(serializers.Serializer[Any]):
    """One side of a game: a player, or in `words` who will come."""

    words = serializers.CharField()
    player = serializers.SerializerMethodField()
    seed = serializers.IntegerField(allow_null=True)
    points = PointsField(allow_null=True)
    has_won = serializers.BooleanField()
    has_lost = serializers.BooleanField()

    @extend_schema_field(NamedSerializer(allow_null=True))
    def get_player(self, seat: Any) -> Any:
        """Who it is; null while that is open."""
        return _named_document(seat)


class BracketGameSerializer(serializers.Serializer[Any]):
    """One game of the bracket; `leads_to` says what comes of it, in words."""

    number = serializers.IntegerField()
    name = serializers.CharField(source="round", help_text="The round of the bracket, in words.")
    state = serializers.ChoiceField(GAME_STATES)
    seats = BracketSeatSerializer(many=True)
    leads_to = serializers.ListField(child=serializers.CharField())
    round = serializers.SerializerMethodField()
    table = serializers.SerializerMethodField()

    def get_round(self, line: Any) -> int | None:
        """The round of the event it is played in; null before that."""
        return line.pairing.round.number if line.pairing else None

    def get_table(self, line: Any) -> int | None:
        """Its table there."""
        return line.pairing.table_number if line.pairing else None


class PlacingSerializer(serializers.Serializer[Any]):
    """One place of the event with its cut; without a player it is open."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    why = serializers.CharField()

    @extend_schema_field(NamedSerializer(allow_null=True))
    def get_player(self, line: Any) -> Any:
        """Whose place it is."""
        return _named_document(line)


def _named_document(line: Any) -> Any:
    return None if line.number is None else NamedSerializer(line).data


class BracketSerializer(serializers.Serializer[Any]):
    """The bracket of a cut, empty until its first games are published."""

    stage = serializers.IntegerField(allow_null=True)
    system = serializers.ChoiceField(list(CUT_SYSTEMS), allow_null=True)
    fixed_bracket = serializers.BooleanField()
    games = BracketGameSerializer(many=True)
    changes = serializers.ListField(
        child=serializers.CharField(), help_text="Who declined, was replaced or invited, in order."
    )
    placings = PlacingSerializer(many=True)
