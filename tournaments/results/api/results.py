"""One table: its result reported, confirmed, disputed or decided, and who advances."""

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_bodies import given
from core.api_errors import found_or_404
from core.api_viewsets import RESULTS, anyone, endpoint
from core.errors import ReasonMissing, Refusal, StaleVersion
from core.rate_limits import Busy
from matches import records
from matches import services as matches
from matches.models import Match, ReportState, Seat
from matches.scoring import MatchResult
from tournaments.event import permissions, queries
from tournaments.event.history import EventIsFinished
from tournaments.models import Pairing
from tournaments.results.pages.results import dispute_of, judged_games, latest_result
from tournaments.results.queries.impact import impact
from tournaments.results.serializers.result_bodies import (
    ConfirmBody,
    DecisionBody,
    DisputeBody,
    ReportBody,
    TableContext,
)
from tournaments.results.serializers.results import (
    ImpactSerializer,
    OwnTableSerializer,
    PlayerBody,
    StaffTableSerializer,
    TableSerializer,
    numbers_at,
    report_document,
)
from tournaments.results.services import cuts, results
from tournaments.rounds import queries as round_queries
from tournaments.web.api.viewsets import EventViewSet
from tournaments.web.serializers import result_to_body


class ImpactNotSeen(Refusal):
    """A closed round is changed only by somebody who has seen what that touches."""


TOLD_AT_A_TABLE = (EventIsFinished, results.NotPlayable)
ANSWERED_AT_A_TABLE = (*TOLD_AT_A_TABLE, matches.NothingToConfirm)


