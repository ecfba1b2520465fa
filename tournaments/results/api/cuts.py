"""The cut: its candidates, seeds and bracket; made, changed and undone; its tables."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema_view
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Registration, Stage
from tournaments.results.api.results import player_numbered, table_body
from tournaments.results.forms.cuts import usual_size
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.standings import placing_lines
from tournaments.results.serializers.results import (
    CorpChoiceBody,
    CorpChoiceSerializer,
    PlayerBody,
    TableSerializer,
)
from tournaments.results.serializers.standings import (
    BracketSerializer,
    CandidatesSerializer,
    CutBody,
    CutSerializer,
    DeclineBody,
)
from tournaments.results.services import cuts
from tournaments.rounds import elimination
from tournaments.web.api.access import OneView, ShownView, actor_of, player_at

EMPTY = {"stage": None, "system": None, "fixed_bracket": False, "games": (), "placings": ()}
"""A bracket before its first games are published."""


class CutView(OneView):
    """Below the cut of an event."""

    abilities = dict.fromkeys(("GET", "POST", "DELETE"), permissions.can_run)

    def stage(self) -> Stage:
        """The cut. Raises Http404 while there is none."""
        stage = queries.cut_of_event(self.tournament)
        if stage is None:
            raise Http404
        return stage

    def document(self) -> dict[str, Any]:
        """The cut as it stands now."""
        stage = self.stage()
        cut = elimination.cut_of(stage)
        body = {
            "stage": stage.number,
            "system": stage.system,
            "scoring_rule": stage.scoring_rule,
            "fixed_bracket": stage.fixed_bracket,
            "is_public": queries.is_public_cut(stage),
            "is_as_in_standings": cuts.is_as_in_standings(stage),
            "seeds": cut.entries,
            "declined": [entry.registration for entry in queries.declined_entries(stage)],
            "left": cuts.left_players(stage),
            "next_in": cuts.next_in(stage),
            "winner": cut.winner,
        }
        return dict(CutSerializer(body).data)


class Cut(CutView):
    @operation("cuts_read", "The cut", CutSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Its seeds, and who would come in; 404 while there is none."""
        return Response(self.document())

    @operation("cuts_make", "Make a cut", CutSerializer, body=CutBody, status=201)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Of these players, best seed first. Nobody else sees it before its games are published."""
        body = given(CutBody, request)
        known = self.tournament.game_played.scoring_rules
        rule = body["scoring_rule"]
        if rule and rule != self.tournament.scoring_rule and rule not in known:
            raise ValidationError({"scoring_rule": [f"Choose one of {', '.join(known)}."]})
        cuts.make_cut(
            self.tournament,
            self._players(body["players"]),
            self.actor,
            system=body["system"],
            scoring_rule=rule,
            fixed_bracket=body["fixed_bracket"],
        )
        return Response(self.document(), status=status.HTTP_201_CREATED)

    def _players(self, numbers: list[int]) -> list[Registration]:
        candidates = {one.number: one for one in queries.cut_candidates(self.tournament)}
        unknown = [number for number in numbers if number not in candidates]
        if unknown:
            raise ValidationError({"players": [f"Player {unknown[0]} cannot be in a cut."]})
        return [candidates[number] for number in numbers]

    @operation("cuts_undo", "Undo the cut", status=204)
    def delete(self, request: Request, **kwargs: Any) -> Response:
        """While nothing of it is published."""
        cuts.undo_cut(self.stage(), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Candidates(CutView):
    @operation("cuts_candidates", "Who can be in a cut", CandidatesSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """By the newest standings, best first."""
        players = queries.cut_candidates(self.tournament)
        latest = queries.latest_round(self.tournament)
        is_open = latest is not None and not latest.is_closed
        body = {
            "usual_size": usual_size(len(players)),
            "players": players,
            "standings_wait": queries.standings_wait(self.tournament),
            "open_round": latest.number if latest is not None and is_open else None,
        }
        return Response(CandidatesSerializer(body).data)


class Decline(CutView):
    @operation("cuts_decline", "Give a place in the cut up", CutSerializer, body=DeclineBody)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Those behind move up, and the next one is in."""
        body = given(DeclineBody, request)
        cuts.decline(self.stage(), player_numbered(self, "number", body["number"]), self.actor)
        return Response(self.document())


@extend_schema_view(get=operation("events_bracket", "Bracket", BracketSerializer))
class Bracket(ShownView):
    """Who meets whom in the cut, and where everybody came; empty until games are published."""

    def shown(self) -> dict[str, Any]:
        stage = queries.cut_of_event(self.tournament)
        is_public = stage is not None and queries.is_public_cut(stage)
        return dict(BracketSerializer(self._document(stage) if stage and is_public else EMPTY).data)

    def _document(self, stage: Stage) -> dict[str, Any]:
        cut = elimination.cut_of(stage)
        return {
            "stage": stage.number,
            "system": stage.system,
            "fixed_bracket": stage.fixed_bracket,
            "games": bracket_drawing(cut).games,
            "placings": placing_lines(self.tournament, cut),
        }


class Advance(OneView):
    """Who goes on from a match of a cut that ended level."""

    abilities = {"POST": permissions.can_enter_results}

    @operation("tables_advance", "Say who goes on", TableSerializer, body=PlayerBody)
    def post(self, request: Request, **kwargs: Any) -> Response:
        """The word of the staff; 409 where the points say it."""
        pairing, body = self.table(), given(PlayerBody, request)
        cuts.say_who_goes_on(pairing, player_numbered(self, "player", body["player"]), self.actor)
        return Response(table_body(self))


class Role(OneView):
    """Who begins as Corp at a table of a cut."""

    abilities = {"POST": None}

    @operation("tables_role", "Roles", CorpChoiceSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Nobody chooses where the bracket or the rules of the event say it."""
        return self._document(self.table())

    @operation(
        "tables_choose_role", "Choose who begins as Corp", CorpChoiceSerializer, body=CorpChoiceBody
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        """The higher seed, or the staff in their stead; until a result is told."""
        self.actor = actor_of(request)
        pairing = self.table()
        if not permissions.can_enter_results(self.actor, self.tournament):
            self._refuse_unless_chooser(request, pairing)
        body = given(CorpChoiceBody, request)
        corp = player_numbered(self, "corp", body["corp"])
        cuts.choose_corp(pairing, corp, self.actor, seen=self._seen(body))
        return self._document(self.table())

    def _refuse_unless_chooser(self, request: Request, pairing: Pairing) -> None:
        mine = queries.registration_of(self.actor.player, self.tournament)
        if mine is None or elimination.chooser_of(pairing) != mine.number:
            self.refuse(request)

    def _seen(self, body: dict[str, Any]) -> str | None:
        if "seen" not in body:
            return None
        seen = player_at(self, body["seen"]) if body["seen"] else None
        return str(seen.player_id) if seen else ""

    def _document(self, pairing: Pairing) -> Response:
        players = queries.roster_by_player(self.tournament)
        by_number = {entry.number: entry for entry in players.values()}
        chooser = elimination.chooser_of(pairing)
        corp = elimination.chosen_corp(pairing) if chooser is not None else ""
        body = {
            "chooser": by_number[chooser] if chooser is not None else None,
            "corp": players[int(corp)] if corp else None,
        }
        return Response(CorpChoiceSerializer(body).data)
