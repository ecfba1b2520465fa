"""A table as the API tells it: who sits there, who is missed, who has which faction or role."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from tournaments.models import Pairing
from tournaments.results.serializers.result_bodies import MOST_SEATS, SeatFactionBody
from tournaments.rounds.serializers.rounds import PairingSerializer
from tournaments.web.serializers import PlayerNameSerializer


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


class FactionSerializer(serializers.Serializer[Any]):
    """A faction of Free Radicals."""

    id = serializers.CharField()
    name = serializers.CharField()
    colour = serializers.CharField(allow_blank=True)


class PickSerializer(serializers.Serializer[Any]):
    """One player in the order of the draft; the faction is null until it is chosen."""

    player = PlayerNameSerializer()
    faction = FactionSerializer(allow_null=True)


class FactionsSerializer(serializers.Serializer[Any]):
    """The draft of factions at a table: the first without a faction is next.

    Nothing `is_open` where there are no factions, or a result is told already.
    """

    is_open = serializers.BooleanField()
    picks = PickSerializer(many=True)
    offered = FactionSerializer(many=True)


class FactionBody(Body):
    """The faction a player takes, by its id."""

    faction = Text(max_length=30)


class FactionsBody(Body):
    """Who has which faction; players who are not named keep theirs."""

    factions = serializers.ListField(child=SeatFactionBody(), max_length=MOST_SEATS)


class SeatedSerializer(serializers.Serializer[Any]):
    """A player of the table, and whether somebody misses them."""

    player = PlayerNameSerializer()
    is_missed = serializers.BooleanField()


class AbsencesSerializer(serializers.Serializer[Any]):
    """Who sits at a table and who is missed; once a result `is_told` nobody can be."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    players = SeatedSerializer(many=True)
    is_told = serializers.BooleanField()
