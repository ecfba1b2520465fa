"""Where everybody stands and why, and the schedule of a round robin."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import found_or_404
from core.api_pagination import Pagination
from core.api_viewsets import endpoint
from tournaments.event import queries
from tournaments.models import Standing, StandingSnapshot
from tournaments.results.pages.schedule import schedule_of
from tournaments.results.pages.standings import place_with_cut, sums, why_no_standings
from tournaments.results.serializers.standings import (
    ScheduleSerializer,
    StandingSerializer,
    WorkingsSerializer,
)
from tournaments.web.api.viewsets import EventViewSet

AFTER_ROUND = OpenApiParameter(
    "round", OpenApiTypes.INT, description="After which closed round; without it the last one."
)


class StandingsPagination(Pagination):
    """A page of the standings, or the reason why there are none.

    `updating_from_round` is the first round whose standings are being recomputed.
    """

    why_empty: str | None = None
    updating_from_round: int | None = None

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data["why_empty"] = self.why_empty
        response.data["updating_from_round"] = self.updating_from_round
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"]["why_empty"] = {
            "type": "string",
            "nullable": True,
            "description": "Why there are no standings yet; null if there are.",
        }
        described["properties"]["updating_from_round"] = {
            "type": "integer",
            "nullable": True,
            "description": (
                "The first round whose standings are being recomputed after a change: from it on "
                "these are the previous ones. Null if all are current."
            ),
        }
        described["required"] = [*described["required"], "why_empty", "updating_from_round"]
        return described


class StandingsViewSet(EventViewSet):
    """Where everybody stands: as a list, worked out for one player, in a round robin's plan."""

    @property
    def pagination_class(self) -> type[Pagination] | None:  # type: ignore[override]
        """The list of standings has a reason beside it."""
        return StandingsPagination if self.action == "list" else super().pagination_class

    @endpoint("events_workings", "Where a player stands and why", WorkingsSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """One player's tie-breakers after the last closed round, term by term."""
        players = queries.players(self.tournament).select_related("player")
        place = found_or_404(players, "Player", number=self.kwargs["number"])
        place.tournament = self.tournament
        snapshot = queries.newest_snapshot(self.tournament)
        placing = place_with_cut(self.tournament, place.number)
        body = {
            "player": place,
            "standing": _standing_of(snapshot, place.pk),
            "place": placing.rank if placing else None,
            "sums": sums(place, snapshot) if snapshot else [],
            "updating_from_round": queries.standings_outdated_from(self.tournament),
        }
        return Response(WorkingsSerializer(body).data)

    @endpoint("events_schedule", "Plan of a round robin", ScheduleSerializer, shared=True)
    def schedule(self, request: Request, **kwargs: Any) -> Response:
        """Who meets whom in which round, and every result; empty until round 1 is published."""
        stage = queries.round_robin_of_event(self.tournament)
        body = {
            "is_round_robin": queries.is_round_robin(self.tournament),
            "rounds": schedule_of(stage).rounds if stage is not None else (),
        }
        return Response(ScheduleSerializer(body).data)

    @endpoint(
        "events_standings",
        "Standings",
        StandingSerializer(many=True),
        parameters=[AFTER_ROUND],
        shared=True,
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """The standings in force after a closed round, best first.

        Before the first they are empty, and `why_empty` says why.
        """
        snapshot = queries.newest_snapshot(self.tournament, self._round_number())
        assert isinstance(self.paginator, StandingsPagination)
        self.paginator.updating_from_round = queries.standings_outdated_from(self.tournament)
        if snapshot is None:
            self.paginator.why_empty = why_no_standings(self.tournament)
            return self.listed(Standing.objects.none(), StandingSerializer)
        rows = queries.standing_rows(snapshot)
        return self.listed(
            rows.select_related("registration__player", "snapshot__round"), StandingSerializer
        )

    def _round_number(self) -> int | None:
        typed: str | None = self.request.query_params.get("round")
        if typed is None:
            return None
        ranked = {str(number): number for number in queries.ranked_rounds(self.tournament)}
        if typed not in ranked:
            raise ValidationError({"round": [_rounds_there_are([*ranked])]})
        return ranked[typed]


def _standing_of(snapshot: StandingSnapshot | None, registration: int) -> Standing | None:
    if snapshot is None:
        return None
    rows = snapshot.rows.select_related("registration__player", "snapshot__round")
    return rows.filter(registration=registration).first()


def _rounds_there_are(numbers: Sequence[str]) -> str:
    if not numbers:
        return "There are no standings yet: no round is closed."
    return f"There are standings after these rounds: {', '.join(numbers)}."
