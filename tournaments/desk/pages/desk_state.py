"""State of an event, loaded once for the whole desk."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from engine.clock import Clock
from matches.models import MatchState
from tournaments.desk import queries as desk_queries
from tournaments.event import queries
from tournaments.models import Job, Pairing, RegistrationState, Round, RoundState, Stage, Tournament
from tournaments.rounds import elimination


@dataclass(frozen=True)
class OpenTable:
    """A table without a settled result.

    `since` is the time when it was seated, reported or disputed. `minutes_over` counts from the end
    of its time, None before that or if its clock has not started.
    """

    pairing: Pairing
    since: datetime | None
    minutes_over: int | None

    @property
    def number(self) -> str:
        """The table number as text: a page of 250 tables renders each number five times."""
        return str(self.pairing.table_number)

    @property
    def is_over(self) -> bool:
        return self.minutes_over is not None

    @property
    def is_disputed(self) -> bool:
        return _state(self.pairing) == MatchState.DISPUTED


@dataclass(frozen=True)
class DayTwo:
    """Check-in counts for day 2."""

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
    open_tables: tuple[OpenTable, ...]
    jobs: tuple[Job, ...]
    target: int
    # Counts of players who left and who arrived since the draft was made.
    changed: tuple[int, int] = field(default=(0, 0))
    # An earlier result changed since the draft was made.
    results_changed: bool = False
    cut: elimination.Cut | None = None
    # All rounds of a round robin were played.
    is_played_out: bool = False
    registration_is_open: bool = True
    # Set if the next round is the first of day 2.
    day_two: DayTwo | None = None

    @property
    def round(self) -> Round | None:
        """The latest round: drafted, played or last closed."""
        return self.rounds[-1] if self.rounds else None

    @property
    def has_begun(self) -> bool:
        """Return True once a round was published."""
        return any(not round_.is_draft for round_ in self.rounds)

    @property
    def is_unseated(self) -> bool:
        """Return True if no player has a seat in the draft yet."""
        gone, arrived = self.changed
        return not gone and 0 < self.checked_in == arrived

    @property
    def has_bracket(self) -> bool:
        """Return True if the bracket is public."""
        begun = any(one.stage.way.is_elimination and not one.is_draft for one in self.rounds)
        return begun or (self.cut is not None and self.cut.stage.seeds_shown_at is not None)

    @property
    def closed_numbers(self) -> list[int]:
        """Numbers of the closed rounds, in order."""
        return [round_.number for round_ in self.rounds if round_.is_closed]

    @property
    def has_late_tables(self) -> bool:
        """Return True if a closed round still lacks a result."""
        return any(one.is_closed and getattr(one, "lacks_results", False) for one in self.rounds)

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
    def disputes(self) -> tuple[OpenTable, ...]:
        return tuple(table for table in self.open_tables if table.is_disputed)

    @property
    def undisputed_tables(self) -> tuple[OpenTable, ...]:
        """Open tables without a dispute, overdue tables first."""
        calm = [table for table in self.open_tables if not table.is_disputed]
        return tuple(sorted(calm, key=lambda table: not table.is_over))

    @property
    def overdue(self) -> tuple[OpenTable, ...]:
        """Open tables without a dispute whose time is over."""
        return tuple(table for table in self.undisputed_tables if table.is_over)

    @property
    def level_tables(self) -> tuple[Pairing, ...]:
        """Tied tables of a cut round for which staff have not chosen who advances."""
        if self.round is None or self.cut is None or self.round.stage_id != self.cut.stage.pk:
            return ()
        return tuple(table for table in self.tables if elimination.is_undecided(table))

    @property
    def next_number(self) -> int:
        """The number of the next round to pair."""
        return self.round.number + 1 if self.round else 1

    @property
    def pairing_job(self) -> Job | None:
        """The job for the next draft, if it is running or has failed."""
        key = queries.pairing_key(self.tournament, self.next_number)
        return next((job for job in self.jobs if job.key == key), None)

    @property
    def failed_jobs(self) -> list[Job]:
        """Failed jobs except the pairing job, which the next step shows."""
        return [job for job in self.jobs if job.has_failed and job != self.pairing_job]

    @property
    def live_jobs(self) -> list[Job]:
        """Jobs that are queued or running."""
        return [job for job in self.jobs if job.is_live]


def _state(pairing: Pairing) -> str:
    assert pairing.match is not None
    return pairing.match.state


@dataclass(frozen=True)
class Glance:
    """The parts of the desk that show whether anything changed."""

    # Only judges may see its penalty count.
    work: desk_queries.Work
    jobs: tuple[Job, ...]
    rounds: tuple[Round, ...]

    @property
    def minutes_over(self) -> int | None:
        """Whole minutes since the running round's time ended, else None."""
        latest = self.rounds[-1] if self.rounds else None
        if latest is None or latest.state != RoundState.RUNNING:
            return None
        return minutes_over(queries.clock_of(latest), timezone.now())


