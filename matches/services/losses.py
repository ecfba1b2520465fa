"""Losses that judges impose, stored beside the reports and applied to the result.

Reports are not changed, so a withdrawn loss leaves no trace.
"""

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from matches import records
from matches.models import Match, MatchState, ReportState, ResultReport
from matches.scoring import Loss, decides
from matches.services.seats import locked
from matches.services.settling import settle, unsettle


class LossRefused(Refusal):
    """The loss cannot be applied to the result of this table."""


@transaction.atomic
def set_losses(match: Match, losses: Collection[Loss]) -> Match:
    """Replace the losses of the match; an empty collection withdraws them all.

    A settled match is settled again from its last report. A match without a result is settled if
    the losses decide every game, and reopened if they no longer do. Otherwise the losses are
    applied when a result is reported. Setting the same losses changes nothing. The time to answer
    an open report starts again.

    Raises LossRefused for an unknown seat or game. Also for a single game if only totals were
    entered, as the points of that game are unknown.
    """
    match = locked(match)
    kept = records.kept_losses(losses)
    if kept == match.losses:
        return match
    _refuse_strange(match, losses)
    _refuse_totals(match, losses)
    match.losses = kept
    match.save(update_fields=["losses"])
    return settle_anew(match)


def settle_anew(match: Match) -> Match:
    """Settle a locked match again from its reports and losses, or reopen it."""
    report = records.confirmed_report(match)
    if report is not None:
        by_staff = report.seat_id is None
        state = MatchState.DECIDED if by_staff else MatchState.CONFIRMED
        return settle(match, records.from_document(report.result), state)
    if decides(match.rule, records.losses_of(match), match.seats.count()):
        return settle(match, records.NOTHING_REPORTED, MatchState.DECIDED)
    # The time to answer a report starts again.
    match.reports.filter(state=ReportState.PROPOSED).update(created_at=timezone.now())
    return unsettle(match, _state_of_reports(match))


def refuse_without_games(match: Match) -> None:
    """Raise LossRefused if a single game is lost and the report has only totals."""
    report, losses = records.confirmed_report(match), records.losses_of(match)
    if report and report.result["totals"] and losses and not decides(match.rule, losses):
        raise LossRefused(
            "A judge has decided a game of this match since, and then only its totals were given. "
            "Enter its games instead."
        )


def _state_of_reports(match: Match) -> MatchState:
    """Return the state of an unsettled match by its reports."""
    states = set(match.reports.values_list("state", flat=True))
    if ReportState.PROPOSED in states:
        return MatchState.PROPOSED
    return MatchState.DISPUTED if ReportState.DISPUTED in states else MatchState.OPEN


def _that_may_count(match: Match) -> list[ResultReport]:
    """Return the confirmed report, or those that are proposed."""
    confirmed = records.confirmed_report(match)
    return [confirmed] if confirmed else list(match.reports.filter(state=ReportState.PROPOSED))


def _refuse_strange(match: Match, losses: Collection[Loss]) -> None:
    seats, games = match.seats.count(), match.rule.games_per_match
    for loss in losses:
        if not 1 <= loss.seat <= seats:
            raise LossRefused(f"There is no seat {loss.seat} at this table of {seats}.")
        if loss.game is not None and not 1 <= loss.game <= games:
            numbers = "game 1 alone" if games == 1 else f"game 1 to {games}"
            raise LossRefused(f"There is no game {loss.game} here; a match is {numbers}.")


def _refuse_totals(match: Match, losses: Collection[Loss]) -> None:
    had = set(records.losses_of(match))
    if not any(report.result["totals"] for report in _that_may_count(match)):
        return
    # After a withdrawal the other losses apply as if set alone.
    is_new = any(loss not in had and Loss(loss.seat) not in had for loss in losses)
    if is_new and not decides(match.rule, losses):
        raise LossRefused(
            "Only the totals of this match are known, not its games, so one game cannot be taken "
            "from it. Enter the games first, then give the penalty, or take the match."
        )
