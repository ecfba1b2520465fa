"""The organiser's next step at an event."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core import heartbeats
from core.text import counted
from engine.clock import ClockState
from tournaments.desk.pages.desk_state import DayTwo, DeskState, OpenTable
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.models import Job, Pairing, Round, RoundState, Tournament
from tournaments.models.round_names import round_in_sentence
from tournaments.operations import queries as operation_queries
from tournaments.rounds.elimination import Cut, is_undecided


class StepKind(StrEnum):
    ADD_PLAYERS = "add_players"
    OPEN_REGISTRATION = "open_registration"
    SEAT = "seat"
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
    MAKE_CUT = "make_cut"
    PUBLISH_SEEDS = "publish_seeds"
    SAY_WHO = "say_who"
    FINISH = "finish"
    FINISHED = "finished"


@dataclass(frozen=True)
class Step:
    """The main next step; `others` are alternatives.

    `round_number` is the round concerned; `tables` are the tables that hold it up.
    """

    kind: StepKind
    title: str
    text: str = ""
    round_number: int | None = None
    tables: tuple[Pairing, ...] = ()
    job: Job | None = None
    others: tuple["Step", ...] = ()


def between_cut_rounds(cut: Cut, number: int) -> Step:
    """The step between cut rounds: resolve ties, pair, publish the seeds, or finish.

    `number` is the next round.
    """
    waiting = tuple(pairing for pairing in cut.pairings.values() if is_undecided(pairing))
    if waiting:
        return say_who_goes_on(waiting)
    if cut.winner is not None:
        title = "Finish the event"
        return Step(StepKind.FINISH, title, f"{cut.winner.player} has won the cut.")
    games = len(cut.state.games)
    pair = Step(
        StepKind.PAIR,
        _("Pair %(round)s") % {"round": round_in_sentence(number, cut.next_rounds)},
        ngettext(
            "%(count)d match of the bracket can be played.",
            "%(count)d matches of the bracket can be played.",
            games,
        )
        % {"count": games},
        number,
    )
    if cut.pairings:
        return pair
    if cut.stage.seeds_shown_at is not None:
        return replace(pair, others=(Step(StepKind.MAKE_CUT, _("Seeds and declined places")),))
    return Step(
        StepKind.PUBLISH_SEEDS,
        _("Publish the seeds"),
        _("Players then see their first opponent and can still decline their place."),
        others=(pair,),
    )


def say_who_goes_on(tables: tuple[Pairing, ...]) -> Step:
    """The step for tied cut matches, where staff choose who advances."""
    level = "A match" if len(tables) == 1 else f"{len(tables)} matches"
    return Step(
        StepKind.SAY_WHO,
        "Say who goes on",
        f"{level} of the cut ended level, and the bracket waits.",
        tables[0].round.number,
        tables,
    )


# Limit of table numbers in a title.
MOST_NAMED = 6


def next_step(now: DeskState, *, can_score: bool = True) -> Step:
    """Return the next step. Steps that need a person come before steps that only take time.

    Without `can_score`, no step is returned that requires the right to enter results.
    """
    if now.tournament.is_finished:
        return Step(StepKind.FINISHED, "The event is finished", "Its standings are final.")
    if now.pairing_job is not None and (now.round is None or now.round.is_closed):
        return _step_of_job(now, now.pairing_job)
    if now.round is None or now.round.is_closed:
        step = _between_rounds(now)
    elif now.round.state == RoundState.DRAFT:
        return _draft(now, now.round)
    else:
        step = _playing(now, now.round, can_score=can_score)
    if step.kind is StepKind.SAY_WHO and not can_score:
        title, text = _("A match of the cut is tied"), _("The organisers decide who advances.")
        return Step(StepKind.RESULTS, title, text, step.round_number)
    return step


def _between_rounds(now: DeskState) -> Step:
    if now.cut is not None:
        step = between_cut_rounds(now.cut, now.next_number)
    elif now.round is None:
        step = _before_round_one(now)
    else:
        step = _after_a_round(now)
    return step if now.day_two is None else _day_two(now, now.day_two, step)


def _day_two(now: DeskState, day: DayTwo, then: Step) -> Step:
    """Insert check-in for day 2 before its first round; `then` is the step after it."""
    begins_with = "the cut"
    if now.tournament.day_two_round is not None:
        begins_with = f"round {now.next_number}"
    elif then.kind is StepKind.FINISH:
        # Day 2 begins with the cut, which must be started before the event can finish.
        cut = next((other for other in then.others if other.kind is StepKind.MAKE_CUT), then)
        then = replace(cut, others=(replace(then, others=()),))
    if not day.is_open:
        return Step(
            StepKind.OPEN_DAY_TWO,
            "Open check-in for day 2",
            f"Day 2 begins with {begins_with} on {_moment_of(now.tournament)}. "
            "Open it when the players arrive: they check in again.",
            others=(then,),
        )
    if not day.missing:
        return then
    return Step(
        StepKind.CHECK_IN_DAY_TWO,
        f"Check in for day 2: {day.here} of {day.here + day.missing} are here",
        "They check in on their phones or at the door. Drop who does not come.",
        others=(Step(StepKind.DROP_DAY_TWO, f"Drop the {day.missing} not here"),),
    )


def _moment_of(tournament: Tournament) -> str:
    day = date_format(tournament.day_two_on, "l j F") if tournament.day_two_on else ""
    hour = tournament.day_two_time
    return f"{day}, {hour:%H:%M}" if hour else day


def _step_of_job(now: DeskState, job: Job) -> Step:
    number = now.next_number
    failed, paired = f"Round {number} could not be paired", f"Round {number} is being paired"
    if now.cut is not None:
        values = {"round": round_in_sentence(number, now.cut.next_rounds)}
        failed, paired = _("Pairing %(round)s failed") % values, _("Pairing %(round)s") % values
    if job.has_failed:
        return Step(StepKind.RETRY, failed, job.error, number, job=job)
    return Step(
        StepKind.PAIRING,
        paired,
        "This page shows the draft as soon as it is there.",
        number,
        job=job,
    )


def _before_round_one(now: DeskState) -> Step:
    if now.players < 2:
        return _fill_the_roster(now)
    pair = Step(StepKind.PAIR, "Pair round 1", _field_of(now), 1)
    seat = Step(StepKind.SEAT, "Seat a player meeting")
    if not now.waiting:
        return replace(pair, others=(seat,)) if now.checked_in >= 2 else _fill_the_roster(now)
    everybody = Step(StepKind.CHECK_IN_ALL, f"All {now.waiting} are here")
    without = Step(StepKind.PAIR_WITHOUT_THEM, "Pair round 1 without the others", "", 1)
    return Step(
        StepKind.CHECK_IN,
        f"Check in the players: {now.checked_in} of {now.checked_in + now.waiting} are here",
        f"{_on_the_day(now.tournament)}Only players who are checked in are paired.",
        1,
        others=(everybody, without, seat) if now.checked_in >= 2 else (everybody, seat),
    )


def _fill_the_roster(now: DeskState) -> Step:
    """The step for too few players: add them, or open registration."""
    add = Step(
        StepKind.ADD_PLAYERS,
        "Add the players",
        f"Type or paste their names, or let them join with the code {now.tournament.join_code}.",
    )
    if now.registration_is_open:
        return add
    return Step(
        StepKind.OPEN_REGISTRATION,
        "Open registration",
        "Registration is closed, so nobody can join with the code. Open it, or add the players "
        "yourself.",
        others=(add,),
    )


def _on_the_day(tournament: Tournament) -> str:
    today = timezone.now().astimezone(ZoneInfo(tournament.time_zone)).date()
    if tournament.starts_on <= today:
        return ""
    return f"The event is on {date_format(tournament.starts_on, 'j F')}. "


def _field_of(now: DeskState) -> str:
    how_many = "as planned" if now.tournament.planned_rounds else "suggested for this field"
    here, rounds = counted(now.checked_in, "player"), counted(now.target, "round")
    return f"{here} checked in. {rounds} {how_many}."


def _after_a_round(now: DeskState) -> Step:
    assert now.round is not None
    number = now.round.number
    finish = Step(
        StepKind.FINISH,
        "Finish the event",
        f"Round {number} of {now.target} is closed. The standings become final.",
    )
    if now.checked_in < 2:
        return finish
    here, late = counted(now.checked_in, "player"), ""
    if now.waiting:
        late = f" {counted(now.waiting, 'player')} on the roster not checked in."
    pair = Step(
        StepKind.PAIR,
        f"Pair round {number + 1}",
        f"Round {number} of {now.target} is closed. {here} checked in.{late}",
        number + 1,
    )
    if number < now.target:
        return pair
    more = () if now.is_played_out else (pair,)
    size = queries.planned_cut_of(now.tournament, now.checked_in)
    if size is None:
        return replace(finish, others=(Step(StepKind.MAKE_CUT, "Start the top cut"), *more))
    without = Step(StepKind.FINISH, _("Finish without a cut"))
    return Step(
        StepKind.MAKE_CUT,
        _("Start the top %(size)d") % {"size": size},
        _("Round %(number)d of %(planned)d is closed. Check the seeds, then play the cut.")
        % {"number": number, "planned": now.target},
        others=(without, *more),
    )


def _draft(now: DeskState, round_: Round) -> Step:
    gone, arrived = now.changed
    text = "Nobody sees it yet. Review it, change what you must, then publish."
    if now.cut is not None:
        text = "Nobody sees it yet. The bracket says who meets. Review it, then publish."
    if now.results_changed:
        text = "A result was changed since it was made. Pair the round again."
    elif now.is_unseated:
        text = "Nobody is seated yet. Choose who meets, then publish."
    elif gone or arrived:
        text = f"Since it was made, {gone} left and {arrived} came. Review it before you publish."
    title = _("Review the draft of %(round)s") % {"round": round_.in_sentence}
    return Step(StepKind.DRAFT, title, text, round_.number)


def _playing(now: DeskState, round_: Round, *, can_score: bool) -> Step:
    if now.disputes and can_score:
        title = f"Decide {counted(len(now.disputes), 'table')} in dispute"
        text = "The two players reported different results."
        disputed = tuple(table.pairing for table in now.disputes)
        return Step(StepKind.DECIDE, title, text, round_.number, disputed)
    if not now.open_tables and now.level_tables:
        return say_who_goes_on(now.level_tables)
    if not now.open_tables:
        count = len(now.tables)
        text = f"All {count} tables are settled." if count > 1 else "Its one table is settled."
        title = _("Close %(round)s") % {"round": round_.in_sentence}
        return Step(StepKind.CLOSE, title, text, round_.number)
    if round_.state == RoundState.PUBLISHED:
        return _start(now, round_)
    return _chase(now, round_) if now.overdue else _wait(now, round_)


def _start(now: DeskState, round_: Round) -> Step:
    return Step(
        StepKind.START,
        _("Start the clock of %(round)s") % {"round": round_.in_sentence},
        "The pairings are public. Start when the players sit at their tables: "
        f"{counted(now.tournament.round_minutes, 'minute')}.",
        round_.number,
        others=(Step(StepKind.RESULTS, "Enter results", "", round_.number),),
    )


def _wait(now: DeskState, round_: Round) -> Step:
    """The step while the round is played and no table is overdue."""
    still = "The clock is paused. " if queries.clock_of(round_).state is ClockState.PAUSED else ""
    left, count = len(now.open_tables), counted(len(now.tables), "table")
    title = f"Round {round_.number} is being played"
    if round_.bracket_rounds:
        title = _("Now playing: %(round)s") % {"round": round_.name}
    return Step(
        StepKind.RESULTS,
        title,
        f"{still}{left} of {count} without a result. Players report on their phones; "
        "what they do not, the desk enters.",
        round_.number,
        _pairings(now.open_tables),
    )


def _chase(now: DeskState, round_: Round) -> Step:
    numbers = [str(table.pairing.table_number) for table in now.overdue]
    named = f": {', '.join(numbers)}" if len(numbers) <= MOST_NAMED else ""
    without = Step(StepKind.GO_ON_WITHOUT, "Continue without them", "", now.next_number)
    return Step(
        StepKind.RESULTS,
        f"Go to {counted(len(numbers), 'table')}{named}",
        "Their time is over. Go there and enter the result.",
        round_.number,
        _pairings(now.overdue),
        # A bracket requires every result.
        others=() if now.cut is not None else (without,),
    )


def _pairings(tables: tuple[OpenTable, ...]) -> tuple[Pairing, ...]:
    return tuple(table.pairing for table in tables)


SILENT_PROCESSES = {
    heartbeats.BEAT: gettext_lazy("Beat is not running: nothing happens automatically."),
    heartbeats.DEFAULT: gettext_lazy(
        "The worker of the default queue is not running: rounds are not paired."
    ),
    heartbeats.SLOW: gettext_lazy(
        "The worker of the slow queue is not running: no backups, emails or webhooks."
    ),
}


def site_warnings(actor: Actor) -> list[str]:
    """Warn site administrators about parts of the site that are not running."""
    if actor.user is None or not actor.user.is_staff:
        return []
    warnings = [str(SILENT_PROCESSES[process]) for process in heartbeats.silent_processes()]
    if failed := operation_queries.failed_copy():
        warnings.append(
            _("The last backup was not copied off-site: %(reason)s") % {"reason": failed.error}
        )
    return warnings


@dataclass(frozen=True)
class SiteBackup:
    """The last backup, if any. It is late when older than twice its interval."""

    began_at: datetime | None
    is_late: bool


def site_backup(actor: Actor) -> SiteBackup | None:
    """The last backup, for site administrators on sites that make backups; else None."""
    if actor.user is None or not actor.user.is_staff or not operation_queries.backups_are_made():
        return None
    last = operation_queries.last_backup()
    return SiteBackup(last.began_at if last else None, operation_queries.is_late_backup(last))
