"""Deletion of finished jobs and old webhook messages."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core.jobs import JobState
from tests.factories.tournaments import make_event
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.models import DeliveryState, Job, JobKind, Tournament, Webhook, WebhookDelivery
from tournaments.privacy import services

pytestmark = pytest.mark.django_db

OLD = timezone.now() - timedelta(days=31)
NEW = timezone.now() - timedelta(days=29)


def make_scene() -> Tournament:
    return make_event(players=2)


def add_job(event: Tournament, key: str, kind: JobKind = JobKind.MAIL, **fields: object) -> None:
    fields = {"state": JobState.DONE, "finished_at": OLD, **fields}
    Job.objects.create(tournament=event, kind=kind, key=key, **fields)


def keys_left() -> set[str]:
    return set(Job.objects.values_list("key", flat=True))


class TestJobs:
    def test_only_done_jobs_are_deleted_after_thirty_days(self, event: Tournament):
        add_job(event, "old")
        add_job(event, "new", finished_at=NEW)
        for state in (JobState.FAILED, JobState.PARKED):
            add_job(event, state, state=state)
        add_job(event, "waits", state=JobState.QUEUED, finished_at=None)

        tasks.forget_absent()

        assert keys_left() == {"new", "failed", "parked", "waits"}

    def test_pairing_of_an_open_event_stays(self, event: Tournament):
        add_job(event, "pair:1:1", JobKind.PAIR_ROUND)
        services.delete_old_jobs()
        assert keys_left() == {"pair:1:1"}

        Tournament.objects.filter(pk=event.pk).update(finished_at=OLD)
        services.delete_old_jobs()
        assert keys_left() == set()

    def test_each_run_deletes_a_bounded_number_of_jobs(self, event: Tournament, monkeypatch):
        monkeypatch.setattr(services, "ROWS_PER_DELETION", 2)
        for number in range(3):
            add_job(event, str(number))

        services.delete_old_jobs()

        assert keys_left() == {"2"}

    def test_new_job_gets_an_unused_number(self, event: Tournament):
        for _ in range(2):
            event_services.request_standings(event, 1)
            Job.objects.update(state=JobState.DONE)
        Job.objects.order_by("pk").first().delete()

        job = event_services.request_standings(event, 1)

        assert job.key == f"standings:{event.pk}:3"


def test_old_deliveries_are_deleted_unless_waiting(event: Tournament):
    webhook = Webhook.objects.create(tournament=event)
    for state in DeliveryState:
        for made_at in (OLD, NEW):
            row = WebhookDelivery.objects.create(webhook=webhook, payload={}, state=state)
            WebhookDelivery.objects.filter(pk=row.pk).update(made_at=made_at)

    tasks.forget_absent()

    left = WebhookDelivery.objects.values_list("state", "made_at")
    assert {state for state, made_at in left if made_at == OLD} == {"waiting"}
    assert {state for state, made_at in left if made_at == NEW} == set(DeliveryState.values)
