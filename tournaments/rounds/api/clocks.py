"""The clock of a round: read by everybody, in the hands of the staff."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.openapi import operation
from tournaments.event import permissions, queries
from tournaments.models import Round
from tournaments.rounds.pages import clocks
from tournaments.rounds.serializers.clocks import (
    ClockSerializer,
    MinutesBody,
    ResumeBody,
    TableMinutesBody,
)
from tournaments.rounds.services import clock
from tournaments.web.api.access import Actions, OneView


class ClockView(OneView):
    """Below the clock of a round."""

    def told(self, round_: Round) -> Response:
        """The clock as it stands now."""
        face = clocks.face(round_)
        told = {
            "number": round_.number,
            "clock": face,
            "minutes": queries.clock_of(round_).minutes,
            "extra_minutes": round_.extra_minutes,
            "pause_mark": queries.pause_mark(round_),
            "tables": clocks.table_times(round_) if face else (),
        }
        return Response(ClockSerializer(told).data)


class Clock(ClockView):
    """The clock of a round, and the tables with more time."""

    @operation("clocks_read", "Clock", ClockSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Ask again when you like: it is told when it ends, not how much is left."""
        return self.told(self.round_())


class ClockActions(Actions, ClockView):
    """The clock in the hands of who runs the event; that of one table in those of judges."""

    abilities = {"POST": permissions.can_run, "add_to_table": permissions.can_judge}

    @operation("clocks_pause", "Pause the clock", ClockSerializer)
    def pause(self, request: Request, **kwargs: Any) -> Response:
        """Paused twice, it keeps the first moment."""
        clock.pause(self.round_(), self.actor)
        return self.told(self.round_())

    @operation("clocks_resume", "Let the clock go on", ClockSerializer, body=ResumeBody)
    def resume(self, request: Request, **kwargs: Any) -> Response:
        """It goes on from where it stood; 409 `clock_moved` when that is not what was seen."""
        round_, told = self.round_(), given(ResumeBody, request)
        clock.resume(round_, self.actor, told["seen"])
        return self.told(self.round_())

    @operation("clocks_add", "Give the room minutes", ClockSerializer, body=MinutesBody)
    def add(self, request: Request, **kwargs: Any) -> Response:
        """With `seen` the same sent again counts once."""
        round_, told = self.round_(), given(MinutesBody, request)
        clock.add(round_, told["minutes"], self.actor, told["seen"])
        return self.told(self.round_())

    @operation(
        "clocks_add_to_table", "Give a table minutes", ClockSerializer, body=TableMinutesBody
    )
    def add_to_table(self, request: Request, **kwargs: Any) -> Response:
        """Besides those of the room; for those who judge."""
        pairing, told = self.table(), given(TableMinutesBody, request)
        clock.add_to_table(pairing, told["minutes"], self.actor, told["reason"], told["seen"])
        return self.told(self.round_())
