"""What is to be done next at an event: one thing, in words."""

from dataclasses import dataclass, field

from matches.models import MatchState
from tournaments import elimination, queries
from tournaments.models import (
    Job,
    Pairing,
    RegistrationState,
    Round,
    RoundState,
    Tournament,
)
from tournaments.sheets import cut_steps
from tournaments.sheets.steps import Step, StepKind


@dataclass(frozen=True)
class Situation:
    """Where an event stands, asked once for the whole desk."""

    tournament: Tournament
    states: dict[str, int]
    round: Round | None
    tables: tuple[Pairing, ...]
    jobs: tuple[Job, ...]
    target: int
    changed: tuple[int, int] = field(default=(0, 0))
    """Who left and who arrived since the draft was made."""
    results_changed: bool = False
    """An earlier result was changed since the draft was made."""
    cut: elimination.Cut | None = None
    is_played_out: bool = False
    """A round robin has had all its rounds."""

    @property
    def players(self) -> int:
        return sum(self.states.values())

    @property
    def checked_in(self) -> int:
        return self.states[RegistrationState.CHECKED_IN]

    @property
    def waiting(self) -> int:
        """On the roster, not checked in."""
        return self.states[RegistrationState.REGISTERED]

    @property
    def open_tables(self) -> tuple[Pairing, ...]:
        """Tables without a settled result, the disputed ones among them."""
        return tuple(table for table in self.tables if not table.match.is_settled)  # type: ignore[union-attr]

    @property
    def disputes(self) -> tuple[Pairing, ...]:
        return _in_state(self.open_tables, MatchState.DISPUTED)

    @property
    def level_tables(self) -> tuple[Pairing, ...]:
        """Tables of a cut round that ended level, and nobody said who goes on."""
        if self.round is None or self.cut is None or self.round.stage_id != self.cut.stage.pk:
            return ()
        return tuple(table for table in self.tables if elimination.needs_a_word(table))

    @property
    def undisputed_tables(self) -> tuple[Pairing, ...]:
        """Open tables that only take time."""
        return tuple(table for table in self.open_tables if table not in self.disputes)

    @property
    def next_number(self) -> int:
        """The number of the round that is paired next."""
        return self.round.number + 1 if self.round else 1

    @property
    def pairing_job(self) -> Job | None:
        """The job that makes the next draft, while it is at work or has failed."""
        key = queries.pairing_key(self.tournament, self.next_number)
        return next((job for job in self.jobs if job.key == key), None)


def _in_state(tables: tuple[Pairing, ...], state: MatchState) -> tuple[Pairing, ...]:
    return tuple(table for table in tables if table.match and table.match.state == state)


def situation(tournament: Tournament) -> Situation:
    """Ask for everything the desk shows; a constant number of queries."""
    round_ = queries.latest_round(tournament)
    draft = round_ if round_ is not None and round_.is_draft else None
    gone, arrived = queries.changes_since_draft(draft) if draft else ([], [])
    states = queries.count_by_state(tournament)
    return Situation(
        tournament=tournament,
        states=states,
        round=round_,
        tables=tuple(queries.pairings_by_table(round_).exclude(match=None)) if round_ else (),
        jobs=tuple(queries.jobs_to_show(tournament)),
        target=_target(tournament, states, round_),
        changed=(len(gone), len(arrived)),
        results_changed=draft is not None and queries.results_changed_since_draft(draft),
        cut=_cut(tournament),
        is_played_out=queries.is_played_out(queries.current_stage(tournament)),
    )


def _cut(tournament: Tournament) -> elimination.Cut | None:
    stage = queries.cut_of_event(tournament)
    return elimination.cut_of(stage) if stage is not None else None


def _target(tournament: Tournament, states: dict[str, int], round_: Round | None) -> int:
    """How many rounds; before round 1 those who are still to come count as well."""
    if round_ is not None:
        return queries.round_target(tournament)
    expected = sum(states.values()) - states[RegistrationState.DROPPED]
    return queries.expected_rounds(tournament, expected)


def next_step(now: Situation) -> Step:
    """The next thing to do. What waits for a person comes before what only takes time."""
    if now.tournament.is_finished:
        return Step(StepKind.FINISHED, "The event is finished", "Its standings are final.")
    if now.pairing_job is not None and (now.round is None or now.round.is_closed):
        return _step_of_job(now.pairing_job, now.next_number)
    if now.cut is not None and (now.round is None or now.round.is_closed):
        return cut_steps.between_cut_rounds(now.cut, now.next_number)
    if now.round is None:
        return _before_round_one(now)
    if now.round.state == RoundState.CLOSED:
        return _after_a_round(now)
    if now.round.state == RoundState.DRAFT:
        return _draft(now, now.round)
    return _playing(now, now.round)


