"""Two people act on the same thing, or one of them acts on an old page."""

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


def test_a_draft_thrown_away_twice_is_thrown_away_once(event: Tournament):
    draft_round(event)
    mine, theirs = get_round(event, 1), get_round(event, 1)

    draft_changes.discard_draft(theirs, owner_of(event))
    draft_changes.discard_draft(mine, owner_of(event))

    assert event.log.filter(action="draft thrown away").count() == 1


@pytest.mark.parametrize(
    "step",
    [rounds_services.publish_round, rounds_services.start_round, rounds_services.close_round],
)
def test_a_draft_that_was_thrown_away_takes_no_further_step(
    event: Tournament, step: Callable[[Round, Actor], None]
):
    draft_round(event)
    mine, theirs = get_round(event, 1), get_round(event, 1)
    draft_changes.discard_draft(theirs, owner_of(event))

    with pytest.raises(rounds_services.NotADraft):
        step(mine, owner_of(event))


def test_two_byes_cannot_change_places():
    event = make_event(players=6)
    one, other = player_number(event, 1), player_number(event, 2)
    for entry in (one, other):
        roster_changes.set_first_round_bye(entry, owner_of(event), has_bye=True)
    round_ = draft_round(event)

    with pytest.raises(rounds_services.NotADraft, match="bye"):
        draft_changes.swap_seats(round_, one, other, owner_of(event))


def test_a_disputed_report_sent_twice_changes_nothing():
    event = make_event(players=2)
    pairing = table(start_round(event), 1)
    one, other = pairing.match.seats.all()
    results_services.report_result(pairing, one, sweep(1), Actor(player=one.player))
    first = results_services.report_result(pairing, other, sweep(2), Actor(player=other.player))
    logged = event.log.count()

    second = results_services.report_result(pairing, other, sweep(2), Actor(player=other.player))

    assert (second.state, second.version) == (MatchState.DISPUTED, first.version)
    assert event.log.count() == logged
    assert second.reports.count() == 2


def test_a_player_who_has_left_meanwhile_is_not_checked_in_with_all_the_others():
    event = make_event(players=2, checked_in=False)
    waiting = list(event.registrations.all())
    registration_services.drop_player(player_number(event, 1), owner_of(event))

    assert registration_services.check_in(waiting, owner_of(event)) == 1

    assert player_number(event, 1).state == RegistrationState.DROPPED
    assert player_number(event, 1).checked_in_at is None


def guest_at(event: Tournament, elsewhere: Tournament) -> Registration:
    """A guest of one event who has joined another one too."""
    guest = player_number(event, 1)
    return registration_services.register_player(
        elsewhere, guest.player, Actor(player=guest.player)
    )


def test_an_organiser_gets_no_key_to_the_events_of_others():
    event, mine = make_event(players=1), make_event(players=0, name="Mine")
    here = guest_at(event, mine)

    with pytest.raises(guests.PlaysElsewhere):
        guests.issue_claim_link(here, owner_of(mine))

    assert not mine.log.filter(action="claim link given").exists()


def test_a_guest_of_two_events_of_one_organiser_gets_a_new_link():
    event = make_event(players=1)
    owner = owner_of(event)
    second = make_event(players=0, name="Second", owner=owner.user)

    assert guests.issue_claim_link(guest_at(event, second), owner)


def test_a_round_whose_message_was_lost_is_paired_when_it_is_asked_for_again(
    event: Tournament, django_capture_on_commit_callbacks: Any
):
    with django_capture_on_commit_callbacks(execute=False):
        draft_changes.request_pairing(event, 1, owner_of(event))

    with django_capture_on_commit_callbacks(execute=True):
        draft_changes.request_pairing(event, 1, owner_of(event))

    assert get_round(event, 1).is_draft
    assert event.log.filter(action="pairing asked for").count() == 1


def test_a_draft_changed_meanwhile_is_neither_published_nor_changed_unseen(event: Tournament):
    draft, owner, seen = draft_round(event), owner_of(event), event.log.newest_draft_change()
    one, other = player_number(event, 1), player_number(event, 2)
    swap = partial(draft_changes.swap_seats, draft, one, other, owner)
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


def test_a_draft_paired_again_meanwhile_is_not_the_one_that_was_seen(event: Tournament):
    draft = draft_round(event)
    seen = event.log.newest_draft_change()
    draft_changes.discard_draft(draft, owner_of(event))
    again = draft_round(event)

    with pytest.raises(rounds_services.DraftHasChanged, match="Round drafted: round 1"):
        rounds_services.publish_round(again, owner_of(event), seen=seen)


def test_registration_is_not_opened_over_a_closing_time_somebody_has_just_set(event: Tournament):
    seen = event.log.newest_id()
    past = timezone.now() - timedelta(minutes=1)
    settings_services.change_settings(event, owner_of(event), registration_closes_at=past)

    with pytest.raises(StaleVersion, match="The closing time was changed"):
        settings_services.set_registration(event, owner_of(event), is_open=True, seen_log=seen)

    assert Tournament.objects.get(pk=event.pk).registration_closes_at == past


def asked_by_an_organiser_of_before(event: Tournament) -> Job:
    """The job waits, and whoever asked for it has lost the role meanwhile."""
    user = add_staff(event, StaffRole.ORGANISER)
    job = draft_changes.request_pairing(event, 1, Actor(user=user))
    settings_services.remove_role(event, owner_of(event), event.staff.get(user=user))
    tasks.pair_round(job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.check(9)
def test_a_round_asked_for_by_who_may_no_longer_is_not_drafted(event: Tournament):
    job = asked_by_an_organiser_of_before(event)

    assert job.state == JobState.FAILED
    assert "no longer runs the event" in job.error
    assert not event.rounds.exists()


def test_whoever_tries_it_again_asks_in_their_own_name(event: Tournament):
    job = asked_by_an_organiser_of_before(event)

    event_services.retry_job(job, owner_of(event))
    tasks.pair_round(job.pk)

    job.refresh_from_db()
    assert (job.state, event.rounds.count()) == (JobState.DONE, 1)


@pytest.mark.check(5, 7)
@pytest.mark.parametrize(
    ("role", "reads"), [(StaffRole.ORGANISER, True), (StaffRole.SCOREKEEPER, False)]
)
def test_why_a_job_failed_is_shown_to_who_runs_the_event(
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
        api.get(f"{address}jobs/").text,
        api.get(f"{address}jobs/{event.jobs.get().pk}/").text,
    ]

    shown = [text for text in texts if "Canary of why" in text]
    assert len(shown) >= 3 if reads else not shown
    assert reads or any(REASON_HIDDEN in text for text in texts)
