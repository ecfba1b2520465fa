"""Site administrators write rulings over the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from core.rate_limits import one_at_a_time
from tests.api.clients import client_of, make_token, with_token
from tests.api.judging.conftest import posted
from tests.factories.library import load_few_rulings
from tests.factories.tournaments import make_user
from tests.players.factors import give_app
from tests.rulings.importing.builders import house

ONE = "/api/v1/rulings/tracing-1/"
VERSION = {
    "seen": 1,
    "text": "A trace always fails.",
    "kind": "ruling",
    "in_force_from": "1999-05-04",
    "reason": "Decided anew.",
    "sources": [{"authority": "Tom Wylie", "date": "1999-05-04"}],
}


@pytest.fixture(autouse=True)
def rulings(db: None) -> None:
    load_few_rulings()


@pytest.fixture
def writer() -> APIClient:
    return client_of(make_user(is_staff=True))


def test_a_new_version_is_written_and_the_old_one_stays(writer: APIClient):
    before = writer.get(ONE)
    answer = posted(writer, f"{ONE}versions/", VERSION)
    after = writer.get(ONE, headers={"If-None-Match": before["ETag"]})
    stale = posted(writer, f"{ONE}versions/", {**VERSION, "text": "Never."})

    assert answer.status_code == 201
    newest, first = answer.json()["versions"]
    assert (newest["number"], newest["text"]) == (2, VERSION["text"])
    assert newest["citations"][0]["authority"] == "Tom Wylie"
    assert first["text"] == before.json()["current"]["text"]
    assert after.status_code == 200
    assert after.json()["current"]["number"] == 2
    assert (stale.status_code, stale.json()["code"]) == (409, "written_meanwhile")


def test_what_is_wrong_with_a_version_is_named(writer: APIClient):
    def errors(**changes: Any) -> set[str]:
        answer = posted(writer, f"{ONE}versions/", {**VERSION, **changes})
        assert answer.status_code == 400, answer.json()
        return set(answer.json()["errors"])

    assert errors(in_force_from="2999-01-01") == {"in_force_from"}
    assert errors(kind="reference", text="") == {"kind", "text"}
    assert errors(sources=[{"authority": ""}]) == {"sources"}
    assert errors(sources=[{"authority": "A"}] * 13) == {"sources"}
    assert posted(writer, "/api/v1/rulings/nothing-9/versions/", VERSION).status_code == 404


def test_a_ruling_is_withdrawn_and_holds_again(writer: APIClient):
    ended = posted(writer, f"{ONE}standing/", {"supersedes": [], "withdrawn_on": "2001-01-01"})
    back = posted(writer, f"{ONE}standing/", {"supersedes": [], "withdrawn_on": None})
    itself = posted(writer, f"{ONE}standing/", {"supersedes": ["tracing-1"], "withdrawn_on": None})
    unknown = posted(writer, f"{ONE}standing/", {"supersedes": ["R-9999"], "withdrawn_on": None})

    assert ended.json()["state"] == "withdrawn"
    assert back.json()["state"] == "in_force"
    assert (itself.status_code, itself.json()["code"]) == (409, "cannot_supersede")
    assert set(unknown.json()["errors"]) == {"supersedes"}


def test_a_file_is_looked_at_then_imported(writer: APIClient):
    address = "/api/v1/rulings/imports/"
    body = {"text": house("## Topic: Slow play", "- Three minutes.").decode()}
    look = posted(writer, f"{address}?preview=true", body)
    done = posted(writer, address, body)
    again = posted(writer, address, body).json()
    broken = posted(writer, address, {"text": "---\ntitle: T\n"})

    assert (look.status_code, look.json()["preview"]) == (200, True)
    assert done.status_code == 201
    assert done.json()["counts"] == look.json()["counts"]
    (change,) = done.json()["changes"]
    assert (change["what"], change["text"]) == ("created", "Three minutes.")
    assert again["changes"] == []
    assert broken.status_code == 400
    assert "line 1" in str(broken.json()["errors"]["text"])
    assert posted(writer, f"{address}?preview=perhaps", body).status_code == 400
    with one_at_a_time("import"):
        waiting = posted(writer, address, body)
    assert (waiting.status_code, waiting.json()["code"]) == (409, "busy")


def test_a_token_older_than_the_second_factor_writes_nothing(settings):
    settings.ADMIN_NEEDS_SECOND_FACTOR = True
    administrator = make_user(is_staff=True)
    before = with_token(make_token(administrator))
    give_app(administrator)
    after = with_token(make_token(administrator))

    answers = [posted(program, f"{ONE}versions/", VERSION) for program in (before, after)]

    assert [answer.status_code for answer in answers] == [403, 201]