def _step_of_job(job: Job, number: int) -> Step:
    if job.has_failed:
        return Step(
            StepKind.RETRY,
            f"Round {number} could not be paired",
            job.error,
            number,
            job=job,
        )
    return Step(
        StepKind.PAIRING,
        f"Round {number} is being paired",
        "This page shows the draft as soon as it is there.",
        number,
        job=job,
    )


def _before_round_one(now: Situation) -> Step:
    if now.players < 2:
        return Step(
            StepKind.ADD_PLAYERS,
            "Add the players",
            "Type or paste their names, upload a list, or let them join with the code.",
        )
    pair = Step(StepKind.PAIR, "Pair round 1", _field_of(now), 1)
    if not now.waiting:
        return pair
    return Step(
        StepKind.CHECK_IN,
        f"Check in the players: {now.checked_in} of {now.checked_in + now.waiting} are here",
        "Only players who are checked in are paired.",
        1,
        other=pair if now.checked_in >= 2 else None,
    )


def _field_of(now: Situation) -> str:
    how_many = "as planned" if now.tournament.planned_rounds else "suggested for this field"
    return f"{_players(now.checked_in)} checked in. {_rounds(now.target)} {how_many}."


def _after_a_round(now: Situation) -> Step:
    assert now.round is not None
    number = now.round.number
    finish = Step(
        StepKind.FINISH,
        "Finish the event",
        f"Round {number} of {now.target} is closed. The standings become final.",
    )
    if now.checked_in < 2:
        return finish
    late = f" {_players(now.waiting)} on the roster not checked in." if now.waiting else ""
    pair = Step(
        StepKind.PAIR,
        f"Pair round {number + 1}",
        f"Round {number} of {now.target} is closed. {_players(now.checked_in)} checked in.{late}",
        number + 1,
    )
    if number >= now.target:
        cut = Step(StepKind.MAKE_CUT, "Make the cut", other=None if now.is_played_out else pair)
        return Step(finish.kind, finish.title, finish.text, other=cut)
    return Step(pair.kind, pair.title, pair.text, pair.round_number, other=finish)


def _draft(now: Situation, round_: Round) -> Step:
    gone, arrived = now.changed
    text = "Nobody sees it yet. Swap seats if you must, then publish."
    if now.cut is not None:
        text = "Nobody sees it yet. The bracket says who meets. Look, then publish."
    if now.results_changed:
        text = "A result was changed since it was made. Pair the round again."
    elif not now.tables and not gone:
        text = "Nobody is seated yet. Choose who meets, then publish."
    elif gone or arrived:
        text = f"Since it was made, {gone} left and {arrived} came. Look before you publish."
    return Step(StepKind.DRAFT, f"Look at the draft of round {round_.number}", text, round_.number)


def _playing(now: Situation, round_: Round) -> Step:
    if now.disputes:
        title = f"Decide {_tables(len(now.disputes))} in dispute"
        text = "The two players tell different results."
        return Step(StepKind.DECIDE, title, text, round_.number, now.disputes)
    if not now.open_tables and now.level_tables:
        return cut_steps.say_who_goes_on(now.level_tables)
    if not now.open_tables:
        count = len(now.tables)
        text = f"All {count} tables are settled." if count > 1 else "Its one table is settled."
        return Step(StepKind.CLOSE, f"Close round {round_.number}", text, round_.number)
    if round_.state == RoundState.PUBLISHED:
        return _start(now, round_)
    return _chase(now, round_)


def _start(now: Situation, round_: Round) -> Step:
    return Step(
        StepKind.START,
        f"Start the clock of round {round_.number}",
        f"The pairings are public. {now.tournament.round_minutes} minutes a round.",
        round_.number,
        other=_chase(now, round_),
    )


def _chase(now: Situation, round_: Round) -> Step:
    return Step(
        StepKind.RESULTS,
        f"{_tables(len(now.open_tables)).capitalize()} without a result",
        "Players report on their phones; what they do not, you enter.",
        round_.number,
        now.open_tables,
    )


def _players(count: int) -> str:
    return _counted(count, "player")


def _rounds(count: int) -> str:
    return _counted(count, "round")


def _tables(count: int) -> str:
    return _counted(count, "table")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def failed_jobs(now: Situation) -> list[Job]:
    """Jobs to try again, apart from the one the big step shows."""
    shown = now.pairing_job
    return [job for job in now.jobs if job.has_failed and job != shown]


def live_jobs(now: Situation) -> list[Job]:
    """Jobs a worker has or will have."""
    return [job for job in now.jobs if job.is_live]
