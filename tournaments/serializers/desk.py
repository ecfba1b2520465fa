"""Where an event stands, as the desk sees it."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.models import MatchState
from tournaments.models import Pairing, RoundState
from tournaments.serializers.events import PlayerNameSerializer
from tournaments.serializers.jobs import JobSerializer
from tournaments.sheets.desk import Step, StepKind

STEPS = [kind.value for kind in StepKind]


class WaySerializer(serializers.Serializer[Any]):
    """Something that can be done now."""

    kind = serializers.ChoiceField(STEPS)
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    round = serializers.IntegerField(source="round_number", allow_null=True)


class StepSerializer(WaySerializer):
    """The one next thing to do; `tables` are those it waits for, `others` are ways beside it."""

    tables = serializers.SerializerMethodField()
    job = JobSerializer(allow_null=True)
    others = WaySerializer(many=True)

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_tables(self, step: Step) -> list[int | None]:
        """The numbers of the tables."""
        return [pairing.table_number for pairing in step.tables]


class NamedTableSerializer(serializers.Serializer[Any]):
    """A table with its players, as context {"players": {player id: Registration}} names them."""

    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table_number")
    state = serializers.ChoiceField(MatchState.choices, source="match.state")
    players = serializers.SerializerMethodField()

    @extend_schema_field(PlayerNameSerializer(many=True))
    def get_players(self, pairing: Pairing) -> Any:
        """Who sits there."""
        seats = pairing.match.seats.all() if pairing.match else []
        players = self.context["players"]
        return PlayerNameSerializer([players[seat.player_id] for seat in seats], many=True).data


class OpenTableSerializer(serializers.Serializer[Any]):
    """A table without a settled result; `minutes_over` is null while it has time."""

    table = NamedTableSerializer(source="pairing")
    since = serializers.DateTimeField(allow_null=True)
    minutes_over = serializers.IntegerField(allow_null=True)


class DeskRoundSerializer(serializers.Serializer[Any]):
    """The round that is drafted, played or was closed last."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(RoundState.choices)


class DeskSerializer(serializers.Serializer[Any]):
    """Where the event stands. `newest_entry` grows with every change that is logged.

    `registration_is_open` is by hand and by time. `late_tables` are those of closed rounds whose
    result is still missing.
    """

    newest_entry = serializers.IntegerField()
    step = StepSerializer()
    round = DeskRoundSerializer(allow_null=True)
    planned_rounds = serializers.IntegerField(source="target")
    players = serializers.IntegerField()
    checked_in = serializers.IntegerField()
    not_checked_in = serializers.IntegerField(source="waiting")
    registration_is_open = serializers.BooleanField()
    open_tables = OpenTableSerializer(many=True)
    late_tables = NamedTableSerializer(many=True)
    jobs = JobSerializer(many=True)
