"""Rounds: asked for, drafted, looked at, published, started, closed."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.errors import Refusal
from core.pause_points import pause_point
from engine.clock import reopened
from engine.pairing.round_robin import RoundRobinOver
from tournaments.event import attendance, history, penalising, queries
from tournaments.event import services as event_services
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings
from tournaments.models import (
    Absence,
    Job,
    JobKind,
    LogAction,
    LogEntry,
    Round,
    RoundState,
    Tournament,
)
from tournaments.operations import services as backups
from tournaments.rounds import drafts, elimination, kept_clocks
from tournaments.rounds.drafts import RoundStillOpen
from tournaments.rounds.services import draft_guards, late_entries

MINIMUM_PLAYERS = 2
CLOCK_FIELDS = ("started_at", "paused_at", "paused_seconds")


class NotEnoughPlayers(Refusal):
    """A round needs two players who are checked in."""


class NotADraft(Refusal):
    """Published pairings stay: players have seen them."""


class WrongState(Refusal):
    """The round is not where this step begins."""


class ResultsAreIn(Refusal):
    """Players have told results, so the round cannot be a draft again."""


class ResultsMissing(Refusal):
    """Tables without a settled result keep a round open."""


@transaction.atomic
def request_pairing(
    tournament: Tournament, number: int, actor: Actor, *, force_reason: str = ""
) -> Job:
    """Ask for the draft of round `number`. Asked again, it answers the same job.

    With `force_reason` the round before is closed first although tables of it have no result:
    they count nowhere until it comes, but their players have met.

    Raises NotEnoughPlayers, RoundStillOpen, in a cut NoGameToPlay, after a round robin
    RoundRobinOver. What goes wrong later, in the work itself, stands on the job.
    """
    locked = history.lock_unfinished(tournament)
    pause_point("ask:locked")
    job = queries.pairing_job(locked, number)
    exists = queries.rounds(locked).filter(number=number).exists()
    if job is not None and (exists or (job.is_live and not job.payload.get("again"))):
        # Queued again in case the first message was lost; only one worker can have the job.
        jobs.enqueue(job)
        return job
    if force_reason:
        _close_by_force(locked, number, actor, force_reason)
    drafts.refuse_open_round(locked, number)
    _refuse_field(locked)
    job = fresh_job(locked, actor, job, number)
    subject = f"round {number}"
    history.record(locked, actor, LogAction.PAIRING_ASKED_FOR, subject)
    pause_point("ask:recorded")
    jobs.enqueue(job)
    return job


def _refuse_field(tournament: Tournament) -> None:
    stage = queries.current_stage(tournament)
    if len(queries.players_of(stage)) < MINIMUM_PLAYERS:
        raise NotEnoughPlayers("A round needs two players. Check players in first.")
    if stage.way.is_elimination:
        elimination.games_to_play(stage)
    if queries.is_played_out(stage):
        raise RoundRobinOver("Everybody has met everybody. Make a cut, or finish the event.")


def fresh_job(
    tournament: Tournament, actor: Actor, old: Job | None, number: int, again: int | None = None
) -> Job:
    """The job of this round, new or once more; `again` is the round whose rest is paired anew."""
    asked = {"again": again, **drafts.asked_by(actor)}
    if old is None:
        return Job.objects.create(
            tournament=tournament,
            kind=JobKind.PAIR_ROUND,
            key=queries.pairing_key(tournament, number),
            payload={"number": number, "attempt": 0, **asked},
        )
    if not old.has_failed:
        # There was a draft before: another try draws other lots.
        old.payload["attempt"] += 1
    old.payload |= asked
    jobs.requeue(old)
    return old


def _close_by_force(tournament: Tournament, number: int, actor: Actor, reason: str) -> None:
    latest = queries.latest_round(tournament)
    if latest is None or latest.number != number - 1 or latest.is_draft or latest.is_closed:
        return
    if latest.stage.way.is_elimination:
        raise ResultsMissing("A round of a cut needs every result: the bracket asks who goes on.")
    waiting = [str(pairing) for pairing in queries.open_tables(latest)]
    _close(
        tournament,
        latest,
        actor,
        LogAction.ROUND_CLOSED_BY_FORCE,
        reason,
        {"without_result": waiting},
    )


@transaction.atomic
def retry_job(job: Job, actor: Actor) -> None:
    """Staff try a failed job again."""
    tournament = history.lock(job.tournament)
    job = Job.objects.get(pk=job.pk)
    if not job.has_failed:
        return
    if job.kind == JobKind.PAIR_ROUND:
        job.payload |= drafts.asked_by(actor)
    jobs.requeue(job)
    subject = job.get_kind_label()
    history.record(tournament, actor, LogAction.JOB_TRIED_AGAIN, subject)
    jobs.enqueue(job)


@transaction.atomic
def publish(
    round_: Round,
    actor: Actor,
    *,
    leave_out_latecomers: bool = False,
    again: LogEntry | None = None,
    seen: int | None = None,
) -> None:
    """Everybody sees the pairings. Published twice, nothing changes.

    With round 1 registration closes, and who is absent is out where the event wants it so. `seen`
    is `queries.newest_draft_change` when the page was made. `again` is the entry of taking the
    round back, which this takes back: registration was closed by the first time, and who came or
    left while it was public does not hold it up.

    Raises NotADraft, DraftHasChanged when somebody changed the draft since it was seen, and
    DraftIsOld when an earlier result was changed or players came or went since it was made;
    those who came may be left out until the next round.
    """
    tournament, round_ = lock_round(round_)
    pause_point("publish:locked")
    if not round_.is_draft:
        return
    draft_guards.refuse_unseen(tournament, seen)
    draft_guards.refuse_old(round_, leave_out_latecomers=leave_out_latecomers, again=again)
    round_.state, round_.published_at = RoundState.PUBLISHED, timezone.now()
    round_.save(update_fields=["state", "published_at"])
    pause_point("publish:saved")
    after = {"pairings": queries.logged_pairings(round_)}
    history.record(tournament, actor, LogAction.ROUND_PUBLISHED, round_, after=after)
    pause_point("publish:recorded")
    if round_.number == 1 and tournament.registration_is_open and again is None:
        _close_registration(tournament, actor)
    attendance.drop_absent(round_)
    penalising.take_effect(round_, actor)
    event_services.round_published(round_)
    pause_point("publish:done")


def _close_registration(tournament: Tournament, actor: Actor) -> None:
    """From round 1 on the staff let people in, or open registration again by hand."""
    tournament.registration_is_open = False
    tournament.save(update_fields=["registration_is_open"])
    history.record(
        tournament, actor, LogAction.REGISTRATION_CLOSED, reason="Round 1 was published."
    )


@transaction.atomic
def unpublish(round_: Round, actor: Actor, reason: str) -> None:
    """Take back `publish`: the round is a draft again. Refused once a result has come in.

    Its clock is forgotten but for the log, the time that was given and who was missed: who sits
    where may be another thing when it is published again. For the same reason penalties on its
    results wait for it.
    """
    tournament, round_ = lock_round(round_)
    history.lock_unfinished(tournament)
    if round_.is_draft:
        return
    if round_.is_closed:
        raise WrongState("This round is closed; open it again first.")
    lifted = penalising.lift(round_)
    reported = [one for one in queries.pairings_by_table(round_) if queries.is_reported(one)]
    if reported:
        raise ResultsAreIn(
            f"A result has come in at {reported[0]}, so the round stays public. You can pair the "
            "other tables anew."
        )
    # Only a round that was opened again by an older release still has such rows.
    late_entries.forget_missed_round(round_)
    before = {
        "clock": kept_clocks.kept(round_),
        "moved": draft_guards.moved_since_draft(round_),
    }
    round_.state, round_.published_at = RoundState.DRAFT, None
    round_.started_at = round_.paused_at = None
    round_.paused_seconds = round_.extra_minutes = 0
    round_.save(update_fields=["state", "published_at", *CLOCK_FIELDS, "extra_minutes"])
    round_.pairings.update(extra_minutes=0)
    Absence.objects.filter(pairing__round=round_).delete()
    history.record(
        tournament, actor, LogAction.ROUND_TAKEN_BACK, round_, before=before, reason=reason
    )
    penalising.log_waiting(tournament, actor, lifted)


@transaction.atomic
def start(round_: Round, actor: Actor) -> None:
    """The clock runs. Started twice, it keeps its first start."""
    tournament, round_ = lock_round(round_)
    if round_.state == RoundState.RUNNING:
        return
    if round_.state != RoundState.PUBLISHED:
        raise WrongState("Publish the round before you start its clock.")
    round_.state, round_.started_at = RoundState.RUNNING, timezone.now()
    round_.save(update_fields=["state", "started_at"])
    history.record(tournament, actor, LogAction.ROUND_STARTED, round_)


@transaction.atomic
def close(round_: Round, actor: Actor) -> None:
    """Fix the results, so that the next round can be paired. Closed twice, nothing changes."""
    tournament, round_ = lock_round(round_)
    pause_point("close:locked")
    if round_.is_closed:
        return
    if round_.is_draft:
        raise WrongState("Publish this draft, or throw it away.")
    if waiting := queries.open_matches(round_).count():
        raise ResultsMissing(f"Tables without a settled result: {waiting}.")
    if level := elimination.tables_without_a_word(round_):
        raise ResultsMissing(f"Say who goes on at {level[0]}: the match ended level.")
    _close(tournament, round_, actor, LogAction.ROUND_CLOSED)


def _close(
    tournament: Tournament,
    round_: Round,
    actor: Actor,
    action: LogAction,
    reason: str = "",
    after: dict[str, Any] | None = None,
) -> None:
    round_.state, round_.closed_at = RoundState.CLOSED, timezone.now()
    round_.save(update_fields=["state", "closed_at"])
    pause_point("close:saved")
    history.record(tournament, actor, action, round_, reason=reason, after=after)
    pause_point("close:recorded")
    late_entries.credit_missed_round(round_)
    request_standings(tournament, round_.number)
    backups.after_round(round_)
    pause_point("close:done")


@transaction.atomic
def reopen(round_: Round, actor: Actor, reason: str) -> None:
    """Take back `close` of the last round, while no later one is drafted and no cut is made.

    The time it was closed counts as a pause of its clock. What the round brought to those who
    came too late for it is gone until it is closed again; the log keeps who they were.
    """
    tournament, round_ = lock_round(round_)
    history.lock_unfinished(tournament)
    if not round_.is_closed:
        return
    if queries.rounds(tournament).filter(number__gt=round_.number).exists():
        raise RoundStillOpen("A later round exists. Change the results of this one instead.")
    if queries.current_stage(tournament) != round_.stage:
        raise RoundStillOpen("A cut is made from this round. Undo the cut first.")
    clock = reopened(queries.clock_of(round_), timezone.now())
    round_.state = RoundState.RUNNING if round_.started_at else RoundState.PUBLISHED
    round_.closed_at, round_.paused_seconds = None, clock.paused_seconds
    round_.save(update_fields=["state", "closed_at", "paused_seconds"])
    missed = late_entries.forget_missed_round(round_)
    before = {"late_entries": missed} if missed else None
    history.record(
        tournament, actor, LogAction.ROUND_REOPENED, round_, before=before, reason=reason
    )


def lock_round(round_: Round) -> tuple[Tournament, Round]:
    """Tournament first, then the round: one lock order everywhere."""
    tournament = history.lock(round_.stage.tournament)
    rows = Round.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    locked = rows.filter(pk=round_.pk).first()
    if locked is None:
        raise NotADraft("Somebody has thrown this draft away. Pair the round again.")
    return tournament, locked


def refuse_unless_draft(round_: Round) -> None:
    if not round_.is_draft:
        raise NotADraft("This round is published; players have seen their tables.")
