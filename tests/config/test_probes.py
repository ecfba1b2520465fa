"""Probes and metrics: details for monitoring, none for strangers."""

from collections import namedtuple
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from celery import signals
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client import generate_latest
from prometheus_client.utils import floatToGoString

from core import celery, processes
from core.version import VERSION
from players import incidents
from players.models import IncidentKind
from tests.factories.tournaments import make_event, play_round, start_round
from tournaments import tasks
from tournaments.models import Job, JobKind
from tournaments.ops import pages

TOKEN = "a token of forty characters, or so, is it"
STRANGER = {"REMOTE_ADDR": "203.0.113.5"}
Usage = namedtuple("Usage", "total used free")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _much_disk(monkeypatch, settings, tmp_path):
    settings.METRICS_TOKEN, settings.VAR_DIR = TOKEN, tmp_path
    have(monkeypatch, 50 * 1024**3)


def have(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    """Pretend that every disk has this many free bytes."""
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage(10**12, 0, free))


def ready_document(client: Client, **headers: Any) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/readyz", **headers).json()
    return document


@pytest.fixture
def _no_database(monkeypatch):
    def fail(*_):
        raise DatabaseError("connection to 10.0.0.5 refused, password hunter2")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", fail)


def test_livez_needs_no_database(client):
    # The test has no django_db mark, so any query fails.
    answer = client.get("/livez", **STRANGER)

    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer["Cache-Control"] == "no-store"


def test_probes_work_with_any_host_and_without_https(client, settings):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["play.example"], True

    assert client.get("/livez", headers={"Host": "10.1.2.3:8000"}).status_code == 200
    assert client.get("/", headers={"Host": "10.1.2.3:8000"}).status_code != 200


