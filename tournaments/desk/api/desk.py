"""The desk: the one next thing to do, and everything that needs an eye."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from core.openapi import operation
from tournaments.desk.pages.desk import next_step
from tournaments.desk.pages.situation import glance, situation
from tournaments.desk.serializers import DeskSerializer
from tournaments.event import permissions, queries
from tournaments.web.api.access import OneView, names_of


class Desk(OneView):
    abilities = {"GET": permissions.can_open_desk}

    @operation("desk_read", "Where an event stands", DeskSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """The next step in words and as a kind, open tables, jobs; for the staff."""
        runs = permissions.can_run(self.actor, self.tournament)
        seen = glance(self.tournament, runs=runs)
        now = situation(self.tournament, seen)
        late = queries.late_tables(self.tournament) if now.has_late_tables else ()
        told = {
            "newest_entry": seen.newest_entry,
            "step": next_step(now),
            "late_tables": list(late),
            **{name: getattr(now, name) for name in TOLD},
        }
        return Response(DeskSerializer(told, context=names_of(self.tournament)).data)


TOLD = (
    "round",
    "target",
    "players",
    "checked_in",
    "waiting",
    "registration_is_open",
    "open_tables",
    "jobs",
)
