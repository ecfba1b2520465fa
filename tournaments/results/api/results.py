"""Results of a table: told by its players, confirmed, disputed, decided by the staff."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_writes import RESULTS
from core.errors import Refusal
from core.openapi import operation
from matches import records
from matches.models import Match, ReportState, Seat
from matches.scoring import MatchResult
from tournaments.event import permissions, queries
from tournaments.models import Pairing
from tournaments.results.pages.results import dispute_of, judged_games, last_told
from tournaments.results.queries import impact
from tournaments.results.serializers.impacts import ImpactSerializer
from tournaments.results.serializers.result_bodies import (
    ConfirmBody,
    DecisionBody,
    DisputeBody,
    ReportBody,
    TableContext,
)
from tournaments.results.serializers.results import (
    OwnTableSerializer,
    StaffTableSerializer,
    numbers_at,
    report_document,
)
from tournaments.results.services import results
from tournaments.web import queries as web_queries
from tournaments.web.api.access import Actions, OneView, actor_of
from tournaments.web.serializers import result_to_body


class ImpactNotSeen(Refusal):
    """A closed round is changed only by somebody who has seen what that touches."""


class ResultView(OneView):
    """Below a table."""

    def document(self, pairing: Pairing, *, for_staff: bool) -> dict[str, Any]:
        """What was told at the table, as its players or as the staff read it."""
        match = match_at(pairing)
        players = web_queries.roster_by_player(self.tournament)
        numbers = numbers_at(match, players)
        reports = [
            one
            for one in match.reports.select_related("seat").order_by("pk")
            if for_staff or (one.seat_id and one.state != ReportState.SUPERSEDED)
        ]
        told: dict[str, Any] = {
            "round": pairing.round.number,
            "table": pairing.table_number,
            "version": match.version,
            "state": match.state,
            "seats": [
                {"position": seat.position, "player": players[seat.player_id]}
                for seat in match.seats.all()
            ],
            "result": result_to_body(records.settled_result(match), numbers),
            "judged": judged_games(match),
            "reports": [report_document(one, players, numbers) for one in reports],
        }
        if not for_staff:
            return dict(OwnTableSerializer(told).data)
        return dict(StaffTableSerializer({**told, **_compared(match, numbers)}).data)

    def reported(self, body: type[ReportBody], match: Match, *, by_staff: bool) -> dict[str, Any]:
        """The body of the request, its `result` a MatchResult of this table."""
        numbers = numbers_at(match, web_queries.roster_by_player(self.tournament))
        table = TableContext(match, numbers, by_staff)
        return given(body, self.request, context={"table": table})

    def seated(self) -> tuple[Pairing, Seat]:
        """The table with the asking player's seat; refuses who does not sit there."""
        self.actor = actor_of(self.request)
        pairing = self.table()
        seat = queries.seat_of(match_at(pairing), self.actor.player)
        if seat is None:
            self.refuse(self.request)
        assert seat is not None, "whoever is refused goes no further"
        return pairing, seat


class TableResult(ResultView):
    """One table as the staff see it."""

    abilities = {"GET": permissions.can_open_desk, "PUT": permissions.can_enter_results}
    scopes = {"PUT": RESULTS}

    @operation("results_read", "All that was told at a table", StaffTableSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """The settled result, every report, and where the reports differ; for the staff."""
        return Response(self.document(self.table(), for_staff=True))

    @operation(
        "results_decide",
        "Enter, change or decide a result",
        StaffTableSerializer,
        body=DecisionBody,
    )
    def put(self, request: Request, **kwargs: Any) -> Response:
        """Settle the result, whatever was reported.

        409 `stale_version` when the table has changed since `seen_version`, with what is recorded
        and what you entered. In a closed round the first answer is a 409 `impact_not_seen` with
        what the change touches; with its `mark` as `seen_impact` it is done. Another result there
        wants a `note` that says why: 409 `reason_missing`.
        """
        pairing = self.table()
        match = match_at(pairing)
        body = self.reported(DecisionBody, match, by_staff=True)
        if body["cited"] and not permissions.can_judge(self.actor, self.tournament):
            raise ValidationError({"cited": ["Only those who judge cite rulings."]})
        seen = body["seen_impact"] or ""
        if pairing.round.is_closed and match.version == body["seen_version"]:
            refuse_unseen(pairing, body["result"], seen)
        results.decide(
            pairing,
            body["result"],
            self.actor,
            seen_version=body["seen_version"],
            note=body["note"],
            force=body["force"],
            seen_impact=seen if pairing.round.is_closed else None,
            cited=body["cited"],
        )
        return Response(self.document(self.table(), for_staff=True))


class PlayerResult(ResultView):
    """A player's own table."""

    abilities = {"POST": None}
    scopes = {"POST": RESULTS}

    def answered(self) -> Response:
        """The table as it stands now."""
        return Response(self.document(self.table(), for_staff=False))


class Report(PlayerResult):
    """What the players of a table tell."""

    @operation("results_told", "What the players of your table told", OwnTableSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        """The reports that stand, for those who sit there. Confirm one by its `id`."""
        pairing, _ = self.seated()
        return Response(self.document(pairing, for_staff=False))

    @operation(
        "results_report", "Report the result of your table", OwnTableSerializer, body=ReportBody
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Tell the result; the others at the table are asked. The same told twice is told once."""
        pairing, seat = self.seated()
        body = self.reported(ReportBody, match_at(pairing), by_staff=False)
        results.report(pairing, seat, body["result"], self.actor)
        return self.answered()


class ReportActions(Actions, PlayerResult):
    """Yes or no to the report of another player."""

    @operation("results_confirm", "Confirm a report", OwnTableSerializer, body=ConfirmBody)
    def confirm(self, request: Request, **kwargs: Any) -> Response:
        """The result stands. 409 when the report was replaced meanwhile."""
        pairing, seat = self.seated()
        results.confirm(pairing, seat, given(ConfirmBody, request)["report"], self.actor)
        return self.answered()

    @operation("results_dispute", "Dispute a report", OwnTableSerializer, body=DisputeBody)
    def dispute(self, request: Request, **kwargs: Any) -> Response:
        """The staff see it and decide."""
        pairing, seat = self.seated()
        told = given(DisputeBody, request)
        results.dispute(pairing, seat, told["report"], self.actor, told["note"])
        return self.answered()


def _compared(match: Match, numbers: dict[int, int]) -> dict[str, Any]:
    """What was told last, and the newest words of the players beside each other."""
    said = dispute_of(match)
    by_seat = {seat.pk: numbers[seat.position] for seat in match.seats.all()}
    return {
        "told": result_to_body(last_told(match), numbers),
        "spoken": [by_seat[one.seat_id] for one in said.reports if one.seat_id],
        "compared": said.fields,
    }


def match_at(pairing: Pairing) -> Match:
    """The match of a table."""
    assert pairing.match is not None, "only a table has a number"
    return pairing.match


def refuse_unseen(pairing: Pairing, result: MatchResult, seen: str) -> None:
    """Raise what a change touches unless just that was seen."""
    touched = impact(pairing, result)
    if seen == touched.mark:
        return
    told = dict(ImpactSerializer(touched).data)
    if seen:
        raise results.ImpactChanged(
            "Something else has changed since you looked at what this touches. Look again.",
            impact=told,
        )
    raise ImpactNotSeen(
        f"Round {pairing.round.number} is closed. See what this touches, then send it again with "
        "its mark as seen_impact.",
        impact=told,
    )
