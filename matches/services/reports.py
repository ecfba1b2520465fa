"""Reports of players and staff, up to a settled result.

A report is proposed, then confirmed or disputed; a disputed result is decided. All fields of the
reports are compared, and a decision of the staff takes precedence. At a table of more than two
players, one opponent confirms, any player disputes, and the staff resolve a dispute.

Every function requires a match from `held`, and updates its fetched rows.
"""

from collections.abc import Iterable

from core.errors import Refusal, StaleVersion
from matches import queries, records
from matches.models import SPOKEN, Match, MatchState, ReportState, ResultReport, Seat
from matches.scoring import FACTIONS, Contradiction, MatchResult, decides
from matches.services.seats import AlreadySettled
from matches.services.settling import settle
from players.models import User

GAMES_WANTED = (
    "A judge has decided a game of this match, so totals alone are not enough. Say who won each "
    "game."
)


class ImpossibleResult(Refusal):
    """The reported result contradicts the rules; `details["contradictions"]` lists how."""


class NothingToConfirm(Refusal):
    """The report cannot be answered; the subclasses give the reason."""


class UnknownReport(NothingToConfirm):
    """The table has no such report by a player."""


class OwnReport(NothingToConfirm):
    pass


class ReportReplaced(NothingToConfirm):
    """The player has sent another report since."""


class ReportDisputed(NothingToConfirm):
    pass


class AlreadyConfirmed(NothingToConfirm):
    pass


class DecidedByStaff(NothingToConfirm):
    """The staff or a judge have decided the result."""


def propose(match: Match, seat: Seat, result: MatchResult) -> Match:
    """Report a result for a player.

    An equal report of an opponent confirms it, a different report disputes it. The same report
    again changes nothing. Raises ImpossibleResult, AlreadySettled.
    """
    theirs = _latest_report(match, not_by=seat)
    document = records.to_document(result)
    if match.is_settled:
        confirmed = _last_confirmed(match)
        if confirmed is not None and _equal(match, confirmed, document):
            return match
        raise AlreadySettled("This result is settled. Ask the staff to change it.")
    _refuse_contradictions(match, result)
    if theirs is None:
        return _keep_proposal(match, seat, document)
    if _equal(match, theirs.result, document) and not _is_for_the_staff(match):
        return _agree(match, seat, theirs, result)
    return _disagree(match, seat, theirs, document)


def _equal(match: Match, one: records.Document, other: records.Document) -> bool:
    """Return whether two reports agree, apart from the games that judges have decided."""
    if one == other or not match.losses:
        return one == other
    first, second = (
        records.apart_from_losses(match, records.from_document(document))
        for document in (one, other)
    )
    return first == second


def _is_for_the_staff(match: Match) -> bool:
    """Return whether only the staff can resolve the dispute.

    Two players may still agree; at a larger table, an agreement of two is not enough.
    """
    return match.state == MatchState.DISPUTED and match.seats.count() > 2


def confirm(match: Match, seat: Seat, report_id: int) -> Match:
    """Confirm an opponent's report. A second confirmation changes nothing."""
    report = _report_to_answer(match, seat, report_id, ReportState.CONFIRMED)
    if report is None:
        return match
    return _agree(match, seat, report, records.from_document(report.result))


def dispute(match: Match, seat: Seat, report_id: int, note: str = "") -> Match:
    """Dispute an opponent's report, for the staff to resolve."""
    report = _report_to_answer(match, seat, report_id, ReportState.DISPUTED)
    if report is None:
        return match
    report.state, report.note = ReportState.DISPUTED, note
    report.save(update_fields=["state", "note"])
    return _move(match, MatchState.DISPUTED)


def confirm_unanswered(match: Match, report_id: int) -> Match:
    """Confirm a report without an answer in time.

    Raises NothingToConfirm if it was answered, replaced or disputed.
    """
    report = next((one for one in match.reports.all() if one.pk == report_id), None)
    if report is None or not _is_open(report) or match.state != MatchState.PROPOSED:
        raise NothingToConfirm("This report has an answer, or it has been replaced.")
    _set(report, ReportState.CONFIRMED)
    return settle(match, records.from_document(report.result), MatchState.CONFIRMED)


def decide(
    match: Match,
    result: MatchResult,
    user: User | None,
    *,
    seen_version: int,
    note: str = "",
    force: bool = False,
) -> Match:
    """Settle the result for the staff, whatever was reported.

    `seen_version` is the version of the match when the decision was made. Raises StaleVersion if it
    has changed, with both results in the details. A contradiction raises ImpossibleResult, unless
    `force` is set and a note gives the reason.
    """
    if match.version != seen_version:
        raise _stale(match, result)
    if not force:
        _refuse_contradictions(match, result)
    elif not note.strip():
        raise ImpossibleResult("Say in the note why an impossible result is to be recorded.")
    _refuse_incomplete(match, result)
    document = records.to_document(result)
    _supersede(one for one in match.reports.all() if one.state == ReportState.PROPOSED)
    match.reports.create(user=user, result=document, state=ReportState.CONFIRMED, note=note)
    return settle(match, result, MatchState.DECIDED)


