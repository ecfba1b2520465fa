"""Tasks take the id of a job and call one function; core.jobs keeps the outcome.

Tasks with `aside` (work at another site, long computing) or `is_slow` go to the slow queue.
"""

from contextlib import suppress
from functools import partial

from core import jobs
from core.celery import app
from core.rate_limits import Busy, one_at_a_time
from players import incidents
from tournaments.clinch import services as clinch_services
from tournaments.decklists.deck_verdicts import judge_decks as judge_decks_of
from tournaments.desk import timers
from tournaments.event import services as event_services
from tournaments.event.snapshots import PAUSE, snapshot_standings
from tournaments.integrations import news_jobs
from tournaments.integrations.services import uploads, webhooks
from tournaments.interchange.services import importing
from tournaments.models import Job, SiteJob
from tournaments.operations import services as operation_services
from tournaments.privacy import timers as privacy_timers
from tournaments.ratings import services as rating_services
from tournaments.rounds.drafts.making import draft_round
from tournaments.statistics import services as statistics_services


@app.task
def pair_round(job_id: int) -> None:
    """Make the draft of the next round."""
    jobs.run(Job, job_id, draft_round)


@app.task
def recompute_standings(job_id: int) -> None:
    """Store the standings again after a change: of a large event with a transaction a round."""
    is_long = Job.objects.filter(pk=job_id, payload__is_long=True).exists()
    if is_long:
        jobs.run_in_turn(Job, job_id, partial(snapshot_standings, pause=PAUSE))
    else:
        jobs.run(Job, job_id, snapshot_standings)


@app.task(aside=True)
def recompute_ratings(job_id: int) -> None:
    """Compute the ratings of a game anew after a change that counts."""
    jobs.run_aside(Job, job_id, rating_services.recompute)


@app.task(is_slow=True)
def judge_decks(job_id: int) -> None:
    """Judge all deck lists of an event by the rules and card data of now."""
    jobs.run(Job, job_id, judge_decks_of)


@app.task(aside=True)
def notify(job_id: int) -> None:
    """Tell the channel of an event what everybody may read."""
    jobs.run_aside(Job, job_id, news_jobs.send_to_channel)


@app.task(aside=True)
def mail(job_id: int) -> None:
    """Mail the tables of a round to those who asked for it."""
    jobs.run_aside(Job, job_id, news_jobs.mail_tables)


@app.task(aside=True)
def push(job_id: int) -> None:
    """Tell the phones of a round that asked for it where their players sit."""
    jobs.run_aside(Job, job_id, news_jobs.send_to_phones)


@app.task(aside=True, name="tournaments.tasks.tell_program")
def send_webhook(job_id: int) -> None:
    """Send a webhook what waits for it."""
    jobs.run_aside(Job, job_id, webhooks.deliver)


@app.task(aside=True)
def upload(job_id: int) -> None:
    """Upload the results of an event to AlwaysBeRunning."""
    jobs.run_aside(Job, job_id, uploads.upload_results)


@app.task(aside=True)
def back_up(job_id: int) -> None:
    """Make the backup that a change of an event requested."""
    jobs.run_aside(Job, job_id, operation_services.make_requested)


@app.task(aside=True)
def copy_backup(job_id: int) -> None:
    """Run the operator's command on a new backup."""
    jobs.run_aside(SiteJob, job_id, operation_services.copy_off_site)


@app.task(aside=True)
def outlook(job_id: int) -> None:
    """Work out what players need in the last round: nothing waits for it."""
    jobs.run_aside(Job, job_id, clinch_services.work_out)


@app.task(aside=True)
def forecast(job_id: int) -> None:
    """Play out the rounds left, to say how often each player comes in: nothing waits for it."""
    jobs.run_aside(Job, job_id, clinch_services.play_out)


@app.task
def sweep_jobs() -> None:
    """Queue again the jobs nobody works on: the broker was down, or a worker died."""
    event_services.sweep()


@app.task(is_slow=True)
def back_up_when_due() -> None:
    """Make a backup when the newest is too old; try a failed off-site copy again."""
    operation_services.retry_copy()
    operation_services.make_by_timer()


@app.task
def carry_out_due() -> None:
    """Do what the time of day has brought: reports nobody answers, players who did not come."""
    timers.carry_out()


@app.task(is_slow=True)
def count_statistics() -> None:
    """Count finished events that are new or changed, a few at a time, and add up the counts."""
    # While another turn is at work there is nothing to do: the timer comes again in a minute.
    with suppress(Busy), one_at_a_time("count of statistics", 600):
        statistics_services.count_finished()
        statistics_services.store_sums()


@app.task(is_slow=True)
def forget_absent() -> None:
    """Erase people whom nobody has seen for as long as the site keeps them; and what is over."""
    privacy_timers.forget_answers()
    privacy_timers.forget_sessions()
    privacy_timers.delete_old_jobs()
    privacy_timers.delete_old_deliveries()
    incidents.delete_old()
    privacy_timers.forget_absent()
    importing.remove_abandoned()