def glance(tournament: Tournament, *, runs: bool = True) -> Glance:
    """Load the glance in three queries; `runs` is True for an actor who runs the event."""
    return Glance(
        work=desk_queries.work_of(tournament),
        jobs=tuple(queries.jobs_as_seen(queries.jobs_to_show(tournament), runs=runs)),
        rounds=tuple(queries.rounds_at_desk(tournament)),
    )


def desk_state(tournament: Tournament, seen: Glance | None = None) -> DeskState:
    """Load the state of the desk, reusing `seen`, in a constant number of queries."""
    seen = seen or glance(tournament)
    round_ = seen.rounds[-1] if seen.rounds else None
    draft = round_ if round_ is not None and round_.is_draft else None
    gone, arrived = queries.changes_since_draft(draft) if draft else ([], [])
    states = queries.count_by_state(tournament)
    # The next stage begins when the last round of the previous stage is closed.
    is_open = round_ is not None and not round_.is_closed
    stage = round_.stage if round_ and is_open else queries.current_stage(tournament)
    tables = tuple(queries.tables_at_desk(round_)) if round_ and not draft else ()
    return DeskState(
        tournament=tournament,
        states=states,
        rounds=seen.rounds,
        tables=tables,
        open_tables=_open_tables(round_, tables) if round_ else (),
        jobs=seen.jobs,
        target=_target(states, stage, is_begun=round_ is not None),
        changed=(len(gone), len(arrived)),
        results_changed=draft is not None and queries.results_changed_since_draft(draft),
        cut=elimination.cut_of(stage) if stage.way.is_elimination else None,
        is_played_out=queries.is_played_out(stage),
        registration_is_open=queries.can_register_now(tournament),
        day_two=_day_two(tournament),
    )


def _day_two(tournament: Tournament) -> DayTwo | None:
    if not queries.begins_day_two(tournament):
        return None
    is_open = tournament.day_two_opened_at is not None
    all_, missing = queries.day_two_players(tournament), queries.day_two_missing(tournament)
    left = missing.count()
    return DayTwo(is_open, all_.count() - left, left)


def _target(states: dict[str, int], stage: Stage, *, is_begun: bool) -> int:
    """Number of rounds; before round 1, registered players count as well."""
    present, gone = states[RegistrationState.CHECKED_IN], states[RegistrationState.DROPPED]
    to_come = states[RegistrationState.REGISTERED]
    players = (present + gone or to_come) if is_begun else present + to_come
    return queries.expected_rounds(stage, players)


def _open_tables(round_: Round, tables: tuple[Pairing, ...]) -> tuple[OpenTable, ...]:
    clock, now = queries.clock_of(round_), timezone.now()
    seated = round_.started_at or round_.published_at
    return tuple(
        OpenTable(
            pairing,
            since=seated if _state(pairing) == MatchState.OPEN else reported_at,
            minutes_over=minutes_over(clock.with_extra(pairing.extra_minutes), now),
        )
        for pairing, reported_at in ((one, getattr(one, "reported_at", None)) for one in tables)
        if pairing.match is not None and not pairing.match.is_settled
    )


def minutes_over(clock: Clock, now: datetime) -> int | None:
    """Whole minutes since a clock and its overtime ended, else None."""
    if clock.started_at is None or not clock.is_over(now):
        return None
    return -(clock.left(now) + timedelta(minutes=clock.overtime_minutes)) // timedelta(minutes=1)
