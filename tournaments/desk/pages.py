"""Content of the desk: state of the event, next step, site warnings and finish question."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core import processes
from engine.bracket.games import rounds_of_cut
from engine.systems import ELIMINATION_SYSTEMS
from engine.timing import Clock, ClockState
from matches.models import MatchState, ResultReport
from tournaments.desk import queries as desk_queries
from tournaments.event import pages as event_pages
from tournaments.event.permissions import Actor
from tournaments.models import (
    Job,
    JobKind,
    Pairing,
    RegistrationState,
    Round,
    RoundState,
    Tournament,
)
from tournaments.models.rounds import round_in_sentence
from tournaments.ops import queries as operation_queries
from tournaments.results.pages import ReportInWords, report_in_words
from tournaments.results.standings_pages import (
    StandingLine,
    standing_lines_with_cut,
    standings_texts,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds.cut import Cut, get_cut, is_undecided
from tournaments.rounds.pages import RESET_IS_PLAYED
from tournaments.settings.services import why_not_finishable

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
    cut: rounds_cut.Cut | None = None
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
        return tuple(table for table in self.tables if rounds_cut.is_undecided(table))

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
        cut=rounds_cut.get_cut(stage) if stage.is_cut else None,
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


# The next step.


class StepKind(StrEnum):
    ADD_PLAYERS = "add_players"
    OPEN_REGISTRATION = "open_registration"
    CHECK_IN = "check_in"
    CHECK_IN_ALL = "check_in_all"
    OPEN_DAY_TWO = "open_day_two"
    CHECK_IN_DAY_TWO = "check_in_day_two"
    DROP_DAY_TWO = "drop_day_two"
    PAIR = "pair"
    PAIR_WITHOUT_THEM = "pair_without_them"
    PAIRING = "pairing"
    RETRY = "retry"
    DRAFT = "draft"
    START = "start"
    DECIDE = "decide"
    RESULTS = "results"
    GO_ON_WITHOUT = "go_on_without"
    CLOSE = "close"
    CLOSE_AND_PAIR = "close_and_pair"
    CLOSE_AND_FINISH = "close_and_finish"
    AWAIT_STANDINGS = "await_standings"
    START_CUT = "start_cut"
    MAKE_CUT = "make_cut"
    PUBLISH_SEEDS = "publish_seeds"
    SAY_WHO = "say_who"
    FINISH = "finish"
    FINISHED = "finished"


# Steps that staff take who do not run the event.
STEPS_OF_ALL_STAFF = frozenset(
    {
        StepKind.CHECK_IN,
        StepKind.CHECK_IN_DAY_TWO,
        StepKind.DECIDE,
        StepKind.RESULTS,
        StepKind.SAY_WHO,
        StepKind.FINISHED,
    }
)


@dataclass(frozen=True)
class NextStep:
    kind: StepKind
    title: str
    text: str = ""
    round_number: int | None = None
    # Tables that delay the round.
    tables: tuple[Pairing, ...] = ()
    job: Job | None = None
    # Size of the planned cut that the step starts.
    cut_size: int | None = None
    # Elimination of that cut.
    cut_system: str = ""
    # Alternatives to this step.
    others: tuple["NextStep", ...] = ()

    @property
    def is_for_organisers(self) -> bool:
        return self.kind not in STEPS_OF_ALL_STAFF


# Limit of table numbers in a title.
MAX_TABLES_IN_TITLE = 6
# Larger cuts do not list their players in the text of the step.
MAX_SEEDS_IN_TEXT = 8


def next_step(state: DeskState, *, can_score: bool = True) -> NextStep:
    """Return the next step; without `can_score`, none that requires the right to enter results."""
    # Steps that need a person come before steps that only take time.
    if state.tournament.is_finished:
        title, text = _("The event is finished"), _("Its standings are final.")
        return NextStep(StepKind.FINISHED, title, text)
    if state.pairing_job is not None and (state.round is None or state.round.is_closed):
        return _pairing_job_step(state, state.pairing_job)
    if state.round is not None and state.round.is_draft:
        return _draft_step(state, state.round)
    if state.round is not None and not state.round.is_closed:
        step = _step_during_round(state, state.round, can_score=can_score)
    else:
        if state.cut is not None:
            step = _step_between_cut_rounds(state.cut, state.next_number)
        elif state.round is None:
            step = _before_its_day(state.tournament, _step_before_round_one(state))
        else:
            step = _step_after_round(state, state.round)
        if state.day_two is not None:
            step = _day_two_step(state, state.day_two, step)
    if step.kind is StepKind.SAY_WHO and not can_score:
        title, text = _("A match of the cut is tied"), _("The organisers decide who advances.")
        return NextStep(StepKind.RESULTS, title, text, step.round_number)
    return step


def _step_between_cut_rounds(cut: Cut, number: int) -> NextStep:
    """Return the step before round `number`: resolve ties, pair, publish the seeds, or finish."""
    waiting = tuple(pairing for pairing in cut.pairings.values() if is_undecided(pairing))
    if waiting:
        return _tied_matches_step(waiting)
    if cut.winner is not None:
        text = _("%(player)s has won the event.") % {"player": cut.winner.player}
        return NextStep(StepKind.FINISH, _("Finish the event"), text)
    games = len(cut.state.games)
    values = {"round": round_in_sentence(number, cut.next_rounds)}
    text = ngettext(
        "%(count)d match of the bracket can be played.",
        "%(count)d matches of the bracket can be played.",
        games,
    )
    pair = NextStep(StepKind.PAIR, _("Pair %(round)s") % values, text % {"count": games}, number)
    if len(cut.next_rounds) > 1:
        pair = replace(pair, title=_("Pair the next round"), text=_("Next: %(round)s.") % values)
    if cut.is_reset_next:
        pair = replace(pair, text=str(RESET_IS_PLAYED))
    if cut.pairings:
        return pair
    if cut.stage.seeds_shown_at is not None:
        return replace(pair, others=(NextStep(StepKind.MAKE_CUT, _("Seeds and declined places")),))
    return NextStep(
        StepKind.PUBLISH_SEEDS,
        _("Publish the seeds"),
        _("Players then see their first opponent. If someone declines, the next player moves up."),
        others=(pair,),
    )


def _tied_matches_step(tables: tuple[Pairing, ...]) -> NextStep:
    """Return the step for tied cut matches, where staff choose who advances."""
    text = ngettext(
        "%(count)d match of the cut is tied. The bracket continues after you choose.",
        "%(count)d matches of the cut are tied. The bracket continues after you choose.",
        len(tables),
    )
    return NextStep(
        StepKind.SAY_WHO,
        _("Choose who advances"),
        text % {"count": len(tables)},
        tables[0].round.number,
        tables,
    )


def _day_two_step(state: DeskState, day: DayTwoCheckIn, then: NextStep) -> NextStep:
    """Insert check-in for day 2 before its first round; `then` is the step after it."""
    if state.tournament.day_two_round is None and then.kind is StepKind.FINISH:
        # Day 2 begins with the cut, which must be started before the event can finish.
        cut = next((step for step in then.others if step.kind is StepKind.MAKE_CUT), then)
        then = replace(cut, others=(replace(then, others=()),))
    if not day.is_open:
        day_two, time = state.tournament.day_two_on, state.tournament.day_two_time
        date = date_format(day_two, "WEEKDAY_DAY_FORMAT") if day_two else ""
        if time:
            date += f", {time:%H:%M}"
        values = {"number": state.next_number, "date": date}
        begins = _("Day 2 begins with round %(number)d on %(date)s.") % values
        if state.tournament.day_two_round is None:
            begins = _("Day 2 begins with the cut on %(date)s.") % values
        check_in = _("Players check in again. Open check-in when they arrive.")
        title = _("Open check-in for day 2")
        return NextStep(StepKind.OPEN_DAY_TWO, title, f"{begins} {check_in}", others=(then,))
    if not day.missing:
        return then
    drop = ngettext("Drop the missing player", "Drop the %(count)d missing players", day.missing)
    return NextStep(
        StepKind.CHECK_IN_DAY_TWO,
        _("Check in players for day 2: %(here)d of %(expected)d checked in")
        % {"here": day.here, "expected": day.here + day.missing},
        _("Players check in on their phones or at the door. Drop players who do not come."),
        others=(NextStep(StepKind.DROP_DAY_TWO, drop % {"count": day.missing}),),
    )


def _pairing_job_step(state: DeskState, job: Job) -> NextStep:
    number = state.next_number
    if state.cut is not None:
        values = {"round": round_in_sentence(number, state.cut.next_rounds)}
        failed, paired = _("Pairing %(round)s failed") % values, _("Pairing %(round)s") % values
    else:
        failed = _("Round %(number)d could not be paired") % {"number": number}
        paired = _("Round %(number)d is being paired") % {"number": number}
    if job.has_failed:
        return NextStep(StepKind.RETRY, failed, job.shown_error, number, job=job)
    text = _("The draft appears here when it is ready.")
    return NextStep(StepKind.PAIRING, paired, text, number, job=job)


def _checked_in_text(count: int) -> str:
    text = ngettext("%(count)d player checked in.", "%(count)d players checked in.", count)
    return text % {"count": count}


def _before_its_day(tournament: Tournament, step: NextStep) -> NextStep:
    """Add the day of the event to the step, before that day."""
    if not tournament.is_before_its_day():
        return step
    date = date_format(tournament.starts_on, "WEEKDAY_DAY_FORMAT")
    date = _("The event is on %(date)s, not today.") % {"date": date}
    return replace(step, text=f"{date} {step.text}")


def _step_before_round_one(state: DeskState) -> NextStep:
    if state.players < 2:
        return _add_players_step(state)
    rounds = ngettext(
        "%(count)d round suggested for this number of players.",
        "%(count)d rounds suggested for this number of players.",
        state.target,
    )
    if state.tournament.planned_rounds:
        rounds = ngettext("%(count)d round planned.", "%(count)d rounds planned.", state.target)
    text = f"{_checked_in_text(state.checked_in)} {rounds % {'count': state.target}}"
    pair = NextStep(StepKind.PAIR, _("Pair round 1"), text, 1)
    if not state.waiting:
        return pair if state.checked_in >= 2 else _add_players_step(state)
    check_in_all = NextStep(StepKind.CHECK_IN_ALL, _check_in_all_title(state))
    without = NextStep(StepKind.PAIR_WITHOUT_THEM, _("Pair round 1 without them"), "", 1)
    return NextStep(
        StepKind.CHECK_IN,
        _("Check in players: %(here)d of %(expected)d checked in")
        % {"here": state.checked_in, "expected": state.checked_in + state.waiting},
        _("Only players who are checked in are paired."),
        1,
        others=(check_in_all, without) if state.checked_in >= 2 else (check_in_all,),
    )


def _check_in_all_title(state: DeskState) -> str:
    """Return the label of the button that checks in everyone who is not yet checked in."""
    if state.checked_in:
        title = ngettext("Check in the last player", "Check in the other %(count)d", state.waiting)
    else:
        title = ngettext("Check in the player", "Check in all %(count)d", state.waiting)
    return title % {"count": state.waiting}


def _add_players_step(state: DeskState) -> NextStep:
    """Return the step for too few players: add them, or open registration."""
    add = NextStep(
        StepKind.ADD_PLAYERS,
        _("Add players"),
        _("Type or import their names, or let them join with the code %(code)s.")
        % {"code": state.tournament.join_code},
    )
    if state.registration_is_open:
        return add
    return NextStep(
        StepKind.OPEN_REGISTRATION,
        _("Open registration"),
        _(
            "Registration is closed, so players cannot join with the code. Open it, or add the "
            "players yourself."
        ),
        others=(add,),
    )


def _step_after_round(state: DeskState, round_: Round) -> NextStep:
    number = round_.number
    closed = _("Round %(number)d of %(planned)d is closed.") % {
        "number": number,
        "planned": state.target,
    }
    text = f"{closed} {_('The standings become final.')}"
    finish = NextStep(StepKind.FINISH, _("Finish the event"), text)
    if state.checked_in < 2:
        return finish
    text = f"{closed} {_checked_in_text(state.checked_in)}"
    if state.waiting:
        late = ngettext(
            "%(count)d player not checked in.", "%(count)d players not checked in.", state.waiting
        )
        text += f" {late % {'count': state.waiting}}"
    title = _("Pair round %(number)d") % {"number": number + 1}
    pair = NextStep(StepKind.PAIR, title, text, number + 1)
    if number < state.target:
        return pair
    more = () if state.is_played_out else (pair,)
    size = state.tournament.planned_cut_size(state.checked_in)
    if size is None:
        return replace(finish, others=(NextStep(StepKind.MAKE_CUT, _("Start the top cut")), *more))
    without = NextStep(StepKind.FINISH, _("Finish without a cut"))
    title = _("Start the top %(size)d") % {"size": size}
    if state.awaits_standings:
        text = f"{closed} {_('The standings are being calculated.')}"
        return NextStep(StepKind.AWAIT_STANDINGS, title, text, others=(without, *more))
    system = state.tournament.planned_cut_system
    length = rounds_of_cut(system, size)
    seeded = {
        "double_elimination": ngettext(
            "The top players are seeded for double elimination: %(count)d round, plus a possible "
            "bracket reset.",
            "The top players are seeded for double elimination: %(count)d rounds, plus a possible "
            "bracket reset.",
            length,
        ),
        "single_elimination": ngettext(
            "The top players are seeded for single elimination: %(count)d round.",
            "The top players are seeded for single elimination: %(count)d rounds.",
            length,
        ),
    }
    text = f"{closed} {seeded[system] % {'count': length}}"
    if size <= MAX_SEEDS_IN_TEXT:
        players = enumerate(state.tournament.cut_candidates()[:size], start=1)
        names = ", ".join(f"{seed} {entry.player}" for seed, entry in players)
        text = f"{text} {_('Seeds: %(names)s.') % {'names': names}}"
    return NextStep(
        StepKind.START_CUT,
        title,
        text,
        cut_size=size,
        cut_system=system,
        others=(
            _other_elimination_step(system, size),
            NextStep(StepKind.MAKE_CUT, _("Choose size, seeds and scoring")),
            without,
            *more,
        ),
    )


def _other_elimination_step(planned: str, size: int) -> NextStep:
    """Return the step that starts the planned cut with the other kind of elimination."""
    other = next(system for system in ELIMINATION_SYSTEMS if system != planned)
    length = rounds_of_cut(other, size)
    titles = {
        "double_elimination": ngettext(
            "Start with double elimination: %(count)d round",
            "Start with double elimination: %(count)d rounds",
            length,
        ),
        "single_elimination": ngettext(
            "Start with single elimination: %(count)d round",
            "Start with single elimination: %(count)d rounds",
            length,
        ),
    }
    title = titles[other] % {"count": length}
    return NextStep(StepKind.START_CUT, title, cut_size=size, cut_system=other)


def _draft_step(state: DeskState, round_: Round) -> NextStep:
    gone, arrived = state.changed
    text = _("Only organisers see the draft. Review it, make changes if necessary, then publish.")
    if state.cut is not None:
        text = _("Only organisers see the draft. The bracket sets the pairings. Publish them.")
    if state.results_changed:
        text = _("A result has changed since the draft was made. Pair the round again.")
    elif state.is_unseated:
        text = _("Nobody is seated yet. Choose the pairings, then publish.")
    elif gone or arrived:
        values = {"left": gone, "arrived": arrived}
        text = _(
            "Since the draft was made: %(left)d left, %(arrived)d arrived. Review it before you "
            "publish."
        )
        text %= values
    title = _("Review the draft of %(round)s") % {"round": round_.in_sentence}
    if len(round_.bracket_rounds) > 1:
        title = _("Review the draft")
    return NextStep(StepKind.DRAFT, title, text, round_.number)


def _step_during_round(state: DeskState, round_: Round, *, can_score: bool) -> NextStep:
    if state.disputes and can_score:
        disputed = tuple(table.pairing for table in state.disputes)
        title = ngettext("Resolve %(count)d dispute", "Resolve %(count)d disputes", len(disputed))
        title %= {"count": len(disputed)}
        text = _("The players reported different results.")
        return NextStep(StepKind.DECIDE, title, text, round_.number, disputed)
    if not state.open_tables and state.level_tables:
        return _tied_matches_step(state.level_tables)
    if not state.open_tables:
        return _close_step(state, round_)
    if round_.state == RoundState.PUBLISHED:
        return _start_clock_step(state, round_)
    if state.overdue:
        return _overdue_tables_step(state, round_, can_score=can_score)
    return _wait_for_results_step(state, round_, can_score=can_score)


def _close_step(state: DeskState, round_: Round) -> NextStep:
    """Return the step of a round with all results: close it, and pair the next one if there is."""
    count = len(state.tables)
    text = _("The only table is settled.")
    if count > 1:
        text = _("All %(count)d tables are settled.") % {"count": count}
    if state.cut is not None and state.cut.winner is not None:
        text = _("%(player)s has won the event.") % {"player": state.cut.winner.player}
    values = {"round": round_.in_sentence}
    close_title, only_title, title = (
        _("Close %(round)s"),
        _("Only close %(round)s"),
        _("Close %(round)s and pair %(next)s"),
    )
    if round_.stage.system == "double_elimination":
        # Its round names are long, and a round often joins two of them.
        close_title, only_title, title = (
            _("Close this round"),
            _("Only close this round"),
            _("Close this round and pair %(next)s"),
        )
    close = NextStep(StepKind.CLOSE, close_title % values, text, round_.number)
    if state.cut is not None:
        then = _step_between_cut_rounds(state.cut, state.next_number)
        next_rounds = state.cut.next_rounds
    else:
        then = _step_after_round(state, round_)
        next_rounds = ()
    close_only = replace(close, title=only_title % values)
    if state.cut is not None and then.kind is StepKind.FINISH:
        title = _("Close this round and review the places")
        if round_.stage.system != "double_elimination":
            title = _("Close %(round)s and review the places") % values
        return replace(close, kind=StepKind.CLOSE_AND_FINISH, title=title, others=(close_only,))
    # Players check in again before the first round of day 2.
    if then.kind is not StepKind.PAIR or state.next_number == state.tournament.day_two_round:
        return close
    values["next"] = round_in_sentence(state.next_number, next_rounds)
    if len(next_rounds) > 1:
        title = _("Close this round and pair the next")
        text = f"{text} {_('Next: %(round)s.') % {'round': values['next']}}"
    elif state.cut is not None and state.cut.is_reset_next:
        text = str(RESET_IS_PLAYED)
    return NextStep(
        StepKind.CLOSE_AND_PAIR, title % values, text, round_.number, others=(close_only,)
    )


def _start_clock_step(state: DeskState, round_: Round) -> NextStep:
    text = ngettext(
        "The pairings are public. Start when the players sit at their tables: %(count)d minute.",
        "The pairings are public. Start when the players sit at their tables: %(count)d minutes.",
        state.tournament.round_minutes,
    )
    title = _("Start the clock of %(round)s") % {"round": round_.in_sentence}
    if len(round_.bracket_rounds) > 1:
        title = _("Start the clock")
    return NextStep(
        StepKind.START,
        title,
        text % {"count": state.tournament.round_minutes},
        round_.number,
        others=(NextStep(StepKind.RESULTS, _("Enter results"), "", round_.number),),
    )


def _wait_for_results_step(state: DeskState, round_: Round, *, can_score: bool) -> NextStep:
    """Return the step while the round is played and no table is overdue."""
    title = _("Wait for the results of %(round)s")
    if can_score:
        title = _("Enter the results of %(round)s")
    title %= {"round": round_.in_sentence}
    reported = sum(table.is_reported for table in state.open_tables)
    values = {
        "missing": len(state.open_tables) - reported - len(state.disputes),
        "reported": reported,
        "count": len(state.tables),
    }
    counts = []
    if values["missing"] or not reported:
        counts.append(
            ngettext(
                "%(missing)d of %(count)d result missing.",
                "%(missing)d of %(count)d results missing.",
                len(state.tables),
            )
        )
    if reported:
        counts.append(
            ngettext(
                "%(reported)d result is waiting for confirmation.",
                "%(reported)d results are waiting for confirmation.",
                reported,
            )
        )
    text = " ".join(counts) % values
    if can_score:
        text = f"{text} {_('Players report on their phones; you can enter any result yourself.')}"
    else:
        text = f"{text} {_('Players report on their phones.')}"
    if round_.clock().state is ClockState.PAUSED:
        text = f"{_('The clock is paused.')} {text}"
    open_tables = tuple(table.pairing for table in state.open_tables)
    return NextStep(StepKind.RESULTS, title, text, round_.number, open_tables)


def _overdue_tables_step(state: DeskState, round_: Round, *, can_score: bool) -> NextStep:
    numbers = [str(table.pairing.table_number) for table in state.overdue]
    title = ngettext("Go to %(count)d table", "Go to %(count)d tables", len(numbers))
    title %= {"count": len(numbers)}
    if len(numbers) <= MAX_TABLES_IN_TITLE:
        title += f": {', '.join(numbers)}"
    without = NextStep(StepKind.GO_ON_WITHOUT, _("Continue without them"), "", state.next_number)
    text = _("Time is up at these tables.")
    if can_score:
        text = _("Time is up at these tables. Go there and enter the results.")
    return NextStep(
        StepKind.RESULTS,
        title,
        text,
        round_.number,
        tuple(table.pairing for table in state.overdue),
        # A bracket requires every result.
        others=() if state.cut is not None else (without,),
    )


# Warnings for site administrators.


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


LEADERS_SHOWN = 4


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
