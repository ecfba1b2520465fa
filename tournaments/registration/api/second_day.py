"""Day 2: its check-in, and who is missing."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_viewsets import endpoint
from tournaments.event import permissions, queries
from tournaments.event.history import EventIsFinished
from tournaments.registration.serializers.arrivals import DayTwoSerializer, MissingBody
from tournaments.registration.services import second_day
from tournaments.web.api.viewsets import EventViewSet

REFUSALS = (EventIsFinished, second_day.NotDayTwo)


class DayTwoViewSet(EventViewSet):
    """Players check in again on day 2; they do so as on day 1."""

    @endpoint("day_two_read", "Day 2", DayTwoSerializer, who=permissions.can_open_desk)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Whether its check-in is open, and who is missing."""
        return self._answer()

    @endpoint(
        "day_two_open",
        "Open check-in for day 2",
        DayTwoSerializer,
        who=permissions.can_run,
        refusals=REFUSALS,
    )
    def open(self, request: Request, slug: str) -> Response:
        """All who play on day 2 check in again, until its first round is paired."""
        second_day.open_check_in(self.tournament, self.actor)
        return self._answer()

    @endpoint(
        "day_two_close",
        "Close check-in for day 2",
        DayTwoSerializer,
        who=permissions.can_run,
        refusals=REFUSALS,
    )
    def close(self, request: Request, slug: str) -> Response:
        """It was opened by mistake: nobody has to check in again."""
        second_day.close_check_in(self.tournament, self.actor)
        return self._answer()

    @endpoint(
        "day_two_drop",
        "Drop players missing on day 2",
        DayTwoSerializer,
        body=MissingBody,
        who=permissions.can_run,
        refusals=(*REFUSALS, second_day.MissingHaveChanged),
    )
    def drop(self, request: Request, slug: str) -> Response:
        """The players of `numbers`, all who are missing now, are out; refused for any others."""
        numbers = given(MissingBody, request)["numbers"]
        second_day.drop_missing(self.tournament, numbers, self.actor)
        return self._answer()

    def _answer(self) -> Response:
        self.tournament.refresh_from_db(fields=["day_two_opened_at"])
        missing: Any = queries.day_two_missing(self.tournament)
        answer = {
            "starts_on": self.tournament.day_two_on,
            "start_time": self.tournament.day_two_time,
            "first_round": self.tournament.day_two_round,
            "begins_next": queries.begins_day_two(self.tournament),
            "is_open": queries.day_two_check_in_is_open(self.tournament),
            "players": queries.day_two_players(self.tournament).count(),
            "missing": missing if self.tournament.day_two_on else [],
        }
        return Response(DayTwoSerializer(answer).data)
