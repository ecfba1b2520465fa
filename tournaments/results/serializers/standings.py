"""Standings with every tie-breaker worked out, a cut with its bracket, a round robin's schedule."""

from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole, YesNo
from engine.standings import as_decimal
from engine.systems import CUTS, ELIMINATIONS
from matches.scoring import SCORING_RULES
from tournaments.models import Standing
from tournaments.results.cut_changes import ChangeKind
from tournaments.web.serializers import PlayerNameSerializer, PointsField

DIGITS = 9
MOST_PLAYERS = 1000
GAME_STATES = ["waiting", "ready", "playing", "level", "over", "skipped"]


class FigureSerializer(serializers.Serializer[Any]):
    """A figure of the standings: exact, and rounded to nine digits (halves away from zero)."""

    exact = serializers.RegexField(r"^-?\d+/\d+$")
    decimal = serializers.RegexField(rf"^-?\d+\.\d{{{DIGITS}}}$")


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
        return {id_: _figure(value) for id_, value in standing.tie_breakers.items()}


def _figure(stored: str | None) -> dict[str, str] | None:
    if stored is None:
        return None
    value = Fraction(stored)
    exact = f"{value.numerator}/{value.denominator}"
    return {"exact": exact, "decimal": as_decimal(value, DIGITS)}


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


class CutBody(Body):
    """The players of a cut by their numbers, best seed first; scored as the event unless given."""

    players = serializers.ListField(child=Whole(min_value=1), max_length=MOST_PLAYERS)
    system = Choice(list(ELIMINATIONS))
    scoring_rule = Choice(list(SCORING_RULES), required=False, allow_blank=True, default="")
    reason = Text(
        max_length=200,
        required=False,
        allow_blank=True,
        default="",
        help_text="Needed where these are not the best of the standings in their order.",
    )
    fixed_bracket = YesNo(
        required=False,
        default=False,
        help_text="Single elimination only: keep the bracket instead of seeding each round anew.",
    )


class DeclineBody(Body):
    """The number of who gives the place up, and why."""

    number = Whole(min_value=1)
    reason = Text(max_length=200, help_text="The log keeps it; staff alone read it.")


class CutChangeBody(Body):
    """A change of who is in the cut, and why."""

    kind = Choice([one.value for one in ChangeKind])
    player = Whole(min_value=1, max_value=32_767, help_text="Who declines, is out, comes or moves.")
    other = Whole(
        min_value=1, max_value=32_767, required=False, help_text="Who replaces the player."
    )
    seed = Whole(min_value=1, max_value=32_767, required=False, help_text="The new seed.")
    reason = Text(max_length=200, help_text="The log keeps it; staff alone read it.")


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
    system = serializers.ChoiceField(list(CUTS))
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
        return _named(seat)


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
        return _named(line)


def _named(line: Any) -> Any:
    return None if line.number is None else NamedSerializer(line).data


class BracketSerializer(serializers.Serializer[Any]):
    """The bracket of a cut, empty until its first games are published."""

    stage = serializers.IntegerField(allow_null=True)
    system = serializers.ChoiceField(list(CUTS), allow_null=True)
    fixed_bracket = serializers.BooleanField()
    games = BracketGameSerializer(many=True)
    changes = serializers.ListField(
        child=serializers.CharField(), help_text="Who declined, was replaced or invited, in order."
    )
    placings = PlacingSerializer(many=True)
