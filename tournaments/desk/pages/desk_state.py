"""Where an event stands, asked once for the whole desk."""

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

    `since` is when it came to be as it is: seated, reported or disputed. `minutes_over` is how
    long its time has been over, None while it has time or its clock has not begun.
    """

    pairing: Pairing
    since: datetime | None
    minutes_over: int | None

    @property
    def number(self) -> str:
        """Of the table, as words: a page of 250 tables names each five times."""
        return str(self.pairing.table_number)

    @property
    def is_over(self) -> bool:
        return self.minutes_over is not None

    @property
    def is_disputed(self) -> bool:
        return _state(self.pairing) == MatchState.DISPUTED


@dataclass(frozen=True)
class DayTwo:
    """Check-in for day 2: how many are here, and who is missing."""

    is_open: bool
    here: int
    missing: int


@dataclass(frozen=True)
class DeskState:
    """Where an event stands; `rounds` are all of them, first to last."""

    tournament: Tournament
    states: dict[str, int]
    rounds: tuple[Round, ...]
    tables: tuple[Pairing, ...]
    """Those of the round that is played or was closed last; none of a draft."""
    open_tables: tuple[OpenTable, ...]
    """Those without a settled result, the disputed ones among them."""
    jobs: tuple[Job, ...]
    target: int
    changed: tuple[int, int] = field(default=(0, 0))
    """Who left and who arrived since the draft was made."""
    results_changed: bool = False
    """An earlier result was changed since the draft was made."""
    cut: elimination.Cut | None = None
    is_played_out: bool = False
    """A round robin has had all its rounds."""
    registration_is_open: bool = True
    day_two: DayTwo | None = None
    """Set where the next round is the first of day 2."""

    @property
    def round(self) -> Round | None:
        """The round that is drafted, played or was closed last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def has_begun(self) -> bool:
        """Whether players have seen a round."""
        return any(not round_.is_draft for round_ in self.rounds)

    @property
    def is_unseated(self) -> bool:
        """Whether nobody has a place in the draft yet."""
        gone, arrived = self.changed
        return not gone and 0 < self.checked_in == arrived

    @property
    def has_bracket(self) -> bool:
        """Whether there is a bracket for everybody."""
        begun = any(one.stage.way.is_elimination and not one.is_draft for one in self.rounds)
        return begun or (self.cut is not None and self.cut.stage.seeds_shown_at is not None)

    @property
    def closed_numbers(self) -> list[int]:
        """The rounds whose results are fixed, first to last."""
        return [round_.number for round_ in self.rounds if round_.is_closed]

    @property
    def has_late_tables(self) -> bool:
        """Whether a closed round still lacks a result."""
        return any(one.is_closed and getattr(one, "lacks_results", False) for one in self.rounds)

    @property
    def players(self) -> int:
        """Everybody on the roster who has a place."""
        return sum(self.states.values()) - self.states[RegistrationState.WAITING]

    @property
    def checked_in(self) -> int:
        return self.states[RegistrationState.CHECKED_IN]

    @property
    def waiting(self) -> int:
        """On the roster, not checked in."""
        return self.states[RegistrationState.REGISTERED]

    @property
    def disputes(self) -> tuple[OpenTable, ...]:
        return tuple(table for table in self.open_tables if table.is_disputed)

    @property
    def undisputed_tables(self) -> tuple[OpenTable, ...]:
        """Open tables that only take time, those whose time is over first."""
        calm = [table for table in self.open_tables if not table.is_disputed]
        return tuple(sorted(calm, key=lambda table: not table.is_over))

    @property
    def overdue(self) -> tuple[OpenTable, ...]:
        """Tables to chase: their time is over, and no result is there."""
        return tuple(table for table in self.undisputed_tables if table.is_over)

    @property
    def level_tables(self) -> tuple[Pairing, ...]:
        """Tables of a cut round that ended level, and nobody said who goes on."""
        if self.round is None or self.cut is None or self.round.stage_id != self.cut.stage.pk:
            return ()
        return tuple(table for table in self.tables if elimination.is_undecided(table))

    @property
    def next_number(self) -> int:
        """The number of the round that is paired next."""
        return self.round.number + 1 if self.round else 1

    @property
    def pairing_job(self) -> Job | None:
        """The job that makes the next draft, while it is at work or has failed."""
        key = queries.pairing_key(self.tournament, self.next_number)
        return next((job for job in self.jobs if job.key == key), None)

    @property
    def failed_jobs(self) -> list[Job]:
        """Jobs to try again, apart from the one the big step shows."""
        return [job for job in self.jobs if job.has_failed and job != self.pairing_job]

    @property
    def live_jobs(self) -> list[Job]:
        """Jobs a worker has or will have."""
        return [job for job in self.jobs if job.is_live]


def _state(pairing: Pairing) -> str:
    assert pairing.match is not None
    return pairing.match.state


@dataclass(frozen=True)
class Glance:
    """Whether anything at the desk is new: the log, the work, the rounds."""

    tournament: Tournament
    work: desk_queries.Work
    """Of it, judges alone may know of the penalties."""
    jobs: tuple[Job, ...]
    rounds: tuple[Round, ...]

    @property
    def minutes_over(self) -> int | None:
        """How long the time of the round that is played has been over."""
        latest = self.rounds[-1] if self.rounds else None
        if latest is None or latest.state != RoundState.RUNNING:
            return None
        return minutes_over(queries.clock_of(latest), timezone.now())


def glance(tournament: Tournament, *, runs: bool = True) -> Glance:
    """Three queries; `runs` is whether it is for somebody who runs the event."""
    return Glance(
        tournament=tournament,
        work=desk_queries.work_of(tournament),
        jobs=tuple(queries.jobs_as_seen(queries.jobs_to_show(tournament), runs=runs)),
        rounds=tuple(queries.rounds_at_desk(tournament)),
    )


def desk_state(tournament: Tournament, seen: Glance | None = None) -> DeskState:
    """Ask for everything the desk shows, `seen` besides; a constant number of queries."""
    seen = seen or glance(tournament)
    round_ = seen.rounds[-1] if seen.rounds else None
    draft = round_ if round_ is not None and round_.is_draft else None
    gone, arrived = queries.changes_since_draft(draft) if draft else ([], [])
    states = queries.count_by_state(tournament)
    # The next stage begins when the last round of the one before is closed.
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
    """How many rounds; before round 1 those who are still to come count as well."""
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
    """How many whole minutes a clock and its overtime have been over; None before that."""
    if clock.started_at is None or not clock.is_over(now):
        return None
    return -(clock.left(now) + timedelta(minutes=clock.overtime_minutes)) // timedelta(minutes=1)
