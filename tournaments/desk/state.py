"""The state of an event as the desk shows it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from engine.timing import Clock
from matches.models import MatchState, ResultReport
from tournaments.desk import queries as desk_queries
from tournaments.event import pages as event_pages
from tournaments.models import (
    Job,
    JobKind,
    Pairing,
    RegistrationState,
    Round,
    RoundState,
    Tournament,
)
from tournaments.results.pages import ReportInWords, report_in_words
from tournaments.rounds.cut import Cut, get_cut, is_undecided

# After this time in a round, the desk no longer asks whether a player is missing.
ARRIVAL_TIME = timedelta(minutes=20)


@dataclass(frozen=True)
class UnsettledTable:
    """A table without a settled result; `minutes_over` is None while its time runs."""

    pairing: Pairing
    # When it was seated, reported or disputed.
    since: datetime | None
    minutes_over: int | None
    # The newest report of a player.
    report: ResultReport | None = None
    # The first minutes of a round, in which players may still be missing.
    is_new: bool = False

    @property
    def number(self) -> str:
        """The table number as text: a page of 250 tables renders each number five times."""
        return str(self.pairing.table_number)

    @property
    def is_over(self) -> bool:
        return self.minutes_over is not None

    @property
    def is_disputed(self) -> bool:
        return self.pairing.match is not None and self.pairing.match.state == MatchState.DISPUTED

    @property
    def is_reported(self) -> bool:
        """True if a report waits for the answer of an opponent."""
        return self.pairing.match is not None and self.pairing.match.state == MatchState.PROPOSED

    @property
    def awaits_choice(self) -> bool:
        """True while the higher seed of a cut match has not chosen a side."""
        return self.pairing.has_open_choice and not self.pairing.is_reported

    @property
    def reported(self) -> ReportInWords | None:
        if self.report is None or self.pairing.match is None or not self.is_reported:
            return None
        return report_in_words(self.pairing.match, self.report)


@dataclass(frozen=True)
class DayTwoCheckIn:
    is_open: bool
    here: int
    missing: int


@dataclass(frozen=True)
class DeskState:
    """State of an event; `rounds` are in playing order."""

    tournament: Tournament
    states: dict[str, int]
    rounds: tuple[Round, ...]
    # Of the round now played or last closed; empty for a draft.
    tables: tuple[Pairing, ...]
    # Without a settled result, including disputed tables.
    open_tables: tuple[UnsettledTable, ...]
    jobs: tuple[Job, ...]
    target: int
    # Counts of players who left and who arrived since the draft was made.
    changed: tuple[int, int] = field(default=(0, 0))
    # An earlier result changed since the draft was made.
    results_changed: bool = False
    cut: Cut | None = None
    # All rounds of a round robin were played.
    is_played_out: bool = False
    registration_is_open: bool = True
    # Set if the next round is the first of day 2.
    day_two: DayTwoCheckIn | None = None

    @property
    def round(self) -> Round | None:
        """The latest round: drafted, played or last closed."""
        return self.rounds[-1] if self.rounds else None

    @property
    def has_begun(self) -> bool:
        return any(not round_.is_draft for round_ in self.rounds)

    @property
    def is_unseated(self) -> bool:
        """True if no player has a seat in the draft yet."""
        gone, arrived = self.changed
        return not gone and 0 < self.checked_in == arrived

    @property
    def has_bracket(self) -> bool:
        begun = any(round_.is_in_cut and not round_.is_draft for round_ in self.rounds)
        return begun or (self.cut is not None and self.cut.stage.seeds_shown_at is not None)

    @property
    def closed_numbers(self) -> list[int]:
        return [round_.number for round_ in self.rounds if round_.is_closed]

    @property
    def has_late_tables(self) -> bool:
        """True if a closed round still lacks a result."""
        return any(
            round_.is_closed and getattr(round_, "lacks_results", False) for round_ in self.rounds
        )

    @property
    def players(self) -> int:
        """Number of players on the roster, without the waiting list."""
        return sum(self.states.values()) - self.states[RegistrationState.WAITING]

    @property
    def checked_in(self) -> int:
        return self.states[RegistrationState.CHECKED_IN]

    @property
    def waiting(self) -> int:
        """Number of players on the roster who are not checked in."""
        return self.states[RegistrationState.REGISTERED]

    @property
    def disputes(self) -> tuple[UnsettledTable, ...]:
        return tuple(table for table in self.open_tables if table.is_disputed)

    @property
    def urgent_first(self) -> list[UnsettledTable]:
        """Open tables: disputes, tables whose time is over, reports, then the others."""
        return sorted(
            self.open_tables,
            key=lambda table: (not table.is_disputed, not table.is_over, not table.is_reported),
        )

    @property
    def overdue(self) -> tuple[UnsettledTable, ...]:
        """Open tables without a dispute whose time is over."""
        return tuple(table for table in self.open_tables if table.is_over and not table.is_disputed)

    @property
    def level_tables(self) -> tuple[Pairing, ...]:
        """Tied tables of a cut round for which staff have not chosen who advances."""
        if self.round is None or self.cut is None or self.round.stage_id != self.cut.stage.pk:
            return ()
        return tuple(table for table in self.tables if is_undecided(table))

    @property
    def next_number(self) -> int:
        return self.round.number + 1 if self.round else 1

    @property
    def pairing_job(self) -> Job | None:
        """The job for the next draft, if it is running or has failed."""
        key = self.tournament.pairing_job_key(self.next_number)
        return next((job for job in self.jobs if job.key == key), None)

    @property
    def failed_jobs(self) -> list[Job]:
        """Failed jobs except the pairing job, which the next step shows."""
        return [job for job in self.jobs if job.has_failed and job != self.pairing_job]

    @property
    def live_jobs(self) -> list[Job]:
        return [job for job in self.jobs if job.is_live]

    @property
    def awaits_standings(self) -> bool:
        return any(job.kind == JobKind.RECOMPUTE_STANDINGS for job in self.live_jobs)


@dataclass(frozen=True)
class DeskSummary:
    """The parts of the desk that show whether anything changed."""

    # Only judges may see its penalty count.
    work: desk_queries.DeskCounts
    jobs: tuple[Job, ...]
    rounds: tuple[Round, ...]

    @property
    def minutes_over(self) -> int | None:
        """Whole minutes since the running round's time ended, else None."""
        latest = self.rounds[-1] if self.rounds else None
        if latest is None or latest.state != RoundState.RUNNING:
            return None
        return minutes_over(latest.clock(), timezone.now())


