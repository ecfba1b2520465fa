"""Where everybody stands and why, and the schedule of a round robin."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView

from core.openapi import operation
from tournaments.event import queries
from tournaments.models import Standing, StandingSnapshot
from tournaments.results.pages.schedule import schedule_of
from tournaments.results.pages.standings import place_with_cut, sums
from tournaments.results.serializers.standings import (
    ScheduleSerializer,
    StandingSerializer,
    WorkingsSerializer,
)
from tournaments.web.api.access import EventView, ShownView


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
        ranked = {str(number): number for number in queries.ranked_rounds(self.tournament)}
        if typed not in ranked:
            raise ValidationError({"round": [_rounds_there_are(list(ranked))]})
        return ranked[typed]


def _rounds_there_are(numbers: list[Any]) -> str:
    if not numbers:
        return "There are no standings yet: no round is closed."
    return f"There are standings after these rounds: {', '.join(numbers)}."
