"""Two people act on the same object, or one of them acts on an outdated page."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from core.errors import StaleVersion
from core.jobs import JobState
from matches.models import MatchState
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    get_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    sweep,
    table,
)
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.event.pages import REASON_HIDDEN
from tournaments.event.permissions import Actor
from tournaments.models import Job, Registration, RegistrationState, Round, StaffRole, Tournament
from tournaments.registration import guests, roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def test_draft_discarded_twice_is_discarded_once(event: Tournament):
    draft_round(event)
    first_copy, second_copy = get_round(event, 1), get_round(event, 1)

    draft_changes.discard_draft(second_copy, owner_of(event))
    draft_changes.discard_draft(first_copy, owner_of(event))

    assert event.log.filter(action="draft thrown away").count() == 1


@pytest.mark.parametrize(
    "step",
    [rounds_services.publish_round, rounds_services.start_round, rounds_services.close_round],
)
def test_discarded_draft_cannot_be_published_started_or_closed(
    event: Tournament, step: Callable[[Round, Actor], None]
):
    draft_round(event)
    outdated_round, round_ = get_round(event, 1), get_round(event, 1)
    draft_changes.discard_draft(round_, owner_of(event))

    with pytest.raises(rounds_services.NotADraft):
        step(outdated_round, owner_of(event))


def test_two_byes_cannot_be_swapped():
    event = make_event(players=6)
    first, second = player_number(event, 1), player_number(event, 2)
    for entry in (first, second):
        roster_changes.set_first_round_bye(entry, owner_of(event), has_bye=True)
    round_ = draft_round(event)

    with pytest.raises(rounds_services.NotADraft, match="bye"):
        draft_changes.swap_seats(round_, first, second, owner_of(event))


def test_second_identical_disputed_report_changes_nothing():
    event = make_event(players=2)
    pairing = table(start_round(event), 1)
    reporter, opponent = pairing.match.seats.all()
    results_services.report_result(pairing, reporter, sweep(1), Actor(player=reporter.player))
    first = results_services.report_result(
        pairing, opponent, sweep(2), Actor(player=opponent.player)
    )
    logged = event.log.count()

    second = results_services.report_result(
        pairing, opponent, sweep(2), Actor(player=opponent.player)
    )

    assert (second.state, second.version) == (MatchState.DISPUTED, first.version)
    assert event.log.count() == logged
    assert second.reports.count() == 2


def test_player_who_dropped_since_is_not_checked_in_with_the_list():
    event = make_event(players=2, checked_in=False)
    waiting = list(event.registrations.all())
    registration_services.drop_player(player_number(event, 1), owner_of(event))

    assert registration_services.check_in(waiting, owner_of(event)) == 1

    assert player_number(event, 1).state == RegistrationState.DROPPED
    assert player_number(event, 1).checked_in_at is None


def guest_at(event: Tournament, target: Tournament) -> Registration:
    """Register a guest of the first event for the second event and return that registration."""
    guest = player_number(event, 1)
    return registration_services.register_player(target, guest.player, Actor(player=guest.player))


def test_organiser_gets_no_link_of_a_guest_of_a_different_owner():
    event, own_event = make_event(players=1), make_event(players=0, name="Mine")
    registration = guest_at(event, own_event)

    with pytest.raises(guests.PlaysElsewhere):
        guests.issue_claim_link(registration, owner_of(own_event))

    assert not own_event.log.filter(action="claim link given").exists()


def test_guest_of_two_events_of_one_organiser_gets_a_new_link():
    event = make_event(players=1)
    owner = owner_of(event)
    second = make_event(players=0, name="Second", owner=owner.user)

    assert guests.issue_claim_link(guest_at(event, second), owner)


def test_round_whose_message_was_lost_is_paired_when_requested_again(
    event: Tournament, django_capture_on_commit_callbacks: Any
):
    with django_capture_on_commit_callbacks(execute=False):
        draft_changes.request_pairing(event, 1, owner_of(event))

    with django_capture_on_commit_callbacks(execute=True):
        draft_changes.request_pairing(event, 1, owner_of(event))

    assert get_round(event, 1).is_draft
    assert event.log.filter(action="pairing asked for").count() == 1


def test_draft_changed_since_is_neither_published_nor_changed(event: Tournament):
    draft, owner, seen = draft_round(event), owner_of(event), event.log.newest_draft_change()
    first, second = player_number(event, 1), player_number(event, 2)
    swap = partial(draft_changes.swap_seats, draft, first, second, owner)
    swap(seen=seen)

    for act in (
        partial(rounds_services.publish_round, draft, owner),
        partial(draft_changes.pair_by_hand, draft, [], [], owner),
        swap,
    ):
        with pytest.raises(rounds_services.DraftHasChanged, match="Seats swapped: Ada and Bo"):
            act(seen=seen)

    assert get_round(event, 1).is_draft
    rounds_services.publish_round(draft, owner, seen=event.log.newest_draft_change())
    assert not get_round(event, 1).is_draft


def test_draft_paired_again_since_is_not_published(event: Tournament):
    draft = draft_round(event)
    seen = event.log.newest_draft_change()
    draft_changes.discard_draft(draft, owner_of(event))
    again = draft_round(event)

    with pytest.raises(rounds_services.DraftHasChanged, match="Round drafted: round 1"):
        rounds_services.publish_round(again, owner_of(event), seen=seen)


def test_registration_is_not_opened_if_the_closing_time_has_changed(event: Tournament):
    seen = event.log.newest_id()
    closing_time = timezone.now() - timedelta(minutes=1)
    settings_services.change_settings(event, owner_of(event), registration_closes_at=closing_time)

    with pytest.raises(StaleVersion, match="The closing time was changed"):
        settings_services.set_registration(event, owner_of(event), is_open=True, seen_log=seen)

    assert Tournament.objects.get(pk=event.pk).registration_closes_at == closing_time


def request_of_a_removed_organiser(event: Tournament) -> Job:
    """Return a pairing job whose organiser lost the role before it ran."""
    user = add_staff(event, StaffRole.ORGANISER)
    job = draft_changes.request_pairing(event, 1, Actor(user=user))
    settings_services.remove_role(event, owner_of(event), event.staff.get(user=user))
    tasks.pair_round(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.check(9)
def test_round_requested_by_a_removed_organiser_is_not_drafted(event: Tournament):
    job = request_of_a_removed_organiser(event)

    assert job.state == JobState.FAILED
    assert "no longer runs the event" in job.error
    assert not event.rounds.exists()


def test_retried_job_runs_with_the_role_of_the_retrying_organiser(event: Tournament):
    job = request_of_a_removed_organiser(event)

    event_services.retry_job(job, owner_of(event))
    tasks.pair_round(job.pk)

    job.refresh_from_db()
    assert (job.state, event.rounds.count()) == (JobState.DONE, 1)


@pytest.mark.check(5, 7)
@pytest.mark.parametrize(
    ("role", "is_shown"), [(StaffRole.ORGANISER, True), (StaffRole.SCOREKEEPER, False)]
)
def test_reason_of_a_failed_job_is_hidden_from_scorekeepers(
    event: Tournament, role: StaffRole, is_shown: bool
):
    """The reason may name players at a locked table of a draft, or a card of a hidden deck."""
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
        api.get(f"{address}jobs/").text,
        api.get(f"{address}jobs/{event.jobs.get().pk}/").text,
    ]

    shown = [text for text in texts if "Canary of why" in text]
    assert len(shown) >= 3 if is_shown else not shown
    assert is_shown or any(str(REASON_HIDDEN) in text for text in texts)
