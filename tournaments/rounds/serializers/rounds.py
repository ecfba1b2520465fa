"""Rounds and who sits at which table, as the API tells them.

Serializers of pairings and games want {"players": {player id: Registration}}
as context; nothing in here reads a deck, a draft or a report.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.systems import STORED
from matches import records
from matches.models import GAME_ENDS, Seat
from matches.scoring import Flag, Role
from tournaments.models import Pairing, Round, RoundState
from tournaments.rounds.pages.why import public_reasons
from tournaments.web.serializers import PlayerNameSerializer, PointsField, result_to_body

PUBLIC_STATES = [choice for choice in RoundState.choices if choice[0] != RoundState.DRAFT]


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
        return PlayerNameSerializer(self.context["players"][seat.player_id]).data

    @extend_schema_field(PointsField(allow_null=True))
    def get_match_points(self, seat: Seat) -> int | str | None:
        """What the match brought."""
        return PointsField().to_representation(seat.points) if seat.match.is_settled else None

    def get_faction(self, seat: Seat) -> str | None:
        """What is played, by its id."""
        return next((played.faction for played in seat.in_games() if played.faction), None)

    def get_victory_points(self, seat: Seat) -> int | None:
        """What the game brought."""
        return next((played.victory_points for played in seat.in_games()), None)


class GameSerializer(serializers.Serializer[Any]):
    """One game: who plays which role, by player number; what came of it once it is settled."""

    number = serializers.IntegerField()
    corp = serializers.IntegerField()
    runner = serializers.IntegerField()
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
        games = [
            {"number": number, "corp": numbers[corp], "runner": numbers[3 - corp]}
            | NOT_PLAYED
            | played.get(number, {})
            for number, corp in records.corps(match).items()
        ]
        return GameSerializer(games, many=True).data

    @extend_schema_field(PlayerNameSerializer(allow_null=True))
    def get_bye(self, pairing: Pairing) -> Any:
        """Who has the bye; null for a table."""
        return PlayerNameSerializer(pairing.bye).data if pairing.bye else None

    def get_reasons(self, pairing: Pairing) -> list[str]:
        """Why these meet, or why the bye, in sentences; empty when made by hand."""
        return public_reasons(pairing, self.context["names"])


class RoundSerializer(serializers.ModelSerializer[Round]):
    """A round that is published; drafts are never told."""

    state = serializers.ChoiceField(choices=PUBLIC_STATES)
    stage = serializers.IntegerField(source="stage.number")
    system = serializers.ChoiceField(source="stage.system", choices=list(STORED))
    tables = serializers.IntegerField()
    byes = serializers.IntegerField()

    class Meta:
        model = Round
        fields = [
            "number",
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
