"""The guide and the local rulings of an event over the API."""

import pytest
from rest_framework.test import APIClient

from rulings.models import Ruling
from tests.api.judging.conftest import Hall, client_of, posted
from tests.factories.tournaments import make_event, owner_of
from tournaments.services import local_rulings
from tournaments.services.local_rulings import Wording

pytestmark = pytest.mark.django_db
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


def test_an_event_adds_an_infraction_of_its_own(hall: Hall, head: APIClient):
    new = {"name": "Loud singing", "description": "At the table.", "ladder": ["caution"]}
    codes = [posted(head, hall.at("guide/"), new).json()["code"] for _ in range(2)]
    own = hall.at("guide/loud-singing/")
    off = posted(head, own, {"ladder": ["warning"], "is_off": True}, "put").json()

    assert codes == ["loud-singing", "loud-singing-2"]
    assert (off["name"], off["is_off"]) == ("Loud singing", True)
    assert posted(head, own, method="delete").status_code == 204
    assert head.get(own).status_code == 404


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


def test_a_ruling_of_an_earlier_event_holds_again(hall: Hall):
    owner = owner_of(hall.event)
    earlier = make_event(players=0, name="Earlier", owner=owner.user)
    made = local_rulings.make(earlier, owner, "Draws", Wording("They are fine."))
    client, offered = client_of(owner.user), hall.at("rulings/offered/")
    code = client.get(offered).json()["results"][0]["code"]
    used = posted(client, offered, {"code": code})
    unknown = posted(client, offered, {"code": "R-9999"})

    assert code == made.ruling.short_code
    assert (used.status_code, used.json()["made_here"]) == (201, False)
    assert unknown.status_code == 409
    one = hall.at(f"rulings/{used.json()['id']}/")
    refused = posted(client, one, {"text": "No.", "seen": 1, "reason": "So."}, "put")
    assert (refused.status_code, refused.json()["code"]) == (409, "made_elsewhere")
    assert posted(client, one, method="delete").status_code == 204
    assert client.get(one).status_code == 404


def test_notes_are_written_by_judges_and_cited(hall: Hall, judge: APIClient, ruling: Ruling):
    notes = hall.at("rounds/1/tables/1/notes/")
    empty = posted(judge, notes)
    note = posted(judge, notes, {"text": "So.", "rulings": [{"code": ruling.code}]})
    (cited,) = judge.get(hall.at("cited/")).json()["results"]

    assert (empty.status_code, empty.json()["code"]) == (409, "empty_note")
    assert note.status_code == 201
    assert (cited["code"], cited["places"][0]["table"]) == (ruling.short_code, 1)
    assert APIClient().get(notes).status_code == 401
