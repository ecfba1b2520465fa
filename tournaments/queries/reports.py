"""Reports of players that wait for an answer."""

from datetime import datetime, timedelta

from matches.models import MatchState, ReportState, ResultReport
from tournaments.models import AT_TABLES, LogEntry, Pairing, Round, Tournament, log_actions


def confirms_itself_at(
    tournament: Tournament, round_: Round, report: ResultReport
) -> datetime | None:
    """When the report will stand unless somebody answers; None when it will not by itself."""
    minutes = tournament.confirm_after_minutes
    is_open = report.state == ReportState.PROPOSED and report.seat_id is not None
    if minutes is None or not is_open or not round_.is_played:
        return None
    return report.created_at + timedelta(minutes=minutes)


def newest_result_entry(pairing: Pairing) -> LogEntry | None:
    """What the log said last about the result of a table."""
    entries = LogEntry.objects.filter(pairing=pairing, action__in=log_actions.RESULTS)
    return entries.order_by("-pk").first()


def unanswered(tournament: Tournament, now: datetime) -> list[tuple[Pairing, ResultReport]]:
    """Reports that wait for longer than the event allows, with their tables; two queries."""
    minutes = tournament.confirm_after_minutes
    if minutes is None:
        return []
    waiting = Pairing.objects.filter(
        round__stage__tournament=tournament,
        round__state__in=AT_TABLES,
        match__state=MatchState.PROPOSED,
    ).select_related("match", "round__stage")
    by_match = {pairing.match_id: pairing for pairing in waiting}
    reports = ResultReport.objects.filter(
        match__in=by_match,
        state=ReportState.PROPOSED,
        seat__isnull=False,
        created_at__lte=now - timedelta(minutes=minutes),
    )
    return [(by_match[report.match_id], report) for report in reports.order_by("pk")]
