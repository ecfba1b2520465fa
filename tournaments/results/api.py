"""Standings, results of a table, and the cut in the API."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404
from core.api_requests import Pagination, validated_body
from core.api_viewsets import RESULTS, endpoint, no_permission_needed
from core.errors import Refusal
from engine.round_plan import usual_cut_size
from matches import records as matches_records
from matches.models import Match, ReportState, Seat
from matches.scoring.results import MatchResult
from tournaments.event import permissions as event_permissions
from tournaments.models import Pairing, Registration, Stage, Standing
from tournaments.results import cuts, services
from tournaments.results.bracket_pages import bracket_drawing, get_schedule
from tournaments.results.pages import get_dispute, get_latest_result, judged_games
from tournaments.results.queries import get_impact
from tournaments.results.result_bodies import (
    ConfirmBody,
    DecisionBody,
    DisputeBody,
    ReportBody,
    TableContext,
)
from tournaments.results.rules import CutChange, CutChangeKind
from tournaments.results.serializers import (
    BracketSerializer,
    CandidatesSerializer,
    CorpChoiceBody,
    CorpChoiceSerializer,
    CutBody,
    CutChangeBody,
    CutPreviewSerializer,
    CutSerializer,
    DeclineBody,
    ImpactSerializer,
    OwnTableSerializer,
    PlayerBody,
    ScheduleSerializer,
    StaffTableSerializer,
    StandingSerializer,
    TableDetailSerializer,
    WorkingsSerializer,
    numbers_at,
    report_document,
)
from tournaments.results.standings_pages import (
    find_place_with_cut,
    placing_lines,
    tie_breaker_sums,
    why_no_standings,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.web.serializers import result_to_body
from tournaments.web.viewsets import EventViewSet, is_known_person

AFTER_ROUND = OpenApiParameter(
    "round", OpenApiTypes.INT, description="The closed round. The default is the last one."
)


class StandingsPagination(Pagination):
    """A page of the standings, or the reason why they are empty.

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
            "type": ["string", "null"],
            "description": "Why there are no standings yet; null if there are.",
        }
        described["properties"]["updating_from_round"] = {
            "type": ["integer", "null"],
            "description": (
                "The first round whose standings are being recomputed after a change: from it on "
                "these are the previous ones. Null if all are current."
            ),
        }
        described["required"] = [*described["required"], "why_empty", "updating_from_round"]
        return described


