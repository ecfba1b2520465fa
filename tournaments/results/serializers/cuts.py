"""A cut and its bracket as the API tells them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, Whole, YesNo
from engine.systems import CUTS, ELIMINATIONS
from tournaments.web.serializers import PlayerNameSerializer, PointsField

MOST_PLAYERS = 1000
GAME_STATES = ["waiting", "ready", "playing", "level", "over", "skipped"]


class CutBody(Body):
    """The players of a cut by their numbers, best seed first; scored as the event unless told."""

    players = serializers.ListField(child=Whole(min_value=1), max_length=MOST_PLAYERS)
    system = Choice(list(ELIMINATIONS))
    scoring_rule = Text(max_length=40, required=False, allow_blank=True, default="")
    fixed_bracket = YesNo(
        required=False,
        default=False,
        help_text="Single elimination only: keep the bracket instead of seeding each round anew.",
    )


class DeclineBody(Body):
    """The number of who gives the place up."""

    number = Whole(min_value=1)


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
    is_public = serializers.BooleanField()
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
        help_text="The standings are being computed: ask again in a moment."
    )
    open_round = serializers.IntegerField(allow_null=True, help_text="To be closed first.")


class NamedSerializer(serializers.Serializer[Any]):
    """A player by number and name, told by a line that holds both."""

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
    placings = PlacingSerializer(many=True)
