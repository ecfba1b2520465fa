"""Where everybody stands and why, and what is planned."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_view

from core.openapi import operation
from tournaments.event import queries
from tournaments.models import Standing, StandingSnapshot
from tournaments.results.pages.placings import place_with_cut
from tournaments.results.pages.schedule import schedule_of
from tournaments.results.pages.workings import sums
from tournaments.results.serializers.standings import ScheduleSerializer, WorkingsSerializer
from tournaments.web.api.access import ShownView


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
        told = {
            "player": place,
            "standing": _line(snapshot, place.pk),
            "place": placing.rank if placing else None,
            "sums": sums(place, snapshot.round) if snapshot else [],
        }
        return dict(WorkingsSerializer(told).data)


def _line(snapshot: StandingSnapshot | None, registration: int) -> Standing | None:
    if snapshot is None:
        return None
    rows = snapshot.rows.select_related("registration__player", "snapshot__round")
    return rows.filter(registration=registration).first()


@extend_schema_view(get=operation("events_schedule", "Plan of a round robin", ScheduleSerializer))
class Schedule(ShownView):
    """Who meets whom in which round, and every result; empty until round 1 is published."""

    def shown(self) -> dict[str, Any]:
        stage = queries.round_robin_of_event(self.tournament)
        told = {
            "is_round_robin": queries.is_round_robin(self.tournament),
            "rounds": schedule_of(stage).rounds if stage is not None else (),
        }
        return dict(ScheduleSerializer(told).data)
