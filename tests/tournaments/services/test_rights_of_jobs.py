"""Work that waits asks again whether whoever asked for it still may."""

import pytest
from django.test import Client
from rest_framework.test import APIClient

from core.jobs import JobState
from tests.factories.tournaments import add_staff, owner_of
from tournaments import queries, tasks
from tournaments.actors import Actor
from tournaments.models import Job, StaffRole, Tournament
from tournaments.services import rounds, staff
from tournaments.sheets.jobs import SAID_TO_RUNNERS


def asked_by_an_organiser_of_before(event: Tournament) -> Job:
    """The job waits, and whoever asked for it has lost the role meanwhile."""
    user = add_staff(event, StaffRole.ORGANISER)
    job = rounds.request_pairing(event, 1, Actor(user=user))
    staff.take_role(event, owner_of(event), event.staff.get(user=user))
    tasks.pair_round(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.check(9)
def test_a_round_asked_for_by_who_may_no_longer_is_not_drafted(event: Tournament):
    job = asked_by_an_organiser_of_before(event)

    assert job.state == JobState.FAILED
    assert "runs the event no longer" in job.error
    assert not queries.rounds(event).exists()


def test_whoever_tries_it_again_asks_in_their_own_name(event: Tournament):
    job = asked_by_an_organiser_of_before(event)

    rounds.retry_job(job, owner_of(event))
    tasks.pair_round(job.pk)

    job.refresh_from_db()
    assert (job.state, queries.rounds(event).count()) == (JobState.DONE, 1)


@pytest.mark.check(5, 7)
@pytest.mark.parametrize(
    ("role", "reads"), [(StaffRole.ORGANISER, True), (StaffRole.SCOREKEEPER, False)]
)
def test_why_a_job_failed_is_told_who_runs_the_event(
    event: Tournament, role: StaffRole, reads: bool
):
    """The reason may name who sits at a locked table of a draft, or a card of a hidden deck."""
    Job.objects.create(
        tournament=event, kind="pair_round", key="x", state=JobState.FAILED, error="Canary of why"
    )
    user = add_staff(event, role)
    browser, api = Client(), APIClient()
    browser.force_login(user)
    api.force_login(user)

    address = f"/api/v1/events/{event.slug}/"
    texts = [
        browser.get(f"/events/{event.slug}/desk/").text,
        browser.get(f"/events/{event.slug}/desk/step/").text,
        api.get(f"{address}desk/").text,
        api.get(f"{address}jobs/").text,
        api.get(f"{address}jobs/{event.jobs.get().pk}/").text,
    ]

    told = [text for text in texts if "Canary of why" in text]
    assert len(told) >= 3 if reads else not told
    assert reads or any(SAID_TO_RUNNERS in text for text in texts)
