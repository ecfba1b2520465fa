"""The guide and the local rulings of an event over the API."""

from rest_framework.test import APIClient

from rulings.models import Ruling
from tests.api.judging.conftest import Hall, posted

RULED = {"subject": "Slow play", "text": "Three minutes a turn.", "reason": "It came up."}


def test_the_guide_is_changed_for_the_event_and_back(hall: Hall, judge: APIClient, head: APIClient):
    stranger, late = APIClient(), hall.at("guide/late/")
    before = stranger.get(late)
    changed = posted(head, late, {"ladder": ["caution", "warning"]}, "put").json()
    milder = posted(head, late, {"ladder": ["warning", "caution"]}, "put")
    named = posted(head, late, {"ladder": ["caution"], "name": "Other"}, "put")
    seen = stranger.get(hall.at("guide/?page_size=500")).json()["results"]

    assert before.json()["otherwise"] == ""
    assert (changed["ladder"], changed["otherwise"]) == (["caution", "warning"], "changed here")
    assert set(milder.json()["errors"]) == {"ladder"}
    assert set(named.json()["errors"]) == {"name"}
    assert next(one for one in seen if one["code"] == "late") == changed
    assert posted(judge, late, {"ladder": ["caution"]}, "put").status_code == 403
    assert posted(head, late, method="delete").status_code == 204
    assert stranger.get(late).json() == before.json()


def test_a_stale_read_of_the_guide_changes_nothing(hall: Hall, head: APIClient):
    late = hall.at("guide/late/")
    etag = head.get(late)["ETag"]
    posted(head, late, {"ladder": ["caution"]}, "put")
    stale = head.put(late, {"ladder": ["warning"]}, "json", headers={"If-Match": etag})

    assert stale.status_code == 412
    assert head.get(late).json()["ladder"] == ["caution"]


def test_a_local_ruling_is_made_read_and_written_anew(
    hall: Hall, judge: APIClient, head: APIClient, ruling: Ruling
):
    body = {**RULED, "rulings": [{"code": ruling.short_code, "version": 1}]}
    made = posted(head, hall.at("rulings/"), body).json()
    one = hall.at(f"rulings/{made['id']}/")
    next_ = {"text": "Four minutes.", "seen": 1, "reason": "Too short."}
    written = posted(head, one, next_, "put").json()
    stale = posted(head, one, {**next_, "text": "Five."}, "put")
    (read,) = APIClient().get(hall.at("rulings/")).json()["results"]

    assert (made["version"], made["rulings"][0]["code"]) == (1, ruling.short_code)
    assert (written["newest"], written["rulings"]) == (2, [])
    assert (stale.status_code, stale.json()["code"]) == (409, "written_meanwhile")
    assert read["text"] == "Four minutes."
    assert posted(judge, hall.at("rulings/"), RULED).status_code == 403
    assert posted(head, one, method="delete").status_code == 204
    assert APIClient().get(one).json()["has_ended"] is True


def test_notes_are_written_by_judges_and_cited(hall: Hall, judge: APIClient, ruling: Ruling):
    notes = hall.at("rounds/1/tables/1/notes/")
    empty = posted(judge, notes)
    note = posted(judge, notes, {"text": "So.", "rulings": [{"code": ruling.code}]})
    (cited,) = judge.get(hall.at("cited/")).json()["results"]

    assert (empty.status_code, empty.json()["code"]) == (409, "empty_note")
    assert note.status_code == 201
    assert (cited["code"], cited["places"][0]["table"]) == (ruling.short_code, 1)
    assert APIClient().get(notes).status_code == 401
