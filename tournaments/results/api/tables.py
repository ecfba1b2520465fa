"""One table: read by everybody; its roles and factions, and who goes on from it in a cut."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from matches import queries as match_queries
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Registration
from tournaments.results.serializers.tables import (
    CorpChoiceBody,
    CorpChoiceSerializer,
    FactionBody,
    FactionsBody,
    FactionsSerializer,
    PlayerBody,
    TableSerializer,
)
from tournaments.results.services import cuts, factions
from tournaments.rounds import elimination
from tournaments.rounds.faction_drafts import faction_draft
from tournaments.web import queries as web_queries
from tournaments.web.api.access import (
    EventEndpoint,
    OneView,
    ShownView,
    actor_of,
    names_of,
    player_at,
)


def told_table(view: EventEndpoint) -> dict[str, Any]:
    """The table of the address as everybody reads it."""
    round_ = get_object_or_404(
        queries.visible_rounds(view.tournament), number=view.kwargs["number"]
    )
    rows = web_queries.pairings_of(round_).select_related("advances__player")
    pairing = get_object_or_404(rows, table_number=view.kwargs["table"])
    return dict(TableSerializer(pairing, context=names_of(view.tournament)).data)


def named(view: EventEndpoint, field: str, number: int) -> Registration:
    """The player with this number. Raises ValidationError of the field."""
    found = player_at(view, number)
    if found is None:
        raise ValidationError({field: ["Nobody in the event has this number."]})
    return found


@extend_schema_view(get=operation("tables_read", "One table", TableSerializer))
class Table(ShownView):
    """A table of a published round. Its result is told once it is settled."""

    def shown(self) -> dict[str, Any]:
        return told_table(self)


class Advance(OneView):
    """Who goes on from a match of a cut that ended level."""

    abilities = {"POST": permissions.can_enter_results}

    @operation("tables_advance", "Say who goes on", TableSerializer, body=PlayerBody)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """The word of the staff; 409 where the points say it."""
        pairing, told = self.table(), given(PlayerBody, request)
        cuts.say_who_goes_on(pairing, named(self, "player", told["player"]), self.actor)
        return Response(told_table(self))


class Role(OneView):
    """Who begins as Corp at a table of a cut."""

    abilities = {"POST": None}

    @operation("tables_role", "Roles", CorpChoiceSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Nobody chooses where the bracket or the rules of the event say it."""
        return self._told(self.table())

    @operation(
        "tables_choose_role", "Choose who begins as Corp", CorpChoiceSerializer, body=CorpChoiceBody
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        """The higher seed, or the staff in their stead; until a result is told."""
        self.actor = actor_of(request)
        pairing = self.table()
        if not permissions.can_enter_results(self.actor, self.tournament):
            self._refuse_unless_chooser(request, pairing)
        told = given(CorpChoiceBody, request)
        corp = named(self, "corp", told["corp"])
        cuts.choose_corp(pairing, corp, self.actor, seen=self._seen(told))
        return self._told(self.table())

    def _refuse_unless_chooser(self, request: Request, pairing: Pairing) -> None:
        mine = queries.registration_of(self.actor.player, self.tournament)
        if mine is None or elimination.chooser_of(pairing) != mine.number:
            self.refuse(request)

    def _seen(self, told: dict[str, Any]) -> str | None:
        if "seen" not in told:
            return None
        seen = player_at(self, told["seen"]) if told["seen"] else None
        return str(seen.player_id) if seen else ""

    def _told(self, pairing: Pairing) -> Response:
        players = web_queries.roster_by_player(self.tournament)
        by_number = {entry.number: entry for entry in players.values()}
        chooser = elimination.chooser_of(pairing)
        corp = elimination.chosen_corp(pairing) if chooser is not None else ""
        told = {
            "chooser": by_number[chooser] if chooser is not None else None,
            "corp": players[int(corp)] if corp else None,
        }
        return Response(CorpChoiceSerializer(told).data)


class Factions(OneView):
    """The draft of factions at one table."""

    abilities = {"POST": None, "PUT": permissions.can_enter_results}

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
        players = web_queries.roster_by_player(self.tournament)
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
        players = web_queries.roster_by_player(self.tournament)
        told = {
            "is_open": draft is not None,
            "picks": [
                {"player": players[pick.seat.player_id], "faction": pick.faction}
                for pick in (draft.picks if draft else ())
            ],
            "offered": draft.offered if draft else (),
        }
        return Response(FactionsSerializer(told).data)
