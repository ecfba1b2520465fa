"""The operations page: problems with advice, and actions for failed jobs."""

from collections import namedtuple
from datetime import UTC, datetime, timedelta
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import processes
from core.backups import NAME_FORMAT, BackupRefused
from core.jobs import JobState
from players import incidents
from players.models import IncidentCount, IncidentKind, User
from tests.factories.tournaments import make_event, make_user, play_round, start_round
from tests.factories.webhooks import add_webhook
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeliveryState,
    Job,
    JobKind,
    LogAction,
    Tournament,
    Webhook,
    WebhookEvent,
)
from tournaments.ops import services

pytestmark = pytest.mark.django_db
PAGE = "/operations/"
Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def _site(settings, monkeypatch, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    settings.OPERATOR_CONTACT = "play@club.example"
    add_backup(timedelta(minutes=1))
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage(10**12, 0, 50 * 1024**3))


def add_backup(age: timedelta) -> None:
    from django.conf import settings

    folder = Path(settings.BACKUP_FOLDER)
    folder.mkdir(exist_ok=True)
    name = (timezone.now() - age).astimezone(UTC).strftime(NAME_FORMAT)
    (folder / f"{name}.sqlite3.gz").write_bytes(bytes(2048))


@pytest.fixture
def administrator() -> User:
    return make_user("root", is_superuser=True, is_staff=True)


@pytest.fixture
def browser(client: Client, administrator: User) -> Client:
    client.force_login(administrator)
    return client


def problems(browser: Client) -> list[tuple[str, bool]]:
    """Titles of the problems in order, and whether each is urgent."""
    shown: list[Any] = browser.get(PAGE).context["problems"]
    return [(problem.title, problem.is_urgent) for problem in shown]


def failed_job(event: Tournament, kind: JobKind, error: str = "No route to host.") -> Job:
    return Job.objects.create(
        tournament=event,
        kind=kind,
        key=f"{kind}:{event.pk}:1",
        state=JobState.FAILED,
        error=error,
        finished_at=timezone.now(),
        payload={"number": 1},
    )


class TestAccess:
    def test_stranger_is_redirected_to_the_login(self, client):
        answer = client.get(PAGE)

        assert answer["Location"] == f"/account/login/?next={PAGE}"

    def test_staff_who_are_not_superusers_are_refused(self, client):
        client.force_login(make_user(is_staff=True))

        assert client.get(PAGE).status_code == 403

    def test_administrator_without_second_factor_is_redirected_to_its_setup(
        self, browser, settings
    ):
        settings.ADMIN_NEEDS_SECOND_FACTOR = True

        answer = browser.get(PAGE, follow=True)

        assert answer.redirect_chain == [("/account/2fa/", 302)]
        assert "two-factor authentication to open the operations page" in answer.text

    def test_only_administrators_get_links_to_the_page(self, browser, administrator):
        event = make_event(players=2, owner=administrator)
        pages = ("/me/", f"/events/{event.slug}/desk/")
        for page in pages:
            assert f'href="{PAGE}"' in browser.get(page).text

        User.objects.filter(pk=administrator.pk).update(is_superuser=False)
        for page in pages:
            assert f'href="{PAGE}"' not in browser.get(page).text


