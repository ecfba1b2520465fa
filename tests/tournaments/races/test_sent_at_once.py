"""One report sent many times at one moment: real threads, real transactions, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from matches.models import ResultReport
from tests.factories.tournaments import make_event, start_round, table
from tests.tournaments.races import crowd
from tournaments import queries
from tournaments.models import KeptAnswer, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(29)]

HANDS = 6
SWEEP = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}


@pytest.fixture
def event() -> Tournament:
    tournament = make_event(players=2)
    start_round(tournament)
    return tournament


@pytest.fixture
def phones(event: Tournament) -> list[Client]:
    """So many browsers of the one player who is Corp first."""
    pairing = table(queries.rounds(event).get(number=1), 1)
    first = pairing.match.seats.get(position=1)
    registration = event.registrations.select_related("player").get(player=first.player_id)
    return crowd.phones(registration, HANDS)


def at_once(event: Tournament, phones: list[Client], keys: list[str]) -> list[tuple[int, object]]:
    """Status and JSON of every answer when all push at the same moment."""
    address = reverse("tournaments:report", args=[event.slug, 1, 1])
    barrier = Barrier(len(phones))

    def push(phone: Client, key: str) -> tuple[int, object]:
        headers = {"Idempotency-Key": key, "Accept": "application/json"}
        try:
            barrier.wait()
            answer = phone.post(address, SWEEP, headers=headers)
            return answer.status_code, answer.json()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(phones)) as hands:
        return list(hands.map(push, phones, keys))


def test_one_key_in_many_hands_is_one_report(event: Tournament, phones: list[Client]) -> None:
    answers = at_once(event, phones, ["one-key"] * HANDS)

    assert answers == [answers[0]] * HANDS
    assert answers[0][0] == 200
    assert ResultReport.objects.count() == 1
    assert KeptAnswer.objects.count() == 1
    assert event.log.filter(action="result reported").count() == 1


def test_the_same_result_under_many_keys_is_one_report_as_well(
    event: Tournament, phones: list[Client]
) -> None:
    answers = at_once(event, phones, [f"key-{number}" for number in range(HANDS)])

    assert {status for status, _ in answers} == {200}
    assert ResultReport.objects.count() == 1
    assert event.log.filter(action="result reported").count() == 1
