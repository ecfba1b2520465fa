"""What a judge takes from somebody: kept beside what was reported, and put on it.

What was reported stays as it is, so that a loss taken back leaves no trace.
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
    """A loss that cannot be put on the result of this table."""


@transaction.atomic
def set_losses(match: Match, losses: Collection[Loss]) -> Match:
    """These are the losses of the match now, and no others; none takes all of them back.

    A settled match is settled anew from the last report. One without a result is settled at
    once where nothing is left to play, and opened again when that is taken back; else the losses
    wait for the result, whichever way it comes. The same losses again change nothing. A report
    that waits for its answer has its time anew.

    Raises LossRefused for a seat or a game that is not there, and for the loss of one game where
    only totals were typed: nobody knows what that game brought.
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
    """Settle a locked match from its reports and its losses, whatever result it had."""
    report = records.confirmed_report(match)
    if report is not None:
        by_staff = report.seat_id is None
        state = MatchState.DECIDED if by_staff else MatchState.CONFIRMED
        return settle(match, records.from_document(report.result), state)
    if decides(match.rule, records.losses_of(match), match.seats.count()):
        return settle(match, records.NOTHING_REPORTED, MatchState.DECIDED)
    # Whoever has to answer a report again has all their time for it again.
    match.reports.filter(state=ReportState.PROPOSED).update(created_at=timezone.now())
    return unsettle(match, _state_of_reports(match))


def refuse_without_games(match: Match) -> None:
    """Raise LossRefused where a game is taken of a match that has its totals alone."""
    report, losses = records.confirmed_report(match), records.losses_of(match)
    if report and report.result["totals"] and losses and not decides(match.rule, losses):
        raise LossRefused(
            "A judge has decided a game of this match since, and then only its totals were given. "
            "Enter its games instead."
        )


def _state_of_reports(match: Match) -> MatchState:
    """Where the players are with a result that nobody has settled."""
    states = set(match.reports.values_list("state", flat=True))
    if ReportState.PROPOSED in states:
        return MatchState.PROPOSED
    return MatchState.DISPUTED if ReportState.DISPUTED in states else MatchState.OPEN


def _that_may_count(match: Match) -> list[ResultReport]:
    """What was reported and is settled, or waits for the answer of the other player."""
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
    # What is left when something is given back waits, as it would have from the first.
    is_new = any(loss not in had and Loss(loss.seat) not in had for loss in losses)
    if is_new and not decides(match.rule, losses):
        raise LossRefused(
            "Only the totals of this match are known, not its games, so one game cannot be taken "
            "from it. Enter the games first, then give the penalty, or take the match."
        )