class TestProblems:
    def test_healthy_site_has_no_problems(self, browser):
        assert problems(browser) == []
        assert "No problems found" in browser.get(PAGE).text

    def test_urgent_problems_are_first(self, browser, settings):
        failed_job(make_event(players=2), JobKind.NOTIFY)
        settings.CELERY_TASK_ALWAYS_EAGER = False
        cache.delete_many([f"heartbeat:{process}" for process in processes.PROCESSES])
        processes.record_heartbeat(processes.DEFAULT_QUEUE)
        processes.record_heartbeat(processes.SLOW_QUEUE)

        assert problems(browser) == [
            ("Beat is not running: nothing happens automatically", True),
            ("1 job failed", False),
        ]

    def test_without_a_cache_workers_are_not_called_silent(self, browser, settings):
        settings.CELERY_TASK_ALWAYS_EAGER = False
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}

        assert problems(browser) == [("The cache does not respond", True)]

    def test_event_whose_pairing_failed_is_urgent(self, browser):
        failed_job(make_event(players=4), JobKind.PAIR_ROUND)

        title = "1 event cannot continue: its pairing or standings failed"
        assert problems(browser) == [(title, True)]

    def test_late_backup_is_urgent(self, browser, settings, tmp_path):
        settings.BACKUP_FOLDER = str(tmp_path / "others")
        assert problems(browser) == [("No backup exists yet", True)]

        add_backup(timedelta(days=3))
        assert problems(browser) == [("The last backup is late", True)]

    def test_failed_backup_of_the_timer_is_shown_until_a_backup_succeeds(
        self, browser, monkeypatch
    ):
        def fail(*_: object) -> None:
            raise BackupRefused("pg_dump failed: server version mismatch")

        monkeypatch.setattr(services, "make_overdue_backup", fail)
        with pytest.raises(BackupRefused):
            tasks.back_up_when_due()
        assert problems(browser) == [("The last backup failed", False)]
        assert "server version mismatch" in browser.get(PAGE).text

        with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
            add_backup(timedelta(0))
            assert problems(browser) == []

    def test_full_database_does_not_hide_why_a_backup_failed(self, monkeypatch):
        def refuse(*_: object, **__: object) -> None:
            raise OperationalError("database or disk is full")

        def fail() -> None:
            raise OSError(ENOSPC, "No space left on device")

        monkeypatch.setattr(services, "make_overdue_backup", fail)
        monkeypatch.setattr(incidents, "record_incident", refuse)

        with pytest.raises(OSError, match="No space left on device"):
            tasks.back_up_when_due()

    def test_waiting_job_is_shown_with_its_minutes(self, browser):
        event = make_event(players=2)
        Job.objects.create(tournament=event, kind=JobKind.NOTIFY, key="notify:1")
        created_at = Job.objects.get().created_at

        with time_machine.travel(created_at + timedelta(seconds=90), tick=False):
            assert ("A job has been waiting for 1 minute", False) in problems(browser)

    def test_site_without_backups_is_a_problem(self, browser, settings):
        settings.BACKUP_FOLDER = ""

        assert problems(browser) == [("This site makes no backups", False)]

    def test_full_disk_names_its_folder(self, browser, monkeypatch, settings):
        settings.VAR_DIR = "/nowhere"
        free = {settings.BACKUP_FOLDER: 10 * 1024**2}
        monkeypatch.setattr(
            "shutil.disk_usage", lambda path: Usage(10**12, 0, free.get(str(path), 50 * 1024**3))
        )

        title = f"The disk is full: 10.0\N{NO-BREAK SPACE}MB free in {settings.BACKUP_FOLDER}"
        assert problems(browser) == [(title, True)]

    def test_refused_email_is_a_problem_for_a_day(self, browser):
        incidents.record_incident(IncidentKind.UNSENT_EMAIL, "password reset key", "TimeoutError")

        title = "The mail server did not accept 1 email in the past day"
        assert problems(browser) == [(title, False)]
        assert "TimeoutError" in browser.get(PAGE).text
        IncidentCount.objects.update(hour=timezone.now() - timedelta(hours=25))
        assert problems(browser) == []

    def test_many_refused_logins_are_a_problem(self, browser):
        incidents.record_incident(IncidentKind.WRONG_PASSWORD, "203.0.113.5")
        assert problems(browser) == []
        assert "203.0.113.5" in browser.get(PAGE).text

        IncidentCount.objects.update(count=101)
        title = "101 logins were refused since the start of the previous hour"
        assert problems(browser) == [(title, False)]

    def test_refused_logins_of_many_addresses_are_summed_by_the_database(self, browser):
        for number in range(20):
            incidents.record_incident(IncidentKind.WRONG_PASSWORD, f"203.0.113.{number}")
        day_before = timezone.now() - timedelta(hours=20)
        IncidentCount.objects.filter(subject__endswith=".0").update(hour=day_before, count=200)

        page = browser.get(PAGE)

        assert "219 rejected logins in the past day" in page.text
        assert "The newest 15 of 20 rows" in page.text
        assert len(page.context["shown_logins"]) == 15
        assert page.context["problems"] == []
        IncidentCount.objects.update(count=10)
        title = "190 logins were refused since the start of the previous hour"
        assert problems(browser) == [(title, False)]

    def test_webhook_that_fails_is_shown_with_its_error_for_a_week(self, browser):
        webhook = add_webhook(make_event(players=2))
        webhook.deliveries.create(
            event=WebhookEvent.TEST,
            payload={},
            state=DeliveryState.GIVEN_UP,
            last_error="The site answered 503.",
        )
        Webhook.objects.update(failures=4)

        assert problems(browser) == [("1 webhook is failing", False)]
        text = browser.get(PAGE).text
        assert "The site answered 503." in text
        assert "very-secret-path" not in text
        webhook.deliveries.update(made_at=timezone.now() - timedelta(days=8))
        assert problems(browser) == []

    def test_database_that_lacks_a_migration_is_urgent(self, browser, monkeypatch):
        monkeypatch.setattr(
            "tournaments.ops.pages.missing_migrations", lambda: ["tournaments.0999_next"]
        )

        assert problems(browser) == [("The database lacks 1 migration of this release", True)]


