"""Judge calls over the API: from a table to the judges and back."""

from rest_framework.test import APIClient

from rulings.models import JudgeCall, Ruling
from tests.api.clients import client_of, guest
from tests.api.judging.conftest import Scene, posted
from tests.factories.tournaments import add_staff, owner_of
from tournaments.judging import calls

AT_TABLE = "rounds/1/tables/1/call/"


def raised(scene: Scene, phone: APIClient, about: str = "Can I?") -> int:
    answer = posted(phone, scene.at(AT_TABLE), {"about": about})
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["id"])


def test_a_call_is_raised_taken_answered_and_read_at_the_table(
    scene: Scene, phone: APIClient, judge: APIClient, ruling: Ruling
):
    call = raised(scene, phone)
    (waiting,) = judge.get(scene.at("calls/")).json()["results"]
    taken = posted(judge, scene.at(f"calls/{call}/take/")).json()
    coming = phone.get(scene.at(AT_TABLE)).json()["open"]
    cite = {"code": ruling.short_code, "version": 1}
    body = {"text": "You can.", "rulings": [cite], "minutes": 3}
    answered = posted(judge, scene.at(f"calls/{call}/answer/"), body).json()

    assert waiting["about"] == "Can I?"
    assert waiting["waits_minutes"] == 0
    assert {player["number"] for player in waiting["players"]} == {
        scene.mine.number,
        scene.theirs.number,
    }
    assert taken["is_mine"] is True
    assert (taken["taken_by"], coming["taken_by"]) == ("jinteki", "Judge")
    assert coming["is_mine"] is True
    assert answered["state"] == "answered"
    assert answered["rulings"] == [
        {"code": ruling.short_code, "version": 1, "newest": 1, "subject": "Ambush"}
    ]
    scene.pairing.refresh_from_db()
    assert scene.pairing.extra_minutes == 3
    table = guest(scene.theirs).get(scene.at(AT_TABLE)).json()
    assert table["open"] is None
    assert table["answered"]["answered_by"] == "Judge"
    assert table["answered"]["answer"] == "You can."
    assert table["can_appeal"] is True
    (past,) = judge.get(scene.at("calls/?state=over&judge=jinteki")).json()["results"]
    assert past["id"] == call
    assert judge.get(scene.at("calls/?state=over&judge=nobody")).json()["count"] == 0


def test_who_is_no_judge_sees_that_a_table_waits_and_not_what_for(
    scene: Scene, phone: APIClient, judge: APIClient
):
    call = raised(scene, phone, "Canary words")
    posted(judge, scene.at(f"calls/{call}/escalate/"), {"reason": "Canary reason"})
    keeper = client_of(add_staff(scene.event, "scorekeeper"))

    again = posted(keeper, scene.at("calls/"), {"table": 1, "about": ""})
    (waiting,) = keeper.get(scene.at("calls/")).json()["results"]

    assert (waiting["table"], waiting["for_head_judge"]) == (1, True)
    assert keeper.get(scene.at("calls/?state=over")).status_code == 403
    for shown in (waiting, again.json()):
        assert (shown["about"], shown["raised_by"], shown["escalated_by"]) == ("", None, None)
        assert "Canary" not in str(shown)


def test_an_appeal_goes_to_the_head_judge(
    scene: Scene, phone: APIClient, judge: APIClient, head: APIClient
):
    call = raised(scene, phone)
    posted(judge, scene.at(f"calls/{call}/answer/"), {"text": "No."})
    appeal = posted(phone, scene.at(f"calls/{call}/appeal/"), {"about": "But it says so."})
    pk = appeal.json()["id"]

    assert appeal.status_code == 201
    assert appeal.json()["for_head_judge"] is True
    refused = posted(judge, scene.at(f"calls/{pk}/answer/"), {"overturned": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "head_judge_only")
    unsaid = posted(head, scene.at(f"calls/{pk}/answer/"), {})
    assert unsaid.status_code == 400
    assert "overturned" in unsaid.json()["errors"]
    decided = posted(head, scene.at(f"calls/{pk}/answer/"), {"overturned": True}).json()
    assert (decided["appeals"], decided["overturned"]) == (call, True)
    assert judge.get(scene.at(f"calls/{call}/")).json()["appealed_by"] == pk


def test_a_penalty_comes_with_an_answer_or_neither(
    scene: Scene, phone: APIClient, judge: APIClient
):
    call = raised(scene, phone)
    address = scene.at(f"calls/{call}/answer/")
    elsewhere = {"player": scene.other.number, "infraction": "late"}
    refused = posted(judge, address, {"penalty": elsewhere})

    assert refused.status_code == 400
    assert JudgeCall.objects.get(pk=call).is_open
    body = {"text": "Sit down.", "penalty": {**elsewhere, "player": scene.mine.number}}
    assert posted(judge, address, body).status_code == 200
    (given,) = judge.get(scene.at("penalties/")).json()["results"]
    assert (given["player"]["number"], given["text"]) == (scene.mine.number, "Sit down.")


def test_costly_penalty_with_an_answer_needs_its_effect_seen(
    scene: Scene, phone: APIClient, judge: APIClient
):
    call = raised(scene, phone)
    address = scene.at(f"calls/{call}/answer/")
    penalty = {"player": scene.mine.number, "infraction": "late", "kind": "game_loss", "game": 1}
    unseen = posted(judge, address, {"text": "Late again.", "penalty": penalty})

    assert (unseen.status_code, unseen.json()["code"]) == (409, "effect_not_seen")
    assert scene.theirs.player.name in unseen.json()["errors"]["effect"][0]
    assert JudgeCall.objects.get(pk=call).is_open
    assert not scene.event.penalties.exists()

    seen = {**penalty, "version": unseen.json()["errors"]["version"]}
    assert posted(judge, address, {"text": "Late again.", "penalty": seen}).status_code == 200
    assert scene.event.penalties.get().kind == "game_loss"


def test_what_is_wrong_is_named(scene: Scene, judge: APIClient):
    call = calls.raise_call(scene.pairing, owner_of(scene.event)).pk
    body = {"minutes": 61, "text": "x" * 2001, "rulings": [{"code": "R-9999"}], "word": 1}
    wrong = posted(judge, scene.at(f"calls/{call}/answer/"), body).json()["errors"]
    del body["word"]
    more = posted(judge, scene.at(f"calls/{call}/answer/"), body).json()["errors"]

    assert set(wrong) == {"word"}
    assert set(more) == {"minutes", "text", "rulings"}
    assert "R-9999" in str(more["rulings"])
    for query in ("state=some", "round=1", "judge=x"):
        assert judge.get(scene.at(f"calls/?{query}")).status_code == 400