def desk_summary(tournament: Tournament, *, runs: bool = True) -> DeskSummary:
    """Load the summary in three queries; `runs` is True for an actor who runs the event."""
    return DeskSummary(
        work=desk_queries.desk_counts(tournament),
        jobs=tuple(event_pages.hide_job_errors(tournament.jobs.shown_at_desk(), runs=runs)),
        rounds=tuple(tournament.rounds.for_desk()),
    )


def desk_state(tournament: Tournament, summary: DeskSummary | None = None) -> DeskState:
    """Load the state of the desk, reusing `summary`, in a constant number of queries."""
    summary = summary or desk_summary(tournament)
    round_ = summary.rounds[-1] if summary.rounds else None
    draft = round_ if round_ is not None and round_.is_draft else None
    gone, arrived = draft.changes_since_draft() if draft else ([], [])
    states = tournament.registrations.count_by_state()
    # The next stage begins when the last round of the previous stage is closed.
    is_open = round_ is not None and not round_.is_closed
    stage = round_.stage if round_ and is_open else tournament.current_stage()
    tables = tuple(round_.pairings.with_players().tables()) if round_ and not draft else ()
    players = states[RegistrationState.CHECKED_IN]
    # Until a round is paired, players who have not arrived yet count as well.
    if round_ is None:
        players += states[RegistrationState.REGISTERED]
    else:
        players += states[RegistrationState.DROPPED]
        players = players or states[RegistrationState.REGISTERED]
    return DeskState(
        tournament=tournament,
        states=states,
        rounds=summary.rounds,
        tables=tables,
        open_tables=_unsettled_tables(round_, tables) if round_ else (),
        jobs=summary.jobs,
        target=stage.expected_rounds(players),
        changed=(len(gone), len(arrived)),
        results_changed=draft is not None and draft.results_changed_since_draft(),
        cut=get_cut(stage) if stage.is_cut else None,
        is_played_out=stage.is_played_out(),
        registration_is_open=tournament.can_register(),
        day_two=_day_two_check_in(tournament),
    )


def _day_two_check_in(tournament: Tournament) -> DayTwoCheckIn | None:
    if not tournament.begins_day_two():
        return None
    missing = tournament.missing_on_day_two().count()
    return DayTwoCheckIn(
        is_open=tournament.day_two_opened_at is not None,
        here=tournament.day_two_players().count() - missing,
        missing=missing,
    )


def _unsettled_tables(round_: Round, tables: tuple[Pairing, ...]) -> tuple[UnsettledTable, ...]:
    clock, now = round_.clock(), timezone.now()
    seated = round_.started_at or round_.published_at
    is_new = round_.started_at is None or now - round_.started_at < ARRIVAL_TIME
    unsettled = [
        (pairing, pairing.match)
        for pairing in tables
        if pairing.match is not None and not pairing.match.is_settled
    ]
    reports = desk_queries.newest_reports(
        match for _pairing, match in unsettled if match.state != MatchState.OPEN
    )
    return tuple(
        UnsettledTable(
            pairing,
            since=report.created_at if (report := reports.get(match.pk)) else seated,
            minutes_over=minutes_over(clock.with_extra(pairing.extra_minutes), now),
            report=report,
            is_new=is_new,
        )
        for pairing, match in unsettled
    )


def minutes_over(clock: Clock, now: datetime) -> int | None:
    """Whole minutes since a clock and its overtime ended, else None."""
    if clock.started_at is None or not clock.is_over(now):
        return None
    return -(clock.left(now) + timedelta(minutes=clock.overtime_minutes)) // timedelta(minutes=1)
