"""Where everybody stands and why; the cut, its bracket, and the schedule of a round robin."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_view
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Registration, Stage, Standing, StandingSnapshot
from tournaments.results.api.results import player_numbered
from tournaments.results.forms.cuts import usual_size
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.schedule import schedule_of
from tournaments.results.pages.standings import place_with_cut, placing_lines, sums
from tournaments.results.serializers.standings import (
    BracketSerializer,
    CandidatesSerializer,
    CutBody,
    CutSerializer,
    DeclineBody,
    ScheduleSerializer,
    StandingSerializer,
    WorkingsSerializer,
)
from tournaments.results.services import cuts
from tournaments.rounds import elimination
from tournaments.web import queries as web_queries
from tournaments.web.api.access import (
    EventView,
    OneView,
    ShownView,
)


@extend_schema_view(
    get=operation("events_workings", "Where a player stands and why", WorkingsSerializer)
)
class Workings(ShownView):
    """One player's tie-breakers after the last closed round, term by term."""

    def shown(self) -> dict[str, Any]:
        players = queries.players(self.tournament).select_related("player")
        place = get_object_or_404(players, number=self.kwargs["number"])
        place.tournament = self.tournament
        snapshot = queries.newest_snapshot(self.tournament)
        placing = place_with_cut(self.tournament, place.number)
        body = {
            "player": place,
            "standing": _standing_of(snapshot, place.pk),
            "place": placing.rank if placing else None,
            "sums": sums(place, snapshot.round) if snapshot else [],
        }
        return dict(WorkingsSerializer(body).data)


def _standing_of(snapshot: StandingSnapshot | None, registration: int) -> Standing | None:
    if snapshot is None:
        return None
    rows = snapshot.rows.select_related("registration__player", "snapshot__round")
    return rows.filter(registration=registration).first()


@extend_schema_view(get=operation("events_schedule", "Plan of a round robin", ScheduleSerializer))
class Schedule(ShownView):
    """Who meets whom in which round, and every result; empty until round 1 is published."""

    def shown(self) -> dict[str, Any]:
        stage = queries.round_robin_of_event(self.tournament)
        body = {
            "is_round_robin": queries.is_round_robin(self.tournament),
            "rounds": schedule_of(stage).rounds if stage is not None else (),
        }
        return dict(ScheduleSerializer(body).data)


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


EMPTY = {"stage": None, "system": None, "fixed_bracket": False, "games": (), "placings": ()}


@extend_schema_view(
    get=operation(
        "events_standings",
        "Standings",
        parameters=[
            OpenApiParameter(
                "round",
                OpenApiTypes.INT,
                description="After which closed round; the last one unless told.",
            )
        ],
    )
)
class StandingList(EventView, ListAPIView[Standing]):
    """The standings in force after a closed round, best first; empty before the first."""

    serializer_class = StandingSerializer
    queryset = Standing.objects.none()
    own_parameters = ("round",)

    def get_queryset(self) -> QuerySet[Standing]:
        snapshot = queries.newest_snapshot(self.tournament, self._round_number())
        if snapshot is None:
            return Standing.objects.none()
        return queries.standing_rows(snapshot).select_related(
            "registration__player", "snapshot__round"
        )

    def _round_number(self) -> int | None:
        typed: str | None = self.request.query_params.get("round")
        if typed is None:
            return None
        ranked = {str(number): number for number in web_queries.ranked_rounds(self.tournament)}
        if typed not in ranked:
            raise ValidationError({"round": [_rounds_there_are(list(ranked))]})
        return ranked[typed]


def _rounds_there_are(numbers: list[Any]) -> str:
    if not numbers:
        return "There are no standings yet: no round is closed."
    return f"There are standings after these rounds: {', '.join(numbers)}."