def _report_to_answer(
    match: Match, seat: Seat, report_id: int, answer: ReportState
) -> ResultReport | None:
    """Return the opponent's report with this id, or None if it already has this answer.

    Raises a subclass of NothingToConfirm.
    """
    report = next((one for one in match.reports.all() if one.pk == report_id), None)
    if report is None or report.seat_id is None:
        raise UnknownReport(
            "This table has no such report. Reload the page and answer the one it shows."
        )
    is_own = report.seat_id == seat.pk
    if report.state == answer and not is_own:
        return None
    if report.state == ReportState.CONFIRMED:
        raise AlreadyConfirmed(
            "This result is already confirmed. If it is wrong, ask the staff to change it."
        )
    if match.is_settled:
        raise DecidedByStaff(
            "The staff have decided the result of this table. If it is wrong, ask them."
        )
    if report.state == ReportState.SUPERSEDED:
        raise ReportReplaced("This report has been replaced. Answer the newest one.")
    if is_own:
        raise OwnReport(
            "This is your own report, so another player at your table has to answer it. If it is "
            "wrong, report the result again."
        )
    if report.state == ReportState.DISPUTED:
        raise ReportDisputed(
            "This report is disputed, so the staff will decide. If you agree with it after all, "
            "report the same result."
        )
    return report


def _latest_report(match: Match, *, not_by: Seat) -> ResultReport | None:
    """Return the newest proposed or disputed report of another player, or None."""
    others = (
        one
        for one in match.reports.all()
        if one.state in SPOKEN and one.seat_id not in (None, not_by.pk)
    )
    return max(others, key=lambda report: report.pk, default=None)


def _said_by(match: Match, seat: Seat, state: ReportState) -> list[ResultReport]:
    return [one for one in match.reports.all() if (one.seat_id, one.state) == (seat.pk, state)]


def _is_open(report: ResultReport) -> bool:
    return report.state == ReportState.PROPOSED and report.seat_id is not None


def _set(report: ResultReport, state: ReportState) -> None:
    report.state = state
    report.save(update_fields=["state"])


def _supersede(reports: Iterable[ResultReport]) -> None:
    for report in reports:
        _set(report, ReportState.SUPERSEDED)


def _last_confirmed(match: Match) -> records.Document | None:
    report = records.confirmed_report(match)
    return report.result if report else None


def contradictions(match: Match, result: MatchResult) -> list[Contradiction]:
    """List contradictions of the result with the rules, using the current factions.

    If a judge has decided a game, the games are required: totals alone would hide it.
    """
    factions = queries.factions() if result.factions else FACTIONS
    found = list(match.rule.contradictions(result, match.seats.count(), factions))
    if result.totals and match.losses and not decides(match.rule, records.losses_of(match)):
        found.append(Contradiction("totals", GAMES_WANTED))
    return found


def _refuse_contradictions(match: Match, result: MatchResult) -> None:
    if found := contradictions(match, result):
        raise ImpossibleResult(
            " ".join(item.message for item in found),
            contradictions=[
                {"code": item.code, "game": item.game, "message": item.message} for item in found
            ],
        )


def _refuse_incomplete(match: Match, result: MatchResult) -> None:
    """Refuse a result without a number for each seat, even from staff."""
    seats = match.seats.count()
    by_seat = (result.totals, result.factions, result.victory_points)
    has_points = match.rule.has_roles or result.victory_points
    if not has_points or any(len(numbers) not in (0, seats) for numbers in by_seat):
        raise ImpossibleResult(f"Enter a number for each of the {seats} seats.")


def _says(reports: Iterable[ResultReport], document: records.Document) -> bool:
    return any(report.result == document for report in reports)


def _keep_proposal(match: Match, seat: Seat, document: records.Document) -> Match:
    """Propose the result to the opponents.

    A result that was disputed before stays disputed, and so does a pod for the staff.
    """
    mine = _said_by(match, seat, ReportState.PROPOSED)
    if _says(mine, document):
        return match
    if _says(_said_by(match, seat, ReportState.DISPUTED), document):
        # A correction in between is withdrawn.
        _supersede(mine)
        return _move(match, MatchState.DISPUTED) if mine else match
    if _is_for_the_staff(match):
        return _keep_disputed(match, seat, document)
    _supersede(mine)
    match.reports.create(seat=seat, result=document, state=ReportState.PROPOSED)
    return _move(match, MatchState.PROPOSED)


def _agree(match: Match, seat: Seat, theirs: ResultReport, result: MatchResult) -> Match:
    reports = match.reports.all()
    _supersede(one for one in reports if one.state == ReportState.PROPOSED and one != theirs)
    _set(theirs, ReportState.CONFIRMED)
    match.reports.create(seat=seat, result=theirs.result, state=ReportState.CONFIRMED)
    return settle(match, result, MatchState.CONFIRMED)


def _disagree(match: Match, seat: Seat, theirs: ResultReport, document: records.Document) -> Match:
    said = _says(_said_by(match, seat, ReportState.DISPUTED), document)
    if theirs.state == ReportState.DISPUTED and said:
        return match
    _set(theirs, ReportState.DISPUTED)
    return _keep_disputed(match, seat, document)


def _keep_disputed(match: Match, seat: Seat, document: records.Document) -> Match:
    _supersede(_said_by(match, seat, ReportState.DISPUTED))
    match.reports.create(seat=seat, result=document, state=ReportState.DISPUTED)
    return _move(match, MatchState.DISPUTED)


def _move(match: Match, state: MatchState) -> Match:
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version"])
    return match


def _stale(match: Match, result: MatchResult) -> StaleVersion:
    theirs = records.summary(records.settled_result(match))
    if not match.is_settled:
        theirs = "; ".join([theirs, *_reported_by_players(match)])
    yours = records.summary(result)
    return StaleVersion(
        f"Somebody changed this result while you looked at it. Now recorded: {theirs}. "
        f"You entered: {yours}. Look again, then decide.",
        recorded=theirs,
        entered=yours,
    )


def _reported_by_players(match: Match) -> list[str]:
    spoken = match.reports.filter(state__in=SPOKEN, seat__isnull=False)
    return [
        f"{report.seat.player} reports {records.summary(records.from_document(report.result))}"
        for report in spoken.select_related("seat__player").order_by("pk")
        if report.seat is not None
    ]
