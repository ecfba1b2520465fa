"""Judge calls over the API."""

import pytest
from rest_framework.test import APIClient

from rulings.models import JudgeCall, Ruling
from tests.api.clients import client_of, guest
from tests.api.judging.conftest import Scene, send
from tests.factories.tournaments import add_staff, owner_of
from tournaments.judging import calls

AT_TABLE = "rounds/1/tables/1/call/"


def call_with_text(scene: Scene, phone: APIClient, about: str = "Can I?") -> int:
    answer = send(phone, scene.at(AT_TABLE), {"about": about})
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["id"])


def test_call_from_the_table_to_its_answer(
    scene: Scene, phone: APIClient, judge: APIClient, ruling: Ruling
):
    call = call_with_text(scene, phone)
    (waiting,) = judge.get(scene.at("calls/")).json()["results"]
    taken = send(judge, scene.at(f"calls/{call}/take/")).json()
    coming = phone.get(scene.at(AT_TABLE)).json()["open"]
    cite = {"code": ruling.short_code, "version": 1}
    body = {"text": "You can.", "rulings": [cite], "minutes": 3}
    answered = send(judge, scene.at(f"calls/{call}/answer/"), body).json()

    assert (waiting["about"], waiting["waits_minutes"]) == ("Can I?", 0)
    assert {player["number"] for player in waiting["players"]} == {
        scene.player.number,
        scene.opponent.number,
    }
    assert (taken["is_mine"], coming["is_mine"]) == (True, True)
    assert (taken["taken_by"], coming["taken_by"]) == ("jinteki", "Judge")
    assert answered["state"] == "answered"
    assert answered["rulings"] == [
        {"code": ruling.short_code, "version": 1, "newest": 1, "subject": "Ambush"}
    ]
    scene.pairing.refresh_from_db()
    assert scene.pairing.extra_minutes == 3
    table = guest(scene.opponent).get(scene.at(AT_TABLE)).json()
    assert (table["open"], table["can_appeal"]) == (None, True)
    assert (table["answered"]["answered_by"], table["answered"]["answer"]) == ("Judge", "You can.")
    (closed,) = judge.get(scene.at("calls/?state=over&judge=jinteki")).json()["results"]
    assert closed["id"] == call
    assert judge.get(scene.at("calls/?state=over&judge=nobody")).json()["count"] == 0


def test_other_staff_see_the_table_but_not_the_subject(
    scene: Scene, phone: APIClient, judge: APIClient
):
    call = call_with_text(scene, phone, "Canary words")
    send(judge, scene.at(f"calls/{call}/escalate/"), {"reason": "Canary reason"})
    keeper = client_of(add_staff(scene.event, "scorekeeper"))

    second_call = send(keeper, scene.at("calls/"), {"table": 1, "about": ""})
    (waiting,) = keeper.get(scene.at("calls/")).json()["results"]

    assert (waiting["table"], waiting["for_head_judge"]) == (1, True)
    assert keeper.get(scene.at("calls/?state=over")).status_code == 403
    for call in (waiting, second_call.json()):
        assert (call["about"], call["raised_by"], call["escalated_by"]) == ("", None, None)
        assert "Canary" not in str(call)


def test_appeal(scene: Scene, phone: APIClient, judge: APIClient, head: APIClient):
    call = call_with_text(scene, phone)
    send(judge, scene.at(f"calls/{call}/answer/"), {"text": "No."})
    appeal = send(phone, scene.at(f"calls/{call}/appeal/"), {"about": "But it says so."}).json()
    answer = scene.at(f"calls/{appeal['id']}/answer/")

    unsaid = send(head, answer)
    decided = send(head, answer, {"overturned": True}).json()

    assert appeal["for_head_judge"] is True
    assert (unsaid.status_code, set(unsaid.json()["errors"])) == (400, {"overturned"})
    assert (decided["appeals"], decided["overturned"]) == (call, True)
    assert judge.get(scene.at(f"calls/{call}/")).json()["appealed_by"] == appeal["id"]


def test_penalty_with_an_answer_is_all_or_nothing(scene: Scene, phone: APIClient, judge: APIClient):
    call = call_with_text(scene, phone)
    address = scene.at(f"calls/{call}/answer/")
    penalty = {"player": scene.player.number, "infraction": "late", "kind": "game_loss", "game": 1}

    wrong_table = send(judge, address, {"penalty": {**penalty, "player": scene.bystander.number}})
    unseen = send(judge, address, {"text": "Late again.", "penalty": penalty})

    assert (wrong_table.status_code, set(wrong_table.json()["errors"])) == (400, {"penalty"})
    assert (unseen.status_code, unseen.json()["code"]) == (409, "effect_not_seen")
    assert scene.opponent.player.name in unseen.json()["errors"]["effect"][0]
    assert JudgeCall.objects.get(pk=call).is_open
    assert not scene.event.penalties.exists()

    confirmed = {**penalty, "version": unseen.json()["errors"]["version"]}
    assert send(judge, address, {"text": "Late again.", "penalty": confirmed}).status_code == 200
    (stored,) = judge.get(scene.at("penalties/")).json()["results"]
    assert (stored["player"]["number"], stored["kind"]) == (scene.player.number, "game_loss")
    assert stored["text"] == "Late again."


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"word": 1}, {"word"}),
        ({"overturned": True}, {"overturned"}),
        (
            {"minutes": 61, "text": "x" * 2001, "rulings": [{"code": "R-9999"}]},
            {"minutes", "text", "rulings"},
        ),
    ],
)
def test_invalid_answer_names_the_fields(
    scene: Scene, judge: APIClient, body: dict[str, object], wrong: set[str]
):
    call = calls.raise_call(scene.pairing, owner_of(scene.event))

    errors = send(judge, scene.at(f"calls/{call.pk}/answer/"), body).json()["errors"]

    assert set(errors) == wrong
    assert ("R-9999" in str(errors)) == ("rulings" in wrong)


@pytest.mark.parametrize("query", ["state=some", "round=1", "judge=x"])
def test_invalid_filter_is_a_400(scene: Scene, judge: APIClient, query: str):
    assert judge.get(scene.at(f"calls/?{query}")).status_code == 400
