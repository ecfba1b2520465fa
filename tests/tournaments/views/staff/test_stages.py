"""The stages of an event, and the system of the first one in its settings."""

from django.test import Client

from tests.factories.tournaments import draft_round, play_round
from tests.tournaments.views.staff.conftest import path
from tournaments.models import Tournament
from tournaments.systems import SYSTEMS


def test_each_stage_says_how_it_is_paired_and_how_far_it_is(desk: Client, event: Tournament):
    play_round(event)
    draft_round(event)

    page = desk.get(path(event, "desk/stages/")).content.decode()

    assert "Stage 1: Swiss, two games a match" in page
    assert SYSTEMS["double"].explanation in page
    assert path(event, "rounds/2/draft/") in page
    assert 'href="/help/pairing/#double"' in page


def test_a_new_event_takes_the_system_that_is_chosen(desk: Client):
    desk.post(
        "/events/new/", {"name": "Round robin", "starts_on": "2026-12-01", "system": "round_robin"}
    )

    assert Tournament.objects.get(name="Round robin").stages.get().system == "round_robin"


def test_a_system_that_does_not_go_with_the_scoring_is_refused_in_words(desk: Client):
    sent = {"name": "Odd", "starts_on": "2026-12-01", "system": "pods"}

    answer = desk.post("/events/new/", sent)

    assert answer.status_code == 422
    assert "does not go with the scoring" in answer.content.decode()
    assert not Tournament.objects.filter(name="Odd").exists()
