"""Workers killed in each job handler at three points: the next worker does the job once.

The handlers that draft rounds and compute standings are killed in test_before_or_after.py. An
interrupted upload is never sent twice (tests/tournaments/integrations/test_uploads.py).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core import jobs
from core.http import Policy
from tests.core.tls_site import HOST, Site, replies, tls_site
from tests.crashes.children import death_at, in_child
from tests.crashes.databases import copy_of_the_database, state_of, use_database
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    player_number,
)
from tests.factories.webhooks import add_webhook
from tests.moments import in_jobs
from tournaments.event.services import request_ratings
from tournaments.integrations import announcements, webhooks
from tournaments.models import Job, JobKind, Tournament, WebhookEvent
from tournaments.rounds import services as rounds_services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(34)]

MOMENTS = ("leased", "worked", "left")
SILENT = (JobKind.JUDGE_DECKS, JobKind.RECOMPUTE_RATINGS)
KINDS = (JobKind.NOTIFY, JobKind.MAIL, JobKind.WEBHOOK, *SILENT)
SWEPT_WITHIN = timedelta(seconds=15)


@pytest.fixture
def event(monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A published round with news for a channel, an email and a program, and decks to check.

    No worker listens to the queue, so every job stays queued.
    """
    event = make_event(players=2)
    ada = player_number(event, 1)
    ada.player.user = make_user(email="ada@example.org")
    ada.player.save()
    announcements.change_announcements(
        event,
        owner_of(event),
        webhook=f"https://{HOST}/api/webhooks/1/secret",
        tells_pairings=True,
        tells_standings=False,
        allows_mail=True,
        allows_push=False,
    )
    announcements.set_mail_wish(ada, wanted=True)
    draft = draft_round(event)
    monkeypatch.setattr(settings, "CELERY_TASK_ALWAYS_EAGER", False)
    monkeypatch.setitem(current_app.conf.changes, "task_always_eager", False)
    monkeypatch.setitem(current_app.conf.changes, "broker_url", "memory://")
    Job.objects.create(tournament=event, kind=JobKind.JUDGE_DECKS, key="decks")
    with transaction.atomic():
        request_ratings(event)
    add_webhook(fresh(event), WebhookEvent.ROUND_PUBLISHED)
    rounds_services.publish_round(draft, owner_of(event))
    return fresh(event)


def test_next_worker_does_the_job_of_a_dead_worker_once(
    event: Tournament, tmp_path: Path, figure: Callable[[str], None]
):
    for kind in KINDS:
        for moment in MOMENTS:
            with external_services(tmp_path / f"{kind}-{moment}") as services:
                state, count = recover_from_death(
                    event.jobs.get(kind=kind), moment, services, tmp_path
                )
            assert state == "done", (kind, moment)
            assert count == (0 if kind in SILENT else 1), (kind, moment)
    figure(f"{len(KINDS)} handlers killed at {len(MOMENTS)} points: each sent once")


def recover_from_death(
    job: Job, moment: str, services: "ExternalServices", folder: Path
) -> tuple[str, int]:
    """Kill a worker and run the sweeper; return the state of the job and the messages sent."""
    with copy_of_the_database(folder) as name:
        death = f"{job.kind}:{moment}"
        assert in_child(lambda: services.work(name, job, death)).was_killed, death
        in_child(lambda: services.sweep(name, job))
        rows = {row["id"]: row["state"] for row in state_of(name)["tournaments_job"]}
        return rows[str(job.pk)], services.sent()


class ExternalServices:
    """External services: an HTTPS site for channels and programs, and a folder for emails."""

    def __init__(self, folder: Path, site: Site) -> None:
        self.folder, self.site = folder, site

    def work(self, name: str, job: Job, death: str = "") -> None:
        """Run the job in this child process."""
        use_database(name)
        policy: Policy = self.site.policy()
        announcements.CHANNEL_POLICY = webhooks.RECEIVER_POLICY = policy
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        settings.EMAIL_FILE_PATH = str(self.folder)
        with in_jobs(death_at(death)):
            jobs.task_of(job)(job.pk)

    def sweep(self, name: str, job: Job) -> None:
        """Run the job again if the sweeper finds it after its lease has expired."""
        use_database(name)
        with time_machine.travel(timezone.now() + jobs.LEASE + SWEPT_WITHIN):
            if jobs.waiting_jobs(Job).filter(pk=job.pk).exists():
                self.work(name, job)

    def sent(self) -> int:
        """Number of messages and emails received."""
        mails = [file.read_text().count("Subject:") for file in self.folder.glob("*.log")]
        return len(self.site.requests) + sum(mails)


@contextmanager
def external_services(folder: Path) -> Iterator[ExternalServices]:
    """External services that have received nothing yet."""
    folder.mkdir()
    with tls_site(folder, replies("204 No Content")) as site:
        yield ExternalServices(folder, site)
