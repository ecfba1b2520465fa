"""Celery tasks: each takes a job id and runs one function; core.jobs stores the outcome.

Tasks with `aside` (requests to other sites, long computation) or `is_slow` use the slow queue.
"""

from contextlib import suppress
from functools import partial

from core import jobs
from core.celery import app
from core.rate_limits import Busy, exclusive_work
from players import incidents
from tournaments.decklists.services import run_judging_job as judge_decks_of
from tournaments.desk import timers
from tournaments.event import services as event_services
from tournaments.event.snapshots import PAUSE_SECONDS, snapshot_standings
from tournaments.files import services as files_services
from tournaments.integrations import announcements, uploads, webhooks
from tournaments.models import Job, SiteJob
from tournaments.ops import services as operation_services
from tournaments.outlook import services as outlook_services
from tournaments.privacy import services as privacy_services
from tournaments.ratings import services as rating_services
from tournaments.rounds.drafting import draft_round
from tournaments.statistics import services as statistics_services


@app.task
def pair_round(job_id: int) -> None:
    jobs.run(Job, job_id, draft_round)


@app.task
def recompute_standings(job_id: int) -> None:
    """Store the standings again; of a large event with one transaction per round."""
    is_long = Job.objects.filter(pk=job_id, payload__is_long=True).exists()
    if is_long:
        jobs.run_in_turn(Job, job_id, partial(snapshot_standings, pause=PAUSE_SECONDS))
    else:
        jobs.run(Job, job_id, snapshot_standings)


@app.task(aside=True)
def recompute_ratings(job_id: int) -> None:
    jobs.run_aside(Job, job_id, rating_services.run_rating_job)


@app.task(is_slow=True)
def judge_decks(job_id: int) -> None:
    """Check all decks of an event again with the current rules and card data."""
    jobs.run(Job, job_id, judge_decks_of)


@app.task(aside=True)
def notify(job_id: int) -> None:
    """Post public news to the event's chat channel."""
    jobs.run_aside(Job, job_id, announcements.send_to_channel)


@app.task(aside=True)
def mail(job_id: int) -> None:
    """Email the tables of a round to players who requested it."""
    jobs.run_aside(Job, job_id, announcements.mail_tables)


@app.task(aside=True)
def push(job_id: int) -> None:
    """Send push messages with the tables of a round to players who requested them."""
    jobs.run_aside(Job, job_id, announcements.send_to_phones)


@app.task(aside=True, name="tournaments.tasks.tell_program")
def send_webhook(job_id: int) -> None:
    jobs.run_aside(Job, job_id, webhooks.deliver_messages)


@app.task(aside=True)
def upload(job_id: int) -> None:
    jobs.run_aside(Job, job_id, uploads.upload_results)


@app.task(aside=True)
def back_up(job_id: int) -> None:
    """Make the backup requested by a change of an event."""
    jobs.run_aside(Job, job_id, operation_services.make_requested_backup)


@app.task(aside=True)
def copy_backup(job_id: int) -> None:
    """Run the operator's off-site copy command for a new backup."""
    jobs.run_aside(SiteJob, job_id, operation_services.copy_backup_off_site)


@app.task(aside=True)
def outlook(job_id: int) -> None:
    """Compute clinch scenarios for the last round. No other job depends on it."""
    jobs.run_aside(Job, job_id, outlook_services.compute_outlook)


@app.task(aside=True)
def forecast(job_id: int) -> None:
    """Simulate the remaining rounds to estimate each player's chance of making the cut."""
    jobs.run_aside(Job, job_id, outlook_services.compute_forecast)


@app.task
def sweep_jobs() -> None:
    """Queue stalled jobs again, after a broker failure or a dead worker."""
    event_services.enqueue_stalled_jobs()


@app.task(is_slow=True)
def back_up_when_due() -> None:
    """Make a backup if the newest is too old; retry a failed off-site copy."""
    operation_services.retry_failed_copy()
    operation_services.make_backup_by_timer()


@app.task
def carry_out_due() -> None:
    """Apply expired deadlines, such as unanswered reports and no-shows."""
    timers.apply_due_changes()


@app.task(is_slow=True)
def count_statistics() -> None:
    """Count a few new or changed finished events, and add up the counts."""
    # Skip if a previous run is still busy: the timer repeats every minute.
    with suppress(Busy), exclusive_work("count of statistics", 600):
        statistics_services.count_finished_events()
        statistics_services.store_sums()


@app.task(is_slow=True)
def forget_absent() -> None:
    """Delete people past the site's retention period, and other expired data."""
    privacy_services.delete_expired_answers()
    privacy_services.delete_expired_sessions()
    privacy_services.delete_old_jobs()
    privacy_services.delete_old_deliveries()
    incidents.delete_old_counts()
    privacy_services.erase_inactive_people()
    files_services.remove_abandoned_imports()
