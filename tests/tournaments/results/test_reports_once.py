"""Repeated requests with an idempotency key."""

import re

from matches.models import ResultReport
from tests.tournaments.pages import url
from tests.tournaments.results.conftest import OTHER_REPORT, SCRIPT, SWEEP
from tournaments.models import IdempotencyRecord


def test_form_sent_twice_with_its_key_counts_once(scene):
    data = {**SWEEP, "idempotency_key": "from-the-form"}
    scene.reporter.post(scene.url("report"), data, follow=True)
    log = scene.tournament.log.count()

    again = scene.reporter.post(scene.url("report"), data, follow=True)

    assert "Your opponent has been asked to confirm it" in again.text
    assert ResultReport.objects.count() == 1
    assert scene.tournament.log.count() == log


def test_repeated_report_gets_its_first_answer(scene):
    first = scene.send(scene.reporter, SWEEP)
    report = ResultReport.objects.get()
    scene.opponent.post(scene.url("confirm"), {"report": report.pk})

    again = scene.send(scene.reporter, SWEEP)

    assert again.json() == first.json()
    assert again.status_code == first.status_code == 200
    assert first.json()["told"] == [
        {"level": "success", "text": "Recorded. Your opponent has been asked to confirm it."}
    ]
    assert first.json()["next"] == url("my_event", scene.tournament)


def test_stored_answer_survives_a_restart(scene):
    scene.send(scene.reporter, SWEEP)
    row = IdempotencyRecord.objects.get()
    row.answer["told"][0]["text"] = "Read from the table."
    row.save()

    again = scene.send(scene.reporter, SWEEP)

    assert again.json()["told"] == [{"level": "success", "text": "Read from the table."}]


def test_key_of_a_different_result_changes_nothing(scene):
    scene.send(scene.reporter, SWEEP)

    response = scene.send(scene.reporter, OTHER_REPORT)
    page = scene.reporter.post(scene.url("report"), {**OTHER_REPORT, "idempotency_key": "one-key"})

    assert response.status_code == page.status_code == 422
    assert (
        "already submitted this form with different contents" in response.json()["told"][0]["text"]
    )
    assert "already submitted this form with different contents" in page.text
    assert ResultReport.objects.count() == 1


def test_report_of_another_player_on_the_same_phone_is_refused(scene):
    page = scene.reporter.get(scene.url("report")).text
    (wrote,) = re.findall(r'data-reader="(\w+)"', page)

    refused = scene.send(scene.opponent, SWEEP, **{"Datafort-Reader": wrote})
    sent = scene.send(scene.reporter, SWEEP, **{"Datafort-Reader": wrote})

    assert refused.status_code == 422
    assert "another player uses this device" in refused.json()["told"][0]["text"]
    assert sent.status_code == 200
    assert ResultReport.objects.count() == 1


def test_refusal_is_repeated_for_its_key(scene):
    scene.send(scene.opponent, SWEEP)
    report = str(ResultReport.objects.get().pk)
    scene.send(scene.opponent, OTHER_REPORT, **{"Idempotency-Key": "corrected"})

    def confirm():
        return scene.reporter.post(scene.url("confirm"), {"report": report}, headers=SCRIPT)

    first, again = confirm(), confirm()

    assert first.status_code == again.status_code == 409
    assert first.json() == again.json()
    assert first.json()["told"][0]["level"] == "error"


def test_invalid_form_can_be_corrected_and_sent_with_its_key(scene):
    scene.send(scene.reporter, {**SWEEP, "game_1_points_2": "many"})

    mended = scene.send(scene.reporter, SWEEP)

    assert mended.json()["told"][0]["text"].startswith("Recorded")


def test_refused_stranger_stores_no_answer(scene):
    assert scene.send(scene.stranger, SWEEP).status_code == 403
    assert not IdempotencyRecord.objects.exists()


def test_pending_message_is_shown_once_and_not_stored(scene):
    scene.reporter.post(scene.url("report"), SWEEP)

    answer = scene.send(scene.reporter, SWEEP)

    assert len(answer.json()["told"]) == 1
    my_page = url("my_event", scene.tournament)
    assert "Recorded" not in scene.reporter.get(my_page).text
