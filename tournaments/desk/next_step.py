"""The next step of an event: what the staff should do now, and the alternatives."""

from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.bracket.games import rounds_of_cut
from engine.systems import ELIMINATION_SYSTEMS
from engine.timing import ClockState
from tournaments.desk.state import DayTwoCheckIn, DeskState
from tournaments.models import Job, Pairing, Round, RoundState, Tournament
from tournaments.models.rounds import round_in_sentence
from tournaments.rounds.cut import Cut, is_undecided
from tournaments.rounds.pages import RESET_IS_PLAYED


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
        _("Type or import the players' names, or let them join with the code %(code)s.")
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
            "Since the draft was made, %(left)d dropped and %(arrived)d checked in. Review "
            "it before you publish."
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
        text = _("The players do not agree on a result.")
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
    texts = {1: _("The only table is settled."), 2: _("Both tables are settled.")}
    all_settled = _("All %(count)d tables are settled.") % {"count": count}
    text = texts.get(max(count, 1), all_settled)
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
        "The pairings are public. Start the clock when the players are seated: %(count)d minute.",
        "The pairings are public. Start the clock when the players are seated: %(count)d minutes.",
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
