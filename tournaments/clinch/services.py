"""Compute clinch scenarios and forecasts in background jobs and store them with the round.

The last round of a large event takes one or two seconds, a forecast up to a minute. No request
waits for them: a periodic task checks every few seconds for changes and queues a job.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from time import monotonic
from typing import Any

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.jobs import JobState
from core.pause_points import pause_point
from engine.clinch import Verdict
from engine.forecast import Course, forecast, runs_for
from tournaments.clinch import queries
from tournaments.clinch.field import course_of, kept, question_of
from tournaments.event import history
from tournaments.event import queries as event_queries
from tournaments.models import (
    Forecast,
    Job,
    JobKind,
    Outlook,
    Registration,
    Round,
    Tournament,
)


def keep_outlook(tournament: Tournament) -> None:
    """Queue a job if the stored answers are older than the results; called by a periodic task.

    Queues nothing while standings are recomputed, because each stored table would outdate the
    answer.
    """
    if not tournament.shows_needs or event_queries.why_standings_wait(tournament):
        return
    round_ = queries.last_round(tournament)
    if round_ is None:
        _keep_forecast(tournament)
        return
    newest = Outlook.objects.filter(round=round_).values_list("version", flat=True).first()
    if newest is None or newest < tournament.version:
        _ask(tournament, JobKind.OUTLOOK, round_)


def _keep_forecast(tournament: Tournament) -> None:
    """Queue a forecast once for each state of the closed rounds."""
    round_ = queries.round_to_play_on_from(tournament)
    if round_ is not None and not _is_kept(round_, queries.mark_of(tournament, round_)):
        _ask(tournament, JobKind.FORECAST, round_)


def _is_kept(round_: Round, mark: str) -> bool:
    return Forecast.objects.filter(round=round_, digest=mark).exists()


@transaction.atomic
def _ask(tournament: Tournament, kind: JobKind, round_: Round) -> None:
    """Queue the job of this round. Reuse a finished job; leave a failed job to the staff."""
    job, is_new = Job.objects.select_for_update().get_or_create(
        key=f"{kind}:{tournament.pk}:{round_.pk}",
        defaults={"tournament": tournament, "kind": kind, "payload": {}},
    )
    if not is_new:
        if job.state != JobState.DONE:
            return
        job.payload = {}
        jobs.requeue(job)
    jobs.enqueue(job)


def work_out(job: Job) -> None:
    """Compute and store the scenarios of all players. Holds no lock while computing."""
    tournament = Tournament.objects.get(pk=job.tournament_id)
    round_ = queries.last_round(tournament)
    if round_ is None or not tournament.shows_needs:
        return
    question = question_of(tournament, round_)
    before = Outlook.objects.filter(round=round_).first()
    if before is not None and before.digest == question.digest:
        Outlook.objects.filter(pk=before.pk).update(version=tournament.version)
        return
    from engine.clinch.answering import needs  # scipy is slow to load

    jobs.keep(job)
    answers = needs(question.last)
    pause_point("outlook:answered")
    jobs.keep(job)
    verdicts = Counter(one.verdict for one in answers)
    new = {
        "digest": question.digest,
        "places": question.last.places,
        "open_tables": len(question.last.tables),
        "players_in": verdicts[Verdict.IN],
        "players_out": verdicts[Verdict.OUT],
        "needs": kept(question.last, answers),
    }
    _keep(tournament, round_, new)


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[int]:
    return [int(one) for one in {*before, *now} if before.get(one) != now.get(one)]


@transaction.atomic
def _keep(tournament: Tournament, round_: Round, new: dict[str, Any]) -> None:
    """Store the answers and invalidate the pages that show them.

    The own pages of players whose answer is unchanged stay valid.
    """
    locked = history.lock(tournament)
    before = Outlook.objects.filter(round=round_).first()
    history.move_version(locked, everybody=False)
    changed = _changed(before.needs if before else {}, new["needs"])
    places = Registration.objects.filter(tournament=locked, number__in=changed)
    history.move_own_pages(locked, list(places.values_list("player", flat=True)))
    # Our own version change must not outdate the new outlook; results reported since must.
    was_quiet = locked.version == tournament.version
    Outlook.objects.update_or_create(
        round=round_, defaults={**new, "version": tournament.version + was_quiet}
    )


# Seconds between two checks of the event during a forecast.
KEPT_EVERY = 5.0
# A forecast lets these jobs go first: people in the hall are waiting for them.
URGENT = JobKind.PAIR_ROUND, JobKind.RECOMPUTE_STANDINGS
PUT_OFF = timedelta(seconds=30)


class _Outdated(Exception):  # noqa: N818 - an answer, not an error
    """Raised when the event has changed since, or no longer shows scenarios."""


def play_out(job: Job) -> None:
    """Play out the rounds left and store how often each player reached the goal.

    Holds no lock and reports progress on the job. Stops early if the event has changed.
    """
    tournament = Tournament.objects.get(pk=job.tournament_id)
    round_ = queries.round_to_play_on_from(tournament)
    if round_ is None or not tournament.shows_needs:
        return
    mark = queries.mark_of(tournament, round_)
    course = course_of(tournament, round_)
    try:
        times_in = _times_in(job, round_, course, mark)
    except _Outdated:
        return
    _keep_times(tournament, round_, course, {"digest": mark, **times_in})


def _times_in(job: Job, round_: Round, course: Course, mark: str) -> dict[str, Any]:
    runs = runs_for(course)
    looked = monotonic()

    def after_run(done: int) -> None:
        nonlocal looked
        if monotonic() - looked < KEPT_EVERY:
            return
        job.payload = {"done": done, "runs": runs}
        jobs.keep(job)
        _check(job, round_, mark)
        looked = monotonic()

    answer = forecast(course, runs=runs, seed=job.tournament.seed, after_run=after_run)
    return {"runs": runs, "times_in": {str(one): hits for one, hits in answer.times_in.items()}}


def _check(job: Job, round_: Round, mark: str) -> None:
    """Raise _Outdated if the forecast is no longer needed, NotBefore if an urgent job is queued."""
    if Job.objects.filter(kind__in=URGENT, state=JobState.QUEUED).exists():
        raise jobs.NotBefore("A round waits to be paired.", timezone.now() + PUT_OFF)
    tournament = Tournament.objects.get(pk=job.tournament_id)
    now = queries.round_to_play_on_from(tournament) if tournament.shows_needs else None
    if now != round_ or queries.mark_of(tournament, round_) != mark:
        raise _Outdated


@transaction.atomic
def _keep_times(tournament: Tournament, round_: Round, course: Course, new: dict[str, Any]) -> None:
    """Store the forecast and invalidate all pages of the event."""
    locked = history.lock(tournament)
    if queries.mark_of(locked, round_) != new["digest"]:
        return
    Forecast.objects.update_or_create(
        round=round_, defaults={**new, "places": course.places, "rounds_left": course.rounds_left}
    )
    history.move_version(locked)
