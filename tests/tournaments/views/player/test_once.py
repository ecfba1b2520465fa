"""A phone that sends the same thing again: one effect, the same answer."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.test import Client

from matches.models import ResultReport
from tests.factories.tournaments import (
    make_event,
    start_round,
    table,
)
from tests.tournaments.views.pages import url
from tournaments import queries
from tournaments.models import KeptAnswer, Pairing, Tournament

SWEEP = {
    "game_1_winner": "1",
    "game_1_points_2": "3",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}
SCRIPT = {"Idempotency-Key": "one-key", "Accept": "application/json"}


class Scene(NamedTuple):
    tournament: Tournament
    pairing: Pairing
    one: Client
    two: Client

    def url(self, name: str) -> str:
        return url(name, self.tournament, 1, 1)

    def send(self, phone: Client, said: dict[str, str], **headers: str):
        return phone.post(self.url("report"), said, headers={**SCRIPT, **headers})


@pytest.fixture
def scene(phone_of: Callable[..., Client]) -> Scene:
    tournament = make_event(players=4)
    pairing = table(start_round(tournament), 1)
    by_player = {entry.player_id: entry for entry in queries.roster(tournament)}
    one, two = (phone_of(by_player[seat.player_id]) for seat in pairing.match.seats.all())
    return Scene(tournament, pairing, one, two)


def test_a_form_sent_twice_with_its_key_is_answered_twice_and_done_once(scene):
    said = {**SWEEP, "idempotency_key": "from-the-form"}
    scene.one.post(scene.url("report"), said, follow=True)
    log = scene.tournament.log.count()

    again = scene.one.post(scene.url("report"), said, follow=True)

    assert "Your opponent is asked to confirm it" in again.text
    assert ResultReport.objects.count() == 1
    assert scene.tournament.log.count() == log


def test_an_answer_stands_although_the_world_went_on(scene):
    first = scene.send(scene.one, SWEEP)
    report = ResultReport.objects.get()
    scene.two.post(scene.url("confirm"), {"report": report.pk})

    again = scene.send(scene.one, SWEEP)

    assert again.json() == first.json()
    assert again.status_code == first.status_code == 200
    assert first.json()["told"] == [
        {"level": "success", "text": "Recorded. Your opponent is asked to confirm it."}
    ]
    assert first.json()["next"] == url("my_event", scene.tournament)


def test_the_answer_is_read_from_the_database_so_a_restart_keeps_it(scene):
    scene.send(scene.one, SWEEP)
    row = KeptAnswer.objects.get()
    row.answer["told"][0]["text"] = "Read from the table."
    row.save()

    again = scene.send(scene.one, SWEEP)

    assert again.json()["told"] == [{"level": "success", "text": "Read from the table."}]


def test_the_same_key_with_another_result_changes_nothing(scene):
    scene.send(scene.one, SWEEP)

    other = scene.send(scene.one, {**SWEEP, "game_1_points_2": "4"})

    assert other.status_code == 422
    assert "sent before with something else in it" in other.json()["told"][0]["text"]
    assert ResultReport.objects.count() == 1


def test_the_same_key_with_another_result_is_a_page_for_a_form(scene):
    scene.one.post(scene.url("report"), {**SWEEP, "idempotency_key": "k"})

    other = scene.one.post(
        scene.url("report"), {**SWEEP, "game_1_points_2": "4", "idempotency_key": "k"}
    )

    assert other.status_code == 422
    assert "sent before with something else in it" in other.text


def test_a_key_that_cannot_be_kept_is_refused(scene):
    answer = scene.send(scene.one, SWEEP, **{"Idempotency-Key": "k" * 65})

    assert answer.status_code == 422
    assert not ResultReport.objects.exists()


def test_what_one_player_wrote_is_not_sent_as_the_opponent_on_the_same_phone(scene):
    page = scene.one.get(scene.url("report")).text
    (wrote,) = re.findall(r'data-reader="(\w+)"', page)

    refused = scene.send(scene.two, SWEEP, **{"Datafort-Reader": wrote})
    sent = scene.send(scene.one, SWEEP, **{"Datafort-Reader": wrote})

    assert refused.status_code == 422
    assert "somebody else uses this device" in refused.json()["told"][0]["text"]
    assert sent.status_code == 200
    assert ResultReport.objects.count() == 1


def test_a_refusal_is_an_answer_and_stays_one(scene):
    scene.send(scene.two, SWEEP)
    report = str(ResultReport.objects.get().pk)
    scene.send(scene.two, {**SWEEP, "game_1_points_2": "4"}, **{"Idempotency-Key": "corrected"})

    def confirm():
        return scene.one.post(scene.url("confirm"), {"report": report}, headers=SCRIPT)

    first, again = confirm(), confirm()

    assert first.status_code == again.status_code == 409
    assert first.json() == again.json()
    assert first.json()["told"][0]["level"] == "error"


def test_a_form_with_a_mistake_may_be_mended_and_sent_with_its_key(scene):
    scene.send(scene.one, {**SWEEP, "game_1_points_2": "many"})

    mended = scene.send(scene.one, SWEEP)

    assert mended.json()["told"][0]["text"].startswith("Recorded")


def test_one_key_is_for_one_address(scene):
    scene.send(scene.two, SWEEP)
    said = {"report": str(ResultReport.objects.get().pk)}
    scene.one.post(scene.url("confirm"), said, headers=SCRIPT)

    assert scene.one.post(scene.url("dispute"), said, headers=SCRIPT).status_code == 422


def test_a_table_of_others_is_no_answer_to_keep(scene, phone_of):
    seated = {seat.player_id for seat in scene.pairing.match.seats.all()}
    roster = queries.roster(scene.tournament)
    outside = phone_of(next(entry for entry in roster if entry.player_id not in seated))

    assert scene.send(outside, SWEEP).status_code == 403
    assert not KeptAnswer.objects.exists()


def test_a_message_that_waits_is_shown_once_and_not_kept(scene):
    """What another page wanted to say is not part of this answer."""
    scene.one.post(scene.url("report"), SWEEP)

    answer = scene.send(scene.one, SWEEP)

    assert len(answer.json()["told"]) == 1
    mine = url("my_event", scene.tournament)
    assert "Recorded" not in scene.one.get(mine).text
