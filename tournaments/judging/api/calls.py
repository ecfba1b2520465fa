"""The queue of judge calls, one call, and the figures of all."""

from typing import Any, NamedTuple

from django.http import Http404
from django.utils import timezone
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from core.api_bodies import given
from core.openapi import operation
from rulings.models import JudgeCall
from tournaments.event import permissions, queries
from tournaments.judging import queries as judging_queries
from tournaments.judging.pages import calls as pages
from tournaments.judging.pages.judged import figures_document
from tournaments.judging.pages.judging import figures_of
from tournaments.judging.queries import TableCall
from tournaments.judging.serializers import calls as told
from tournaments.judging.services import calls as services
from tournaments.models import Pairing, Tournament
from tournaments.web.api.access import ManyView, OneView, OwnView


def asked(serializer: type[Serializer[Any]], request: Request) -> Any:
    """What the query parameters say. Raises ValidationError by parameter."""
    told = serializer(data=request.query_params.dict())
    told.is_valid(raise_exception=True)
    return told.validated_data


def numbers_of(tournament: Tournament) -> dict[str, Any]:
    """The context of answers that name players: their numbers by the key of the player."""
    return {"numbers": dict(tournament.registrations.values_list("player_id", "number"))}


class SeenCall(NamedTuple):
    """A call and its page."""

    call: JudgeCall
    pairing: Pairing
    sheet: pages.CallSheet


class CallView(OwnView):
    """Calls name players by their numbers; `pk` is the id of a call of the event."""

    def found(self) -> TableCall:
        """The call of the address, or a 404."""
        found = judging_queries.table_call(self.tournament, self.kwargs["pk"])
        if found is None:
            raise Http404
        return found

    def told(self, call: JudgeCall, status_: int = status.HTTP_200_OK) -> Response:
        """The call as it is now, with what the asking judge may do with it."""
        found = judging_queries.table_call(self.tournament, call.pk)
        if found is None:
            raise Http404
        line = pages.queue_line(self.tournament, found, self.actor, timezone.now())
        return Response(self._shown(line), status=status_)

    def _shown(self, line: pages.QueueLine) -> Any:
        return told.QueuedCallSerializer(line, context=self._context()).data

    def _context(self) -> dict[str, Any]:
        judges = permissions.can_judge(self.actor, self.tournament)
        return {**numbers_of(self.tournament), "judges": judges}


class CallList(CallView, ManyView):
    """The calls of the event: those that wait for a judge, the oldest first, for all who stand
    behind the desk; those that are over, the newest first, for judges.
    """

    abilities = {"GET": permissions.can_open_desk, "POST": permissions.can_open_desk}
    own_parameters = ("state", "round", "judge", "kind")

    @operation(
        "calls_list",
        "Judge calls",
        told.QueuedCallSerializer(many=True),
        parameters=[told.CallsAsked],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Who waits, or who answered what."""
        sought = asked(told.CallsAsked, request)
        return self.listed(self._lines(sought), told.QueuedCallSerializer, **self._context())

    def _lines(self, sought: dict[str, Any]) -> Any:
        now = timezone.now()
        if sought["state"] == "open":
            self._refuse_filters(sought)
            return pages.queue(self.tournament, self.actor, now)
        self.require(permissions.can_judge)
        past = judging_queries.past_calls(
            self.tournament,
            round_number=sought.get("round"),
            judge=self._judge(sought.get("judge")),
            kind=sought.get("kind", ""),
        )
        return [pages.queue_line(self.tournament, line, self.actor, now) for line in past]

    def _refuse_filters(self, sought: dict[str, Any]) -> None:
        only_past = {"round", "judge", "kind"} & set(sought)
        if only_past:
            said = "Only calls that are over are narrowed down: add state=over."
            raise ValidationError({name: [said] for name in sorted(only_past)})

    def _judge(self, name: str | None) -> int | None:
        if name is None:
            return None
        judges = {
            judge.username: judge.pk for judge in judging_queries.judges_of_calls(self.tournament)
        }
        # Nobody has the key 0.
        return judges.get(name, 0)

    @operation(
        "calls_raise_at_desk",
        "Type a call at the desk",
        told.QueuedCallSerializer,
        body=told.StaffCallWanted,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Somebody came to the desk. A second call of a table that waits is the same call."""
        body = given(told.StaffCallWanted, request)
        pairing = queries.table_now(self.tournament, body["table"])
        if pairing is None:
            raise ValidationError({"table": ["Nobody plays at this table now."]})
        call = services.raise_call(pairing, self.actor, body["about"])
        return self.told(call, status.HTTP_201_CREATED)


class CallDetail(CallView):
    """One call, for judges."""

    abilities = {"GET": permissions.can_judge}

    @operation("calls_read", "One judge call", told.CallDetailSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The call, its table, and what was called there before."""
        found = self.found()
        sheet = pages.call_sheet(self.tournament, found, self.actor, timezone.now())
        seen = SeenCall(found.call, found.pairing, sheet)
        context = numbers_of(self.tournament)
        return Response(told.CallDetailSerializer(seen, context=context).data)


class CallStatistics(OneView):
    abilities = {"GET": permissions.can_head_judge}

    @operation("calls_statistics", "Statistics of judge calls", told.StatisticsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """How many calls, how fast, how good."""
        figures = figures_of(self.tournament)
        document = {
            **figures_document(figures),
            "by_round": [{"round": one, "calls": calls} for one, calls in figures.by_round],
            "tables": [
                {"round": one, "table": table, "calls": calls}
                for one, table, calls in figures.tables
            ],
            "cited": [
                {"code": code, "subject": subject, "times": times}
                for code, subject, times in figures.cited
            ],
        }
        return Response(told.StatisticsSerializer(document).data)
