"""The infraction guide, local rulings and penalties of an event over the API."""

from rest_framework.test import APIClient

from rulings.models import Ruling
from tests.api.judging.conftest import Scene, posted
from tests.factories.tournaments import owner_of
from tournaments.judging import local_rulings, penalties


def test_guide_lists_infractions_as_changed_for_the_event(scene: Scene):
    owner = owner_of(scene.event)
    penalties.change_infraction(scene.event, owner, "late", ladder=["caution", "warning"])

    listed = APIClient().get(scene.at("guide/?page_size=500")).json()["results"]
    late = next(one for one in listed if one["code"] == "late")

    assert (late["ladder"], late["otherwise"]) == (["caution", "warning"], "changed here")


def test_local_ruling_is_read_by_everyone_and_its_document_stays_private(
    scene: Scene, ruling: Ruling
):
    wording = local_rulings.Wording("Three minutes.", [ruling.versions.get()], "It came up.")
    local = local_rulings.make(scene.event, owner_of(scene.event), "Slow play", wording)
    stranger = APIClient()

    (listed,) = stranger.get(scene.at("rulings/")).json()["results"]
    kept = [stranger.get(f"/api/v1/rulings/{code}/") for code in (listed["code"], ruling.code)]

    assert (listed["text"], listed["version"], listed["newest"]) == ("Three minutes.", 1, 1)
    assert listed["rulings"][0]["code"] == ruling.short_code
    assert stranger.get(scene.at(f"rulings/{local.pk}/")).json() == listed
    assert ["private" in answer["Cache-Control"] for answer in kept] == [True, False]


def test_warning_is_given_at_once_and_a_game_loss_after_its_effect_was_seen(
    scene: Scene, judge: APIClient, ruling: Ruling
):
    place = {"player": scene.mine.number, "infraction": "late"}
    cited = {"text": "Two minutes.", "rulings": [{"code": ruling.code}]}
    first = posted(judge, scene.at("penalties/"), {**place, **cited})
    penalty = first.json()
    gameless = posted(judge, scene.at("penalties/"), place)

    assert first.status_code == 201
    assert (penalty["kind"], penalty["expected"], penalty["stands"]) == ("warning", "warning", True)
    assert (penalty["round"], penalty["table"], penalty["given_by"]) == (1, 1, "jinteki")
    assert penalty["rulings"][0]["version"] == 1
    assert judge.get(scene.at(f"penalties/{penalty['id']}/")).json() == penalty
    assert (gameless.status_code, gameless.json()["code"]) == (409, "game_missing")
    unseen = posted(judge, scene.at("penalties/"), {**place, "game": 1})
    assert (unseen.status_code, unseen.json()["code"]) == (409, "effect_not_seen")
    assert scene.theirs.player.name in unseen.json()["errors"]["effect"][0]
    named = {**place, "kind": "game_loss", "game": 1, "round": 1, "table": 1}
    stale = posted(judge, scene.at("penalties/"), {**named, "version": "0" * 16})
    assert (stale.status_code, stale.json()["code"]) == (409, "effect_changed")
    seen = posted(judge, scene.at("penalties/"), named).json()["errors"]["version"]
    given = posted(judge, scene.at("penalties/"), {**named, "version": seen})
    assert (given.status_code, given.json()["game"]) == (201, 1)
    silent = posted(judge, scene.at("penalties/"), {**place, "kind": "warning"})
    assert silent.json()["code"] == "reason_missing"


def test_a_player_who_is_not_here_has_no_penalty(scene: Scene, judge: APIClient):
    unknown = posted(judge, scene.at("penalties/"), {"player": 99, "infraction": "late"})
    no_crime = posted(judge, scene.at("penalties/"), {"player": 1, "infraction": "smiling"})
    body = {"player": scene.other.number, "infraction": "late", "round": 1, "table": 1}
    elsewhere = posted(judge, scene.at("penalties/"), body)

    assert set(unknown.json()["errors"]) == {"player"}
    assert (no_crime.status_code, no_crime.json()["code"]) == (409, "unknown_infraction")
    assert set(elsewhere.json()["errors"]) == {"table"}
