"""Confirmation page before an event is finished."""

from dataclasses import dataclass

from tournaments.event import queries
from tournaments.models import Pairing, Tournament
from tournaments.results.pages.standings import StandingLine, placed_lines
from tournaments.rounds.elimination import Cut, cut_of
from tournaments.settings.services.events import why_not_over

# Number of places listed.
MOST_SHOWN = 4


@dataclass(frozen=True)
class FinishQuestion:
    """Facts for the confirmation page; `planned` does not include a cut.

    `waits_for` states what must be done first. `missing` are tables of closed rounds without a
    result, which do not count.
    """

    waits_for: str
    rounds: int
    planned: int
    cut: Cut | None
    leaders: tuple[StandingLine, ...]
    why_standings_wait: str
    missing: tuple[Pairing, ...]

    @property
    def is_early(self) -> bool:
        """Return True if fewer rounds were played than planned."""
        return self.cut is None and self.rounds < self.planned


def finish_question(tournament: Tournament) -> FinishQuestion:
    """Collect what finishing the event makes final, in a constant number of queries."""
    stage = queries.current_stage(tournament)
    cut = cut_of(stage) if stage.way.is_elimination else None
    latest = queries.latest_round(tournament)
    snapshot = queries.newest_snapshot(tournament)
    leaders = placed_lines(tournament, snapshot)[:MOST_SHOWN] if snapshot else []
    return FinishQuestion(
        waits_for=why_not_over(tournament),
        rounds=latest.number if latest else 0,
        planned=queries.round_target(tournament),
        cut=cut,
        leaders=tuple(leaders),
        why_standings_wait=queries.why_standings_wait(tournament),
        missing=tuple(queries.late_tables(tournament)),
    )
