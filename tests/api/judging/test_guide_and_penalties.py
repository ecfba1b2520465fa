"""The guide, local rulings and penalties of an event over the API; these shown to judges alone."""

from rest_framework.test import APIClient

from rulings.models import Ruling
from tests.api.judging.conftest import Scene, posted
from tests.factories.penalties import penalise

RULED = {"subject": "Slow play", "text": "Three minutes a turn.", "reason": "It came up."}


def test_the_guide_is_changed_for_the_event_and_back(
    scene: Scene, judge: APIClient, head: APIClient
):
    stranger, late = APIClient(), scene.at("guide/late/")
    before, seen_before = stranger.get(late), head.get(late)["ETag"]
    changed = posted(head, late, {"ladder": ["caution", "warning"]}, "put").json()
    milder = posted(head, late, {"ladder": ["warning", "caution"]}, "put")
    named = posted(head, late, {"ladder": ["caution"], "name": "Other"}, "put")
    seen = stranger.get(scene.at("guide/?page_size=500")).json()["results"]

    assert before.json()["otherwise"] == ""
    assert (changed["ladder"], changed["otherwise"]) == (["caution", "warning"], "changed here")
    assert set(milder.json()["errors"]) == {"ladder"}
    assert set(named.json()["errors"]) == {"name"}
    assert next(one for one in seen if one["code"] == "late") == changed
    assert posted(judge, late, {"ladder": ["caution"]}, "put").status_code == 403
    stale = head.put(late, {"ladder": ["warning"]}, "json", headers={"If-Match": seen_before})
    assert (stale.status_code, head.get(late).json()) == (412, changed)
    assert posted(head, late, method="delete").status_code == 204
    assert stranger.get(late).json() == before.json()


def test_a_local_ruling_is_made_read_and_written_anew(
    scene: Scene, judge: APIClient, head: APIClient, ruling: Ruling
):
    body = {**RULED, "rulings": [{"code": ruling.short_code, "version": 1}]}
    made = posted(head, scene.at("rulings/"), body).json()
    one = scene.at(f"rulings/{made['id']}/")
    next_ = {"text": "Four minutes.", "seen": 1, "reason": "Too short."}
    written = posted(head, one, next_, "put").json()
    stale = posted(head, one, {**next_, "text": "Five."}, "put")
    (read,) = APIClient().get(scene.at("rulings/")).json()["results"]
    kept = [APIClient().get(f"/api/v1/rulings/{code}/") for code in (read["code"], ruling.code)]

    assert ["private" in answer["Cache-Control"] for answer in kept] == [True, False]
    assert (made["version"], made["rulings"][0]["code"]) == (1, ruling.short_code)
    assert (written["newest"], written["rulings"]) == (2, [])
    assert (stale.status_code, stale.json()["code"]) == (409, "written_meanwhile")
    assert read["text"] == "Four minutes."
    assert posted(judge, scene.at("rulings/"), RULED).status_code == 403
    assert posted(head, one, method="delete").status_code == 204
    assert APIClient().get(one).json()["has_ended"] is True


def test_notes_are_written_by_judges_and_cited(scene: Scene, judge: APIClient, ruling: Ruling):
    notes = scene.at("rounds/1/tables/1/notes/")
    empty = posted(judge, notes)
    note = posted(judge, notes, {"text": "So.", "rulings": [{"code": ruling.code}]})
    (cited,) = judge.get(scene.at("cited/")).json()["results"]

    assert (empty.status_code, empty.json()["code"]) == (409, "empty_note")
    assert note.status_code == 201
    assert (cited["code"], cited["places"][0]["table"]) == (ruling.short_code, 1)
    assert APIClient().get(notes).status_code == 401


def test_warning_is_given_at_once_and_a_game_loss_after_its_effect_was_seen(
    scene: Scene, judge: APIClient, ruling: Ruling
):
    place = {"player": scene.mine.number, "infraction": "late"}
    cited = {"text": "Two minutes.", "rulings": [{"code": ruling.code}]}
    first = posted(judge, scene.at("penalties/"), {**place, **cited})
    penalty = first.json()
    look = posted(judge, scene.at("penalties/look/"), {**place, "game": 1}).json()
    gameless = posted(judge, scene.at("penalties/"), place)

    assert first.status_code == 201
    assert (penalty["kind"], penalty["expected"], penalty["stands"]) == ("warning", "warning", True)
    assert (penalty["round"], penalty["table"], penalty["given_by"]) == (1, 1, "jinteki")
    assert penalty["rulings"][0]["version"] == 1
    assert judge.get(scene.at(f"penalties/{penalty['id']}/")).json() == penalty
    assert (look["kind"], look["earlier"]) == ("game_loss", 1)
    assert scene.theirs.player.name in look["effect"][0]
    assert (gameless.status_code, gameless.json()["code"]) == (409, "game_missing")
    unseen = posted(judge, scene.at("penalties/"), {**place, "game": 1})
    assert (unseen.status_code, unseen.json()["code"]) == (409, "effect_not_seen")
    assert unseen.json()["errors"]["effect"] == look["effect"]
    named = {**place, "kind": "game_loss", "game": 1, "round": 1, "table": 1}
    stale = posted(judge, scene.at("penalties/"), {**named, "seen": "0" * 16})
    assert (stale.status_code, stale.json()["code"]) == (409, "effect_changed")
    seen = posted(judge, scene.at("penalties/look/"), named).json()["seen"]
    given = posted(judge, scene.at("penalties/"), {**named, "seen": seen})
    assert (given.status_code, given.json()["game"]) == (201, 1)
    silent = posted(judge, scene.at("penalties/"), {**place, "kind": "warning"})
    assert silent.json()["code"] == "reason_missing"


def test_the_conduct_of_a_player_is_shown_whole(scene: Scene, judge: APIClient, head: APIClient):
    penalise(scene.mine)
    posted(judge, scene.at("rounds/1/tables/1/notes/"), {"text": "Slow."})
    conduct = judge.get(scene.at(f"players/{scene.mine.number}/conduct/")).json()
    report = head.get(scene.at("judged/")).json()

    assert conduct["penalties"][0]["infraction"] == "late"
    assert conduct["next_times"][0]["penalty"] == "game_loss"
    assert conduct["notes"][0]["note"]["text"] == "Slow."
    assert report["penalties"][0]["number"] == scene.mine.number
    assert judge.get(scene.at("judged/")).status_code == 403


def test_a_player_who_is_not_here_has_no_penalty(scene: Scene, judge: APIClient):
    unknown = posted(judge, scene.at("penalties/"), {"player": 99, "infraction": "late"})
    no_crime = posted(judge, scene.at("penalties/"), {"player": 1, "infraction": "smiling"})
    body = {"player": scene.other.number, "infraction": "late", "round": 1, "table": 1}
    elsewhere = posted(judge, scene.at("penalties/"), body)

    assert set(unknown.json()["errors"]) == {"player"}
    assert (no_crime.status_code, no_crime.json()["code"]) == (409, "unknown_infraction")
    assert set(elsewhere.json()["errors"]) == {"table"}