@pytest.mark.django_db
@pytest.mark.check(38)
def test_site_without_backups_is_green_and_shows_strangers_no_details(client):
    parts = ("database", "migrations", "cache", "jobs", "workers", "backup", "disk")
    green = {"status": "green"}

    document = {**green, "version": VERSION, "parts": dict.fromkeys(parts, green)}
    assert ready_document(client, **STRANGER) == document


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("headers", "are_shown"),
    [
        ({}, True),
        (STRANGER, False),
        ({**STRANGER, "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, True),
        ({**STRANGER, "HTTP_AUTHORIZATION": "Bearer x"}, False),
        ({"HTTP_X_FORWARDED_FOR": "203.0.113.5"}, False),
        ({"REMOTE_ADDR": ""}, False),
    ],
)
def test_details_are_shown_for_the_token_and_on_the_same_machine(
    client, monkeypatch, headers, are_shown
):
    have(monkeypatch, 500 * 1024**2)
    assert ("detail" in ready_document(client, **headers)["parts"]["disk"]) is are_shown


@pytest.mark.django_db
@pytest.mark.check(38)
def test_old_backup_is_yellow(client, settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    with time_machine.travel(NOON, tick=False):
        assert ready_document(client)["parts"]["backup"]["status"] == "yellow"
        start_round(make_event(players=4))
        tasks.back_up_when_due()
        assert ready_document(client)["parts"]["backup"]["status"] == "green"
    with time_machine.travel(NOON + timedelta(minutes=20), tick=False):
        assert ready_document(client)["parts"]["backup"]["status"] == "green"
    with time_machine.travel(NOON + timedelta(minutes=21), tick=False):
        answer = client.get("/readyz")
        assert answer.status_code == 200
        assert answer.json()["status"] == answer.json()["parts"]["backup"]["status"] == "yellow"


@pytest.mark.django_db
@pytest.mark.check(38)
def test_backup_dated_in_the_future_is_yellow(client, settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        tasks.back_up_when_due()

    with time_machine.travel(NOON, tick=False):
        assert ready_document(client)["parts"]["backup"]["status"] == "yellow"
        tasks.back_up_when_due()
        assert ready_document(client)["parts"]["backup"]["status"] == "green"


@pytest.mark.django_db
def test_job_without_a_worker_is_yellow(client):
    event = make_event(players=2)
    job = Job.objects.create(tournament=event, kind=JobKind.JUDGE_DECKS, key="judge:1")
    assert ready_document(client)["parts"]["jobs"]["status"] == "green"

    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(seconds=90))

    jobs = ready_document(client)["parts"]["jobs"]
    assert jobs["status"] == "yellow"
    assert jobs["detail"].startswith("A job has been waiting for 9")


@pytest.fixture
def _scaled(settings):
    """A site with separate beat and workers that have not started."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    cache.delete_many([f"heartbeat:{process}" for process in processes.PROCESSES])
    yield
    celery.app.amqp.queues.select(["default", "slow"])
    signals.after_task_publish.disconnect(celery.record_beat)


def send_signals(queue: str) -> None:
    """Send the signals of a running beat and worker for this queue."""
    celery.app.amqp.queues.select([queue])
    signals.heartbeat_sent.send(sender=None)
    signals.beat_init.send(sender=None)
    signals.after_task_publish.send(sender="tournaments.tasks.sweep_jobs")


@pytest.mark.django_db
@pytest.mark.usefixtures("_scaled")
def test_silent_worker_and_beat_are_yellow_and_named(client):
    def detail() -> str:
        workers = ready_document(client)["parts"]["workers"]
        assert workers["status"] == ("yellow" if "detail" in workers else "green")
        return str(workers.get("detail", ""))

    with time_machine.travel(NOON, tick=False) as clock:
        send_signals("default")
        silent = "No sign of life for 30 seconds: "
        assert detail() == f"{silent}worker of the slow queue."
        send_signals("slow")
        assert detail() == ""
        clock.shift(31)
        processes.record_heartbeat("default")
        assert detail() == f"{silent}beat, worker of the slow queue."


@pytest.mark.django_db
@pytest.mark.usefixtures("_scaled")
def test_metrics_show_silent_processes_and_the_length_of_each_queue(client):
    event = make_event(players=2)
    for number, kind in enumerate((JobKind.JUDGE_DECKS, JobKind.BACK_UP, JobKind.PAIR_ROUND)):
        Job.objects.create(tournament=event, kind=kind, key=f"{number}")
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=90))
    send_signals("default")

    text = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text

    assert 'datafort_queue_length{queue="default"} 1.0' in text
    assert 'datafort_queue_length{queue="slow"} 2.0' in text
    assert 'datafort_process_up{process="beat"} 1.0' in text
    assert 'datafort_process_up{process="slow"} 0.0' in text
    assert 'datafort_heartbeat_age_seconds{process="default"} ' in text
    jobs = ready_document(client)["parts"]["jobs"]
    assert jobs["detail"].endswith("Jobs waiting: 1 default, 2 slow.")


@pytest.mark.django_db
def test_counting_jobs_reads_a_row_for_each_kind_and_state():
    event = make_event(players=2)
    Job.objects.bulk_create(
        Job(tournament=event, kind=JobKind.MAIL, key=f"mail:{number}", state="done")
        for number in range(30)
    )

    with CaptureQueriesContext(connection) as queries:
        text = generate_latest(pages.SITE_REGISTRY).decode()

    assert 'datafort_jobs{kind="mail",state="done"} 30.0' in text
    of_jobs = [query["sql"] for query in queries if 'FROM "tournaments_job"' in query["sql"]]
    assert len(of_jobs) == 3
    assert all("COUNT(" in sql or "MIN(" in sql for sql in of_jobs)


@pytest.mark.django_db
def test_metrics_show_disks_backups_refused_logins_and_failures(settings, tmp_path):
    settings.BACKUP_FOLDER, settings.VAR_DIR = str(tmp_path), tmp_path
    with time_machine.travel(NOON, tick=False):
        for kind, count in (("wrong_password", 3), ("wrong_code", 1), ("unsent_email", 2)):
            for _ in range(count):
                incidents.record_incident(IncidentKind(kind), "203.0.113.5")
    an_hour_later = time_machine.travel(NOON + timedelta(minutes=90), tick=False)
    with an_hour_later, CaptureQueriesContext(connection) as queries:
        text = generate_latest(pages.SITE_REGISTRY).decode()
    with time_machine.travel(NOON + timedelta(minutes=120), tick=False):
        metrics_text = generate_latest(pages.SITE_REGISTRY).decode()

    assert f'datafort_disk_free_bytes{{folder="backups"}} {floatToGoString(50 * 1024**3)}' in text
    assert f'datafort_disk_size_bytes{{folder="data"}} {floatToGoString(10**12)}' in text
    assert "datafort_backup_interval_seconds 86400.0" in text
    assert 'datafort_refused_logins{reason="wrong_password"} 3.0' in text
    assert 'datafort_refused_logins{reason="wrong_code"} 1.0' in text
    assert "datafort_unsent_emails 2.0" in text
    assert "datafort_failed_backups 0.0" in text
    assert "datafort_failing_webhooks 0.0" in text
    assert "203.0.113.5" not in text
    assert 'datafort_refused_logins{reason="wrong_password"} 0.0' in metrics_text
    assert len(queries) <= 13


@pytest.mark.django_db
def test_little_disk_space_is_yellow_and_none_is_red(client, monkeypatch):
    have(monkeypatch, 500 * 1024**2)
    assert ready_document(client)["parts"]["disk"]["status"] == "yellow"

    have(monkeypatch, 1024**2)
    is_here = connection.vendor == "sqlite"
    assert client.get("/readyz").status_code == (503 if is_here else 200)


@pytest.mark.django_db
def test_full_disk_of_the_backups_only_is_yellow(client, settings, monkeypatch, tmp_path):
    settings.BACKUP_FOLDER, settings.VAR_DIR = str(tmp_path), tmp_path / "nothing"
    free = {tmp_path: 0}
    monkeypatch.setattr(
        "shutil.disk_usage", lambda path: Usage(10**12, 0, free.get(path, 50 * 1024**3))
    )

    assert ready_document(client)["parts"]["disk"]["status"] == "yellow"


@pytest.mark.django_db
def test_pending_migration_is_red_and_named_in_the_details(client, monkeypatch):
    missing = frozenset({("tournaments", "0999_of_next_year")})
    monkeypatch.setattr(pages, "known_migrations", lambda: missing)

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["parts"]["migrations"]["detail"] == (
        "Migrations not applied: tournaments.0999_of_next_year."
    )
    assert "next_year" not in client.get("/readyz", **STRANGER).text


@pytest.mark.django_db
@pytest.mark.usefixtures("_no_database")
def test_unavailable_database_is_red_without_details(client):
    answer = client.get("/readyz")

    assert answer.status_code == 503
    migrations = answer.json()["parts"]["migrations"]
    assert migrations == {"status": "red", "detail": "The database does not respond."}
    assert "hunter2" not in answer.text


@pytest.mark.django_db
def test_metrics_require_the_token(client, settings):
    credentials = {"Authorization": f"Bearer {TOKEN}"}

    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/metrics", headers=credentials).status_code == 200
    settings.METRICS_TOKEN = ""
    for headers in ({}, credentials, {"Authorization": "Bearer "}):
        assert client.get("/metrics", headers=headers).status_code == 404


@pytest.mark.django_db
def test_metrics_count_by_url_name_and_contain_no_names(client, settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path)
    (tmp_path / "datafort-20261121T120000.000000Z.sqlite3.gz").write_bytes(bytes(17))
    event = make_event(players=4, name="Canary Cup")
    play_round(event)
    page = f"/events/{event.slug}/pairings/"
    etag = client.get(page, headers={"X-Fragment": "1"})["ETag"]
    client.get(page, headers={"X-Fragment": "1", "If-None-Match": etag})
    client.get("/no/such/Ada/page")
    client.generic("BREW", "/events/")

    text = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text

    counted = "django_http_responses_total_by_status_view_method_total"
    assert counted + '{method="GET",status="304",view="tournaments:pairings"}' in text
    assert 'method="other"' in text
    assert 'datafort_events{state="open"} 1.0' in text
    assert 'datafort_jobs{kind="recompute_standings",state="done"} 1.0' in text
    assert "datafort_backup_bytes 17.0" in text
    assert f'datafort_info{{version="{VERSION}"}} 1.0' in text
    assert not {
        secret_word for secret_word in (event.slug, "Canary", "Ada", "BREW") if secret_word in text
    }
