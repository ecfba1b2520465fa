"""The infraction guide, local rulings and penalties of an event over the API."""

from rest_framework.test import APIClient

from rulings.models import Ruling
from tests.api.judging.conftest import Scene, send
from tests.factories.tournaments import owner_of
from tournaments.judging import local_rulings, penalties


def test_guide_lists_infractions_as_changed_for_the_event(scene: Scene):
    owner = owner_of(scene.event)
    penalties.change_infraction(scene.event, owner, "late", ladder=["caution", "warning"])

    listed = APIClient().get(scene.at("guide/?page_size=500")).json()["results"]
    late = next(row for row in listed if row["code"] == "late")

    assert (late["ladder"], late["otherwise"]) == (["caution", "warning"], "changed here")


def test_local_ruling_is_public_and_its_document_private(scene: Scene, ruling: Ruling):
    wording = local_rulings.Wording("Three minutes.", [ruling.versions.get()], "It came up.")
    local = local_rulings.make(scene.event, owner_of(scene.event), "Slow play", wording)
    stranger = APIClient()

    (listed,) = stranger.get(scene.at("rulings/")).json()["results"]
    of_site = [stranger.get(f"/api/v1/rulings/{code}/") for code in (listed["code"], ruling.code)]

    assert (listed["text"], listed["version"], listed["newest"]) == ("Three minutes.", 1, 1)
    assert listed["rulings"][0]["code"] == ruling.short_code
    assert stranger.get(scene.at(f"rulings/{local.pk}/")).json() == listed
    assert stranger.get(scene.at("rulings/987654/")).status_code == 404
    assert ["private" in answer["Cache-Control"] for answer in of_site] == [True, False]


def test_warning_is_given_immediately(scene: Scene, judge: APIClient, ruling: Ruling):
    body = {"player": scene.player.number, "infraction": "late", "text": "Two minutes."}
    response = send(judge, scene.at("penalties/"), {**body, "rulings": [{"code": ruling.code}]})
    penalty = response.json()

    assert response.status_code == 201
    assert (penalty["kind"], penalty["expected"], penalty["stands"]) == ("warning", "warning", True)
    assert (penalty["round"], penalty["table"], penalty["given_by"]) == (1, 1, "jinteki")
    assert penalty["rulings"][0]["version"] == 1
    assert judge.get(scene.at(f"penalties/{penalty['id']}/")).json() == penalty
    found = judge.get(scene.at("penalties/?judge=jinteki&round=1&kind=warning")).json()
    assert (found["results"], judge.get(scene.at("penalties/?judge=x")).json()["count"]) == (
        [penalty],
        0,
    )


def test_game_loss_requires_the_version_of_its_effect(scene: Scene, judge: APIClient):
    loss = {
        "player": scene.player.number,
        "infraction": "late",
        "kind": "game_loss",
        "text": "Late.",
    }
    at_table = {**loss, "game": 1, "round": 1, "table": 1}

    bodies = ({**loss, "game": 1}, at_table)
    unseen, first = (send(judge, scene.at("penalties/"), body) for body in bodies)
    stale = send(judge, scene.at("penalties/"), {**at_table, "version": "0" * 16})
    version = first.json()["errors"]["version"]
    penalty = send(judge, scene.at("penalties/"), {**at_table, "version": version})

    for answer in (unseen, first):
        assert (answer.status_code, answer.json()["code"]) == (409, "effect_not_seen")
        assert scene.opponent.player.name in answer.json()["errors"]["effect"][0]
    assert (stale.status_code, stale.json()["code"]) == (409, "effect_changed")
    assert (penalty.status_code, penalty.json()["game"]) == (201, 1)


def test_invalid_penalty_names_the_field(scene: Scene, judge: APIClient):
    late = {"player": scene.bystander.number, "infraction": "late"}
    bodies = [
        ("player", {**late, "player": 99}),
        ("table", {**late, "round": 1, "table": 1}),
        ("table", {**late, "round": 1}),
    ]

    for field, body in bodies:
        answer = send(judge, scene.at("penalties/"), body)
        assert (answer.status_code, set(answer.json()["errors"])) == (400, {field})
