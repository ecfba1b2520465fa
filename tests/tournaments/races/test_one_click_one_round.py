"""Many hands on one button: real threads, real transactions, on both databases."""

from datetime import date
from typing import TypeVar

import pytest

from matches.models import Match
from players.models import User
from tests.tournaments.races.hands import at_once
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Job, Pairing, Round, Tournament
from tournaments.services import events, registrations, rounds

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.check(26),
    pytest.mark.goal("G3"),
]

HANDS = 8
Answer = TypeVar("Answer")


@pytest.fixture
def organiser() -> Actor:
    return Actor(user=User.objects.create_user("organiser"))


@pytest.fixture
def event(organiser: Actor) -> Tournament:
    assert organiser.user is not None
    event = events.create(organiser.user, name="Rush", starts_on=date(2026, 11, 21), seed=7)
    entries = [registrations.NewEntry(f"Player {number}") for number in range(9)]
    added = registrations.add_entries(event, entries, organiser)
    registrations.check_in(added, organiser)
    return event


def test_many_clicks_on_pair_make_one_round(event: Tournament, organiser: Actor) -> None:
    answers = at_once([lambda: rounds.request_pairing(event, 1, organiser)] * HANDS)

    assert {type(answer) for answer in answers} == {Job}
    assert Job.objects.count() == 1
    assert Round.objects.get().number == 1
    assert Pairing.objects.count() == 5
    assert Match.objects.count() == 4


def test_many_clicks_on_publish_and_close_change_the_round_once(
    event: Tournament, organiser: Actor
) -> None:
    rounds.request_pairing(event, 1, organiser)
    round_ = Round.objects.get()

    at_once([lambda: rounds.publish(round_, organiser)] * HANDS)
    refusals = at_once([lambda: rounds.close(round_, organiser)] * HANDS)

    assert event.log.filter(action="round published").count() == 1
    assert {str(refusal) for refusal in refusals} == {"Tables without a settled result: 4."}


def test_a_late_click_for_a_round_that_is_over_makes_no_round(
    event: Tournament, organiser: Actor
) -> None:
    rounds.request_pairing(event, 1, organiser)
    rounds.publish(Round.objects.get(), organiser)

    answers = at_once([lambda: rounds.request_pairing(event, 2, organiser)] * HANDS)

    assert {str(answer) for answer in answers} == {"Close round 1 before you pair round 2."}
    assert queries.rounds(event).count() == 1
