"""Other content of the desk: site warnings, the finished event and the finish question."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core import processes
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Tournament
from tournaments.ops import queries as operation_queries
from tournaments.results.standings_pages import (
    StandingLine,
    standing_lines_with_cut,
    standings_texts,
)
from tournaments.rounds.cut import Cut, get_cut
from tournaments.settings.services import why_not_finishable

LEADERS_SHOWN = 4
SILENT_PROCESSES = {
    processes.BEAT: gettext_lazy("Beat is not running: nothing happens automatically."),
    processes.DEFAULT_QUEUE: gettext_lazy(
        "The worker of the default queue is not running: rounds are not paired."
    ),
    processes.SLOW_QUEUE: gettext_lazy(
        "The worker of the slow queue is not running: no backups, emails or webhooks."
    ),
}


def site_warnings(actor: Actor) -> list[str]:
    """Return warnings for site administrators about parts of the site that are not running."""
    if actor.user is None or not actor.user.is_staff:
        return []
    warnings = [str(SILENT_PROCESSES[process]) for process in processes.silent_processes()]
    if failed := operation_queries.failed_copy():
        warnings.append(
            _("The last backup was not copied off-site: %(reason)s")
            % {"reason": failed.shown_error}
        )
    return warnings


@dataclass(frozen=True)
class SiteBackup:
    """The last backup, if any. It is late when older than twice its interval."""

    began_at: datetime | None
    is_late: bool


def site_backup(actor: Actor) -> SiteBackup | None:
    """Return the last backup, for site administrators on sites that make backups."""
    if actor.user is None or not actor.user.is_staff or not operation_queries.backups_are_made():
        return None
    last = operation_queries.last_backup()
    return SiteBackup(last.began_at if last else None, operation_queries.is_late_backup(last))


# A finished event, and the confirmation before it.


@dataclass(frozen=True)
class FinishedEvent:
    """Winners and text to share after the event, or the reason to wait for them."""

    leaders: tuple[StandingLine, ...]
    share_text: str
    why_standings_wait: str


def finished_event(tournament: Tournament) -> FinishedEvent:
    if reason := tournament.why_standings_wait():
        return FinishedEvent((), "", reason)
    snapshot = tournament.snapshots.newest()
    if snapshot is None:
        return FinishedEvent((), "", "")
    leaders = standing_lines_with_cut(tournament, snapshot)[:LEADERS_SHOWN]
    return FinishedEvent(tuple(leaders), standings_texts(tournament)[0], "")


@dataclass(frozen=True)
class FinishQuestion:
    """Facts for the confirmation page."""

    # What must be done first, if anything.
    waits_for: str
    rounds: int
    # Without the rounds of a cut.
    planned: int
    cut: Cut | None
    leaders: tuple[StandingLine, ...]
    why_standings_wait: str
    # Tables of closed rounds without a result, which do not count.
    missing: tuple[Pairing, ...]

    @property
    def is_early(self) -> bool:
        return self.cut is None and self.rounds < self.planned


def finish_question(tournament: Tournament) -> FinishQuestion:
    """Collect the facts that become final, in a constant number of queries."""
    stage = tournament.current_stage()
    cut = get_cut(stage) if stage.is_cut else None
    latest = tournament.latest_round()
    snapshot = tournament.snapshots.newest()
    leaders = standing_lines_with_cut(tournament, snapshot)[:LEADERS_SHOWN] if snapshot else []
    return FinishQuestion(
        waits_for=why_not_finishable(tournament),
        rounds=latest.number if latest else 0,
        planned=tournament.round_target(),
        cut=cut,
        leaders=tuple(leaders),
        why_standings_wait=tournament.why_standings_wait(),
        missing=tuple(tournament.late_tables()),
    )