class TableViewSet(EventViewSet):
    """One table: who sits there, its result reported, confirmed, disputed, decided; who goes on.

    Reports name players by their numbers in the event.
    """

    @endpoint("tables_read", "One table", TableSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A table of a published round. Its result is shown once it is settled."""
        return self._as_everybody_reads_it()

    @endpoint(
        "results_read",
        "All reports of a table",
        StaffTableSerializer,
        who=permissions.can_open_desk,
    )
    def result(self, request: Request, **kwargs: Any) -> Response:
        """The settled result, every report, and where the reports differ; for the staff."""
        return Response(self._document(self.table(), for_staff=True))

    @endpoint(
        "results_decide",
        "Enter, change or decide a result",
        StaffTableSerializer,
        body=DecisionBody,
        who=permissions.can_enter_results,
        scope=RESULTS,
        refusals=(
            *TOLD_AT_A_TABLE,
            StaleVersion,
            matches.ImpossibleResult,
            ImpactNotSeen,
            results.ImpactChanged,
            ReasonMissing,
            Busy,
        ),
    )
    def decide(self, request: Request, **kwargs: Any) -> Response:
        """Settle the result, whatever was reported.

        409 `stale_version` when the table has changed since the version `seen`, with what is
        recorded and what you entered. In a closed round the first answer is a 409
        `impact_not_seen` with what the change touches; with its `mark` as `seen_impact` it is
        done. Another result there wants a `note` that says why: 409 `reason_missing`.
        """
        pairing = self.table()
        match = match_at(pairing)
        body = self._reported(DecisionBody, match, by_staff=True)
        if body["rulings"] and not permissions.can_judge(self.actor, self.tournament):
            raise ValidationError({"rulings": ["Only those who judge cite rulings."]})
        impact_seen = body["seen_impact"] or ""
        if pairing.round.is_closed and match.version == body["seen"]:
            refuse_unseen(pairing, body["result"], impact_seen)
        results.decide(
            pairing,
            body["result"],
            self.actor,
            seen_version=body["seen"],
            note=body["note"],
            force=body["force"],
            seen_impact=impact_seen if pairing.round.is_closed else None,
            cited=body["rulings"],
        )
        return Response(self._document(self.table(), for_staff=True))

    @endpoint("results_told", "Reports of your table", OwnTableSerializer, who=anyone)
    def reports(self, request: Request, **kwargs: Any) -> Response:
        """The reports that stand, for those who sit there. Confirm one by its `id`."""
        pairing, _ = self._seated()
        return Response(self._document(pairing, for_staff=False))

    @endpoint(
        "results_report",
        "Report the result of your table",
        OwnTableSerializer,
        body=ReportBody,
        who=anyone,
        scope=RESULTS,
        refusals=(*TOLD_AT_A_TABLE, matches.AlreadySettled, matches.ImpossibleResult),
    )
    def report(self, request: Request, **kwargs: Any) -> Response:
        """The others at the table are asked to confirm. The same report sent twice counts once.

        `lost_games` of the table may be left out: a penalty has decided them.
        """
        pairing, seat = self._seated()
        body = self._reported(ReportBody, match_at(pairing), by_staff=False)
        results.report(pairing, seat, body["result"], self.actor)
        return self._own_table()

    @endpoint(
        "results_confirm",
        "Confirm a report",
        OwnTableSerializer,
        body=ConfirmBody,
        who=anyone,
        scope=RESULTS,
        refusals=ANSWERED_AT_A_TABLE,
    )
    def confirm(self, request: Request, **kwargs: Any) -> Response:
        """Confirm what another player of the table reported. Done twice, it changes nothing.

        The code of a 409 is the reason: `own_report`, `unknown_report`, `report_replaced`,
        `report_disputed`, `already_confirmed` or `decided_by_staff`.
        """
        pairing, seat = self._seated()
        results.confirm(pairing, seat, given(ConfirmBody, request)["report"], self.actor)
        return self._own_table()

    @endpoint(
        "results_dispute",
        "Dispute a report",
        OwnTableSerializer,
        body=DisputeBody,
        who=anyone,
        scope=RESULTS,
        refusals=ANSWERED_AT_A_TABLE,
    )
    def dispute(self, request: Request, **kwargs: Any) -> Response:
        """The staff see it and decide. The code of a 409 is the reason, as for `confirm`."""
        pairing, seat = self._seated()
        body = given(DisputeBody, request)
        results.dispute(pairing, seat, body["report"], self.actor, body["note"])
        return self._own_table()

    @endpoint(
        "tables_advance",
        "Say who goes on",
        TableSerializer,
        body=PlayerBody,
        who=permissions.can_enter_results,
        refusals=(*TOLD_AT_A_TABLE, cuts.NothingToSay),
    )
    def advance(self, request: Request, **kwargs: Any) -> Response:
        """The word of the staff; 409 where the points say it."""
        pairing, body = self.table(), given(PlayerBody, request)
        cuts.say_who_goes_on(pairing, self.player_numbered("player", body["player"]), self.actor)
        return self._as_everybody_reads_it()

    def _as_everybody_reads_it(self) -> Response:
        round_ = found_or_404(
            queries.visible_rounds(self.tournament), "Round", number=self.kwargs["number"]
        )
        rows = round_queries.pairings_of(round_).select_related("advances__player")
        pairing = found_or_404(rows, "Table", table_number=self.kwargs["table"])
        return Response(TableSerializer(pairing, context=self.names()).data)

    def _own_table(self) -> Response:
        return Response(self._document(self.table(), for_staff=False))

    def _document(self, pairing: Pairing, *, for_staff: bool) -> dict[str, Any]:
        """What was reported at the table, as its players or as the staff read it."""
        match = match_at(pairing)
        players = queries.registrations_at(self.tournament, match)
        numbers = numbers_at(match, players)
        reports = [
            one
            for one in match.reports.select_related("seat").order_by("pk")
            if for_staff or (one.seat_id and one.state != ReportState.SUPERSEDED)
        ]
        body: dict[str, Any] = {
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
            "lost_games": _lost_games(match, numbers),
            "reports": [report_document(one, players, numbers) for one in reports],
        }
        if not for_staff:
            return dict(OwnTableSerializer(body).data)
        return dict(StaffTableSerializer({**body, **_compared(match, numbers)}).data)

    def _reported(self, body: type[ReportBody], match: Match, *, by_staff: bool) -> dict[str, Any]:
        """The body of the request, its `result` a MatchResult of this table."""
        numbers = numbers_at(match, queries.registrations_at(self.tournament, match))
        sent = self.request.data
        is_forced = by_staff and isinstance(sent, Mapping) and sent.get("force") is True
        table = TableContext(match, numbers, by_staff, is_forced)
        return given(body, self.request, context={"table": table})

    def _seated(self) -> tuple[Pairing, Seat]:
        """The table with the asking player's seat; refuses who does not sit there."""
        pairing = self.table()
        seat = queries.seat_of(match_at(pairing), self.actor.player)
        if seat is None:
            self.refuse(self.request)
        assert seat is not None, "whoever is refused goes no further"
        return pairing, seat


def _lost_games(match: Match, numbers: dict[int, int]) -> list[dict[str, int | None]]:
    """The games that penalties have decided, with the numbers of the players who lost them."""
    if not match.rule.has_roles:
        return [{"game": None, "player": numbers[one.seat]} for one in records.losses_of(match)]
    return [
        {"game": game, "player": numbers[seat]}
        for game, seats in sorted(records.lost_games(match).items())
        for seat in sorted(seats)
    ]


def _compared(match: Match, numbers: dict[int, int]) -> dict[str, Any]:
    """What was reported last, and the newest words of the players beside each other."""
    said = dispute_of(match)
    by_seat = {seat.pk: numbers[seat.position] for seat in match.seats.all()}
    return {
        "told": result_to_body(latest_result(match), numbers),
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
    body = dict(ImpactSerializer(touched).data)
    if seen:
        raise results.ImpactChanged(
            "Something else has changed since you looked at what this touches. Look again.",
            impact=body,
        )
    raise ImpactNotSeen(
        f"Round {pairing.round.number} is closed. See what this touches, then send it again with "
        "its mark as seen_impact.",
        impact=body,
    )
