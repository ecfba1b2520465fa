"""Factions of a pod: a player takes one in turn, the staff set any."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from matches import queries as match_queries
from tournaments import permissions, queries
from tournaments.api import reading
from tournaments.api.access import actor_of
from tournaments.api.shapes import OneView
from tournaments.faction_drafts import faction_draft
from tournaments.models import Pairing
from tournaments.serializers.tables import FactionBody, FactionsBody, FactionsSerializer
from tournaments.services import factions


class Factions(OneView):
    """The draft of factions at one table."""

    abilities = {"PUT": permissions.can_enter_results}

    @operation("tables_factions", "Factions", FactionsSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Who has chosen, who is next, and what is left."""
        return self._told(self.table())

    @operation("tables_choose_faction", "Take a faction", FactionsSerializer, body=FactionBody)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """A player of the table, when it is their turn. Taken twice, it changes nothing."""
        self.actor = actor_of(request)
        pairing = self.table()
        seat = queries.seat_of(pairing.match, self.actor.player) if pairing.match else None
        if seat is None:
            self.refuse(request)
        assert seat is not None, "whoever is refused goes no further"
        factions.choose(pairing, seat, given(FactionBody, request)["faction"], self.actor)
        return self._told(self.table())

    @operation(
        "tables_set_factions", "Set the factions of a table", FactionsSerializer, body=FactionsBody
    )
    def put(self, request: Request, **kwargs: Any) -> Response:
        """For the staff, in any order; an empty faction is nobody's choice yet."""
        pairing, told = self.table(), given(FactionsBody, request)["factions"]
        factions.set_by_staff(pairing, self._chosen(pairing, told), self.actor)
        return self._told(self.table())

    def _chosen(self, pairing: Pairing, told: list[dict[str, Any]]) -> dict[int, str]:
        """The factions by position. Raises ValidationError."""
        assert pairing.match is not None, "only a table has a number"
        players = reading.roster_by_player(self.tournament)
        seats = pairing.match.seats.all()
        positions = {players[seat.player_id].number: seat.position for seat in seats}
        known = match_queries.factions()
        for one in told:
            if one["player"] not in positions:
                raise ValidationError({"factions": [f"Player {one['player']} does not sit here."]})
            if one["faction"] and one["faction"] not in known:
                raise ValidationError({"factions": [f'There is no faction "{one["faction"]}".']})
        return {positions[one["player"]]: one["faction"] for one in told}

    def _told(self, pairing: Pairing) -> Response:
        draft = faction_draft(pairing.match, pairing.round)
        players = reading.roster_by_player(self.tournament)
        told = {
            "is_open": draft is not None,
            "picks": [
                {"player": players[pick.seat.player_id], "faction": pick.faction}
                for pick in (draft.picks if draft else ())
            ],
            "offered": draft.offered if draft else (),
        }
        return Response(FactionsSerializer(told).data)