class TestJobs:
    def test_retried_job_runs_and_is_logged_in_its_event(self, browser, administrator):
        event = make_event(players=4)
        play_round(event)
        job = event.jobs.get(kind=JobKind.RECOMPUTE_STANDINGS)
        Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error="Broken.")

        answer = browser.post(f"{PAGE}jobs/{job.pk}/retry/", follow=True)

        assert "The job has been queued again." in answer.text
        entry = event.log.get(action=LogAction.JOB_TRIED_AGAIN)
        assert entry.user == administrator
        job.refresh_from_db()
        assert job.attempts < 2
        assert job.error == ""

    def test_all_failed_jobs_are_retried_except_pairings_of_finished_events(self, browser):
        event, finished = make_event(players=4), make_event(players=4)
        notify = failed_job(event, JobKind.NOTIFY)
        pairing = failed_job(finished, JobKind.PAIR_ROUND)
        Tournament.objects.filter(pk=finished.pk).update(finished_at=timezone.now())

        answer = browser.post(f"{PAGE}jobs/retry/", follow=True)

        assert "1 job has been queued again." in answer.text
        assert finished.name in answer.text
        notify.refresh_from_db()
        pairing.refresh_from_db()
        assert notify.error != "No route to host."
        assert pairing.state == JobState.FAILED

    def test_deletion_of_a_job_is_logged(self, browser, administrator):
        event = make_event(players=2)
        job = failed_job(event, JobKind.MAIL)

        browser.post(f"{PAGE}jobs/{job.pk}/delete/")

        assert not Job.objects.filter(pk=job.pk).exists()
        entry = event.log.get(action=LogAction.JOB_DELETED)
        assert (entry.user, entry.subject) == (administrator, "email the tables (round 1)")

    def test_job_that_an_event_depends_on_cannot_be_deleted(self, browser):
        job = failed_job(make_event(players=2), JobKind.RECOMPUTE_STANDINGS)
        assert f"{PAGE}jobs/{job.pk}/delete/" not in browser.get(PAGE).text

        answer = browser.post(f"{PAGE}jobs/{job.pk}/delete/", follow=True)

        assert "The event depends on this job" in answer.text
        assert Job.objects.filter(pk=job.pk).exists()

    def test_pairing_of_a_finished_event_can_be_deleted(self, browser):
        job = failed_job(make_event(players=2), JobKind.PAIR_ROUND)
        Tournament.objects.update(finished_at=timezone.now())

        browser.post(f"{PAGE}jobs/{job.pk}/delete/")

        assert not Job.objects.filter(pk=job.pk).exists()

    def test_job_that_runs_again_is_not_deleted(self, administrator):
        job = failed_job(make_event(players=2), JobKind.MAIL)
        Job.objects.update(state=JobState.RUNNING)

        event_services.delete_job(job, Actor(user=administrator))

        assert Job.objects.filter(pk=job.pk).exists()

    @pytest.mark.parametrize("service", [event_services.delete_job, event_services.retry_job])
    def test_job_deleted_at_the_same_moment_is_no_error(self, service, administrator):
        job = failed_job(make_event(players=2), JobKind.MAIL)
        Job.objects.all().delete()

        service(job, Actor(user=administrator))

        assert not Job.objects.exists()

    def test_unknown_job_is_a_404(self, browser):
        assert browser.post(f"{PAGE}jobs/1/delete/").status_code == 404

    def test_job_of_a_newer_release_does_not_break_the_page(self, browser):
        job = failed_job(make_event(players=2), JobKind.MAIL)
        Job.objects.filter(pk=job.pk).update(kind="of_next_year")

        assert problems(browser) == [("1 job failed", False)]


class TestState:
    def test_rounds_in_progress_show_open_tables(self, browser):
        event = make_event(players=5, name="Spring Run")
        start_round(event)

        round_ = browser.get(PAGE).context["page"].rounds[0]

        assert (round_.stage.tournament, round_.tables, round_.unsettled_tables) == (event, 2, 2)
        assert "2 of 2" in browser.get(PAGE).text

    def test_number_of_queries_does_not_depend_on_the_number_of_rows(self, browser):
        def queries() -> int:
            with CaptureQueriesContext(connection) as captured:
                assert browser.get(PAGE).status_code == 200
            return len(captured)

        def add_rows() -> None:
            event = make_event(players=4)
            start_round(event)
            failed_job(event, JobKind.MAIL)
            webhook = add_webhook(event)
            webhook.deliveries.create(
                event=WebhookEvent.TEST, payload={}, state=DeliveryState.GIVEN_UP
            )
            Webhook.objects.update(failures=4)
            for kind in IncidentKind:
                incidents.record_incident(kind, f"203.0.113.{event.pk}")

        add_rows()
        first = queries()
        for _ in range(3):
            add_rows()

        assert queries() == first <= 22

    def test_settings_of_the_operator_are_shown(self, browser, settings, tmp_path):
        settings.VAR_DIR = tmp_path
        settings.OPERATOR_NAME, settings.ORGANISERS = "Club <Nord>", "approved"

        text = browser.get(PAGE).text

        assert "Club &lt;Nord&gt;" in text
        assert "play@club.example" in text
        assert 'href="/.well-known/security.txt"' in text
        assert "0 accounts are approved." in text
        assert "Approve accounts" in text
        settings.OPERATOR_CONTACT, settings.ORGANISERS = "", "staff"
        text = browser.get(PAGE).text
        assert "DATAFORT_OPERATOR_CONTACT" in text
        assert "Approve accounts" not in text

    def test_age_of_processes_and_length_of_queues_are_shown(self, browser, settings):
        settings.CELERY_TASK_ALWAYS_EAGER = False
        with time_machine.travel(datetime(2026, 11, 21, 12, tzinfo=UTC), tick=False) as clock:
            for process in processes.PROCESSES:
                processes.record_heartbeat(process)
            clock.shift(7)
            text = browser.get(PAGE).text

        assert "Running" in text
        assert "7 seconds ago" in text