class StandingsViewSet(EventViewSet):
    """Standings, their computation for a player, and the schedule of a round robin."""

    tag = "standings"

    @property
    def pagination_class(self) -> type[Pagination] | None:  # type: ignore[override]
        return StandingsPagination if self.action == "list" else super().pagination_class

    @endpoint(
        "events_workings",
        "Standing of a player with its computation",
        WorkingsSerializer,
        shared=True,
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Tie-breakers of a player after the last closed round, term by term."""
        players = self.tournament.registrations.not_waiting().select_related("player")
        place = get_or_404(players, "Player", number=self.kwargs["number"])
        place.tournament = self.tournament
        snapshot = self.tournament.snapshots.newest()
        standing = None
        if snapshot is not None:
            rows = snapshot.rows.select_related("registration__player", "snapshot__round")
            standing = rows.filter(registration=place).first()
        placing = find_place_with_cut(self.tournament, place.number)
        body = {
            "player": place,
            "standing": standing,
            "place": placing.rank if placing else None,
            "sums": tie_breaker_sums(place, snapshot) if snapshot else [],
            "updating_from_round": self.tournament.standings_outdated_from(),
        }
        return Response(WorkingsSerializer(body).data)

    @endpoint("events_schedule", "Schedule of a round robin", ScheduleSerializer, shared=True)
    def schedule(self, request: Request, **kwargs: Any) -> Response:
        """All pairings of a round robin, with results. Empty until round 1 is published."""
        stage = self.tournament.get_round_robin()
        body = {
            "is_round_robin": self.tournament.has_round_robin(),
            "rounds": get_schedule(stage).rounds if stage is not None else (),
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
        """Standings after a closed round, best first.

        Before the first closed round the list is empty and `why_empty` has the reason.
        """
        snapshot = self.tournament.snapshots.newest(self._round_number())
        assert isinstance(self.paginator, StandingsPagination)
        self.paginator.updating_from_round = self.tournament.standings_outdated_from()
        if snapshot is None:
            self.paginator.why_empty = why_no_standings(self.tournament)
            return self.list_response(Standing.objects.none(), StandingSerializer)
        rows = snapshot.rows.ranked()
        return self.list_response(
            rows.select_related("registration__player", "snapshot__round"), StandingSerializer
        )

    def _round_number(self) -> int | None:
        typed: str | None = self.request.query_params.get("round")
        if typed is None:
            return None
        ranked = {str(number): number for number in self.tournament.rounds.ranked_numbers()}
        if typed not in ranked:
            message = "There are no standings yet: no round is closed."
            if ranked:
                message = f"There are standings after these rounds: {', '.join(ranked)}."
            raise ValidationError({"round": [message]})
        return ranked[typed]


# Reports and results of one table.


class ImpactNotSeen(Refusal):
    """A change in a closed round requires confirmation of its impact."""


class TableViewSet(EventViewSet):
    """A table: its reports and its result. Reports name players by number."""

    tag = "results"

    @endpoint("tables_read", "One table", TableDetailSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """A table of a published round, with its result once that is settled."""
        return self._public_table()

    @endpoint(
        "results_read",
        "All reports of a table",
        StaffTableSerializer,
        permission=event_permissions.can_open_desk,
    )
    def result(self, request: Request, **kwargs: Any) -> Response:
        """The settled result, all reports and their differences, for the staff."""
        return self._reports_response(self.table(), for_staff=True)

    @endpoint(
        "results_decide",
        "Enter or change a result, or resolve a dispute",
        StaffTableSerializer,
        body=DecisionBody,
        permission=event_permissions.can_enter_results,
        scope=RESULTS,
        refusals=(*services.DECISION_REFUSALS, ImpactNotSeen),
    )
    def decide(self, request: Request, **kwargs: Any) -> Response:
        """Enter or change the result, regardless of the reports.

        409 `stale_version` if the table has changed since the `version` you read, with the recorded
        result and yours. In a closed round the first answer is a 409 `impact_not_seen` with the
        impact of the change. Send its `version` as `impact_version` to apply it, with a
        `note` if the result differs (else 409 `reason_missing`).
        """
        pairing = self.table()
        match = get_match_at(pairing)
        body = self._validated_body(DecisionBody, match, by_staff=True)
        if body["rulings"] and not event_permissions.can_judge(self.actor, self.tournament):
            raise ValidationError({"rulings": ["Only judges can cite rulings."]})
        impact_seen = body["impact_version"] or ""
        if pairing.round.is_closed and match.version == body["version"]:
            refuse_unseen_impact(pairing, body["result"], impact_seen)
        services.decide_result(
            pairing,
            body["result"],
            self.actor,
            seen_version=body["version"],
            note=body["note"],
            force=body["force"],
            seen_impact=impact_seen if pairing.round.is_closed else None,
            cited=body["rulings"],
        )
        return self._reports_response(self.table(), for_staff=True)

    @endpoint(
        "results_told", "Reports of your table", OwnTableSerializer, permission=is_known_person
    )
    def reports(self, request: Request, **kwargs: Any) -> Response:
        """Current reports, for the players of the table. Confirm one by its `id`."""
        pairing, _ = self._seated()
        return self._reports_response(pairing)

    @endpoint(
        "results_report",
        "Report the result of your table",
        OwnTableSerializer,
        body=ReportBody,
        permission=is_known_person,
        scope=RESULTS,
        refusals=services.REPORT_REFUSALS,
    )
    def report(self, request: Request, **kwargs: Any) -> Response:
        """Report a result for your opponents to confirm. An identical report counts once.

        Leave out the `lost_games` of the table: penalties have decided them.
        """
        pairing, seat = self._seated()
        body = self._validated_body(ReportBody, get_match_at(pairing), by_staff=False)
        services.report_result(pairing, seat, body["result"], self.actor)
        return self._reports_response(self.table())

    @endpoint(
        "results_confirm",
        "Confirm a report",
        OwnTableSerializer,
        body=ConfirmBody,
        permission=is_known_person,
        scope=RESULTS,
        refusals=services.ANSWER_REFUSALS,
    )
    def confirm(self, request: Request, **kwargs: Any) -> Response:
        """Confirm the report of an opponent. Repeating the request changes nothing.

        The code of a 409 is the reason: `own_report`, `unknown_report`, `report_replaced`,
        `report_disputed`, `already_confirmed` or `decided_by_staff`.
        """
        pairing, seat = self._seated()
        services.confirm_report(
            pairing, seat, validated_body(ConfirmBody, request)["report"], self.actor
        )
        return self._reports_response(self.table())

    @endpoint(
        "results_dispute",
        "Dispute a report",
        OwnTableSerializer,
        body=DisputeBody,
        permission=is_known_person,
        scope=RESULTS,
        refusals=services.ANSWER_REFUSALS,
    )
    def dispute(self, request: Request, **kwargs: Any) -> Response:
        """Dispute a report for the staff to resolve. Codes of a 409 are those of `confirm`."""
        pairing, seat = self._seated()
        body = validated_body(DisputeBody, request)
        services.dispute_report(pairing, seat, body["report"], self.actor, body["note"])
        return self._reports_response(self.table())

    @endpoint(
        "tables_advance",
        "Choose who advances",
        TableDetailSerializer,
        body=PlayerBody,
        permission=event_permissions.can_enter_results,
        refusals=cuts.ADVANCE_REFUSALS,
    )
    def advance(self, request: Request, **kwargs: Any) -> Response:
        """Choose who advances from a tied match. 409 if the points decide it."""
        pairing, body = self.table(), validated_body(PlayerBody, request)
        cuts.set_advancing_player(
            pairing, self.registration_numbered("player", body["player"]), self.actor
        )
        return self._public_table()

    def _public_table(self) -> Response:
        round_ = get_or_404(
            self.tournament.rounds.published(), "Round", number=self.kwargs["number"]
        )
        rows = round_.pairings.with_games().select_related("advances__player")
        pairing = get_or_404(rows, "Table", table_number=self.kwargs["table"])
        return Response(TableDetailSerializer(pairing, context=self.names_context()).data)

    def _reports_response(self, pairing: Pairing, *, for_staff: bool = False) -> Response:
        match = get_match_at(pairing)
        players = self.tournament.registrations_at(match)
        numbers = numbers_at(match, players)
        reports = [
            report
            for report in match.reports.select_related("seat").order_by("pk")
            if for_staff or (report.seat_id and report.state != ReportState.SUPERSEDED)
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
            "result": result_to_body(matches_records.settled_result(match), numbers),
            "judged": judged_games(match),
            "lost_games": _lost_games(match, numbers),
            "reports": [report_document(report, players, numbers) for report in reports],
        }
        if not for_staff:
            return Response(OwnTableSerializer(body).data)
        dispute = get_dispute(match)
        by_seat = {seat.pk: numbers[seat.position] for seat in match.seats.all()}
        body |= {
            "told": result_to_body(get_latest_result(match), numbers),
            "spoken": [by_seat[report.seat_id] for report in dispute.reports if report.seat_id],
            "compared": dispute.fields,
        }
        return Response(StaffTableSerializer(body).data)

    def _validated_body(
        self, body: type[ReportBody], match: Match, *, by_staff: bool
    ) -> dict[str, Any]:
        """Return the validated body, with `result` as a MatchResult."""
        numbers = numbers_at(match, self.tournament.registrations_at(match))
        sent = self.request.data
        is_forced = by_staff and isinstance(sent, Mapping) and sent.get("force") is True
        table = TableContext(match, numbers, by_staff, is_forced)
        return validated_body(body, self.request, context={"table": table})

    def _seated(self) -> tuple[Pairing, Seat]:
        """Return the table and the user's seat. Raises PermissionDenied without a seat."""
        pairing = self.table()
        seat = get_match_at(pairing).seat_of(self.actor.player)
        if seat is None:
            self.refuse(self.request)
        assert seat is not None, "refuse raises"
        return pairing, seat


def _lost_games(match: Match, numbers: Mapping[int, int]) -> list[dict[str, int | None]]:
    """Return the games decided by penalties, with the numbers of the losing players."""
    if not match.rule.has_roles:
        losses = matches_records.losses_of(match)
        return [{"game": None, "player": numbers[loss.seat]} for loss in losses]
    return [
        {"game": game, "player": numbers[seat]}
        for game, seats in sorted(matches_records.lost_games_of(match).items())
        for seat in sorted(seats)
    ]


def get_match_at(pairing: Pairing) -> Match:
    assert pairing.match is not None, "only a table has a number"
    return pairing.match


def refuse_unseen_impact(pairing: Pairing, result: MatchResult, seen: str) -> None:
    """Raise ImpactNotSeen unless `seen` is the mark of the current impact."""
    impact = get_impact(pairing, result)
    if seen == impact.mark:
        return
    body = dict(ImpactSerializer(impact).data)
    if seen:
        raise services.ImpactChanged(
            "The impact of this change is no longer what you saw. Review it again.",
            impact=body,
        )
    raise ImpactNotSeen(
        f"Round {pairing.round.number} is closed. Review the impact of this change, then send it "
        "again with the version of the impact as impact_version.",
        impact=body,
    )


# The cut, and the roles at its tables.

# A bracket before its cut is published.
EMPTY_BRACKET = {
    "stage": None,
    "system": None,
    "fixed_bracket": False,
    "games": (),
    "changes": (),
    "placings": (),
}


class CutViewSet(EventViewSet):
    """The cut of an event, for organisers. Its bracket is public once the cut is published."""

    tag = "cut"

    @endpoint("cuts_read", "The cut", CutSerializer, permission=event_permissions.can_run)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The seeds of the cut, and the next player in. 404 without a cut."""
        return self._cut_response()

    @endpoint(
        "cuts_make",
        "Make a cut",
        CutSerializer,
        body=CutBody,
        status=201,
        permission=event_permissions.can_run,
        refusals=cuts.MAKE_REFUSALS,
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Make a cut of these players, best seed first. It is hidden until it is published."""
        body = validated_body(CutBody, request)
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
            reason=body["reason"],
        )
        return self._cut_response(status.HTTP_201_CREATED)

    @endpoint(
        "cuts_undo",
        "Undo the cut",
        status=204,
        permission=event_permissions.can_run,
        refusals=cuts.CHANGE_REFUSALS,
    )
    def destroy(self, request: Request, **kwargs: Any) -> Response:
        """Undo the cut, until its first games are published."""
        cuts.undo_cut(self._stage(), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @endpoint(
        "cuts_publish",
        "Publish the seeds",
        CutSerializer,
        permission=event_permissions.can_run,
        refusals=cuts.PUBLISH_REFUSALS,
    )
    def publish(self, request: Request, **kwargs: Any) -> Response:
        """Publish the bracket before its first games. Until these the cut can be changed."""
        cuts.publish_cut(self._stage(), self.actor)
        return self._cut_response()

    @endpoint(
        "cuts_candidates",
        "Candidates for the cut",
        CandidatesSerializer,
        permission=event_permissions.can_run,
    )
    def candidates(self, request: Request, **kwargs: Any) -> Response:
        """Players by the latest standings, best first."""
        players = self.tournament.cut_candidates()
        latest = self.tournament.latest_round()
        is_open = latest is not None and not latest.is_closed
        body = {
            "usual_size": self.tournament.planned_cut_size(len(players))
            or usual_cut_size(len(players)),
            "players": players,
            "standings_wait": bool(self.tournament.why_standings_wait()),
            "open_round": latest.number if latest is not None and is_open else None,
        }
        return Response(CandidatesSerializer(body).data)

    @endpoint(
        "cuts_decline",
        "Decline a place in the cut",
        CutSerializer,
        body=DeclineBody,
        permission=event_permissions.can_run,
        refusals=cuts.CHANGE_REFUSALS,
    )
    def decline(self, request: Request, **kwargs: Any) -> Response:
        """Remove a player from the cut. Lower seeds move up and the next player joins."""
        body = validated_body(DeclineBody, request)
        player = self.registration_numbered("number", body["number"])
        change = CutChange(CutChangeKind.DECLINE, player.number)
        cuts.change_cut(self._stage(), change, self.actor, body["reason"])
        return self._cut_response()

    @endpoint(
        "cuts_change",
        "Change the cut",
        CutPreviewSerializer,
        body=CutChangeBody,
        parameters=[
            OpenApiParameter("preview", bool, description="true: show the effect, change nothing.")
        ],
        permission=event_permissions.can_run,
        refusals=cuts.CHANGE_REFUSALS,
    )
    def change(self, request: Request, **kwargs: Any) -> Response:
        """Remove, replace or invite a player, or change a seed."""
        body, is_preview = validated_body(CutChangeBody, request), self.has_flag("preview")
        kind = CutChangeKind(body["kind"])
        change = CutChange(kind, body["player"], body.get("other"), body.get("seed"))
        stage = self._stage()
        if is_preview:
            effect = cuts.preview_cut_change(stage, change)
        else:
            effect = cuts.change_cut(stage, change, self.actor, body["reason"])
        answer = {
            "words": effect.words,
            "before": effect.before,
            "after": effect.after,
            "is_done": not is_preview,
        }
        return Response(CutPreviewSerializer(answer).data)

    @endpoint("events_bracket", "Bracket", BracketSerializer, shared=True)
    def bracket(self, request: Request, **kwargs: Any) -> Response:
        """The games and placings of the cut. Empty until it is published."""
        stage = self.tournament.get_cut()
        is_public = stage is not None and stage.is_public_cut()
        return Response(
            BracketSerializer(self._drawn(stage) if stage and is_public else EMPTY_BRACKET).data
        )

    def _drawn(self, stage: Stage) -> dict[str, Any]:
        cut = rounds_cut.get_cut(stage)
        return {
            "stage": stage.number,
            "system": stage.system,
            "fixed_bracket": stage.fixed_bracket,
            "games": bracket_drawing(cut).games,
            "changes": stage.tournament.log.cut_changes(),
            "placings": placing_lines(self.tournament, cut),
        }

    def _stage(self) -> Stage:
        """Return the cut. Raises Http404 without one."""
        stage = self.tournament.get_cut()
        if stage is None:
            raise Http404("This event has no cut.")
        return stage

    def _players(self, numbers: list[int]) -> list[Registration]:
        candidates = {player.number: player for player in self.tournament.cut_candidates()}
        unknown = [number for number in numbers if number not in candidates]
        if unknown:
            raise ValidationError({"players": [f"Player {unknown[0]} cannot be in a cut."]})
        return [candidates[number] for number in numbers]

    def _cut_response(self, status_code: int = status.HTTP_200_OK) -> Response:
        stage = self._stage()
        cut = rounds_cut.get_cut(stage)
        body = {
            "stage": stage.number,
            "system": stage.system,
            "scoring_rule": stage.scoring_rule,
            "fixed_bracket": stage.fixed_bracket,
            "is_public": stage.is_public_cut(),
            "has_begun": stage.has_published_round(),
            "is_as_in_standings": cuts.is_seeded_by_standings(stage),
            "seeds": cut.entries,
            "declined": [entry.registration for entry in stage.entries.declined_in_order()],
            "left": cuts.get_dropped_players(stage),
            "next_in": cuts.get_next_candidate(stage),
            "winner": cut.winner,
        }
        return Response(CutSerializer(body).data, status=status_code)


class RoleViewSet(EventViewSet):
    """The choice of sides at a table of a cut."""

    tag = "results"

    @endpoint(
        "tables_role", "Choice of sides", CorpChoiceSerializer, permission=no_permission_needed
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """The choice of sides. There is none if the bracket or the rules of the event decide."""
        return self._choice_response(self.table())

    @endpoint(
        "tables_choose_role",
        "Choose who plays Corp first",
        CorpChoiceSerializer,
        body=CorpChoiceBody,
        permission=is_known_person,
        refusals=cuts.ROLE_REFUSALS,
    )
    def choose(self, request: Request, **kwargs: Any) -> Response:
        """Choose as the higher seed, or as the staff. Only until a result is reported."""
        pairing = self.table()
        if not event_permissions.can_enter_results(self.actor, self.tournament):
            own = self.tournament.registration_of(self.actor.player)
            if own is None or pairing.chooser_number != own.number:
                self.refuse(request)
        body = validated_body(CorpChoiceBody, request)
        corp = self.registration_numbered("corp", body["corp"])
        seen = None
        if "previous_corp" in body:
            previous = self.tournament.registrations.filter(number=body["previous_corp"]).first()
            seen = str(previous.player_id) if previous else ""
        cuts.choose_corp(pairing, corp, self.actor, seen=seen)
        return self._choice_response(self.table())

    def _choice_response(self, pairing: Pairing) -> Response:
        assert pairing.match is not None, "only a table has a chooser"
        players = self.tournament.registrations_at(pairing.match)
        by_number = {entry.number: entry for entry in players.values()}
        chooser = pairing.chooser_number
        corp = rounds_cut.get_chosen_corp(pairing) if chooser is not None else ""
        body = {
            "chooser": by_number[chooser] if chooser is not None else None,
            "corp": players[int(corp)] if corp else None,
        }
        return Response(CorpChoiceSerializer(body).data)
