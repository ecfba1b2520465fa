"""Kept answers before the site: who gets one, and when the site is asked again."""

from concurrent.futures import ThreadPoolExecutor, wait
from http import HTTPStatus
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.test import RequestFactory
from pytest_django import DjangoDbBlocker

from core import freshness, front
from core.front import Front
from tests.core.fronting import ask, own_marks

pytestmark = pytest.mark.django_db(transaction=True)


class Site:
    """Answers how often it was asked, and tells of thing 7 unless told otherwise."""

    def __init__(self, **headers: str) -> None:
        self.asked = 0
        self.thing: int | None = 7
        self.until: float | None = None
        self.status = "200 OK"
        self.headers = {"ETag": 'W/"one"', "Vary": "Cookie", **headers}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked += 1
        request = RequestFactory().get(environ["PATH_INFO"])
        request.META.update(environ)
        if self.thing is not None:
            front.tell(request, self.thing, until=self.until)
        start_response(self.status, list(self.headers.items()))
        return [str(self.asked).encode()]


@pytest.fixture(autouse=True)
def _own_marks(tmp_path: Path):
    with own_marks(tmp_path):
        yield


def settled(site: Site) -> Front:
    """A front that knows what `/a/` tells of and keeps its answer; the site was asked twice."""
    fronted = Front(site)
    ask(fronted, "/a/")
    ask(fronted, "/a/")
    assert site.asked == 2
    return fronted


def test_from_the_second_answer_on_it_is_kept():
    site = Site()
    fronted = settled(site)

    answers = {ask(fronted, "/a/").body for _ in range(5)}

    assert (answers, site.asked) == ({b"2"}, 2)


def test_a_change_is_in_the_very_next_answer():
    site = Site()
    fronted = settled(site)

    freshness.changing(7)

    assert ask(fronted, "/a/").body == b"3"
    assert ask(fronted, "/a/").body == b"3"


def test_what_changes_while_the_site_answers_is_not_kept():
    site = Site()
    fronted = settled(site)
    freshness.changing(7)
    plain = site.__call__

    def changing(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        freshness.changing(7)
        return plain(environ, start_response)

    fronted.site = changing
    assert ask(fronted, "/a/").body == b"3"
    fronted.site = site

    assert ask(fronted, "/a/").body == b"4"


def test_a_copy_that_is_right_needs_no_body():
    fronted = settled(Site(**{"Cache-Control": "no-cache", "Content-Security-Policy": "x"}))

    answer = ask(fronted, "/a/", HTTP_IF_NONE_MATCH='"zero", W/"one"')

    assert (answer.status, answer.body) == (HTTPStatus.NOT_MODIFIED, b"")
    assert answer.headers.keys() == {"ETag", "Vary", "Cache-Control", "Datafort-Now"}


def test_of_a_304_the_etag_is_kept():
    site = Site()
    site.status = "304 Not Modified"
    fronted = settled(site)

    assert ask(fronted, "/a/", HTTP_IF_NONE_MATCH='W/"one"').status == HTTPStatus.NOT_MODIFIED
    assert site.asked == 2
    site.status = "200 OK"
    assert ask(fronted, "/a/").body == b"3"


@pytest.mark.parametrize(
    "asked",
    [
        {"HTTP_COOKIE": "sessionid=x"},
        {"HTTP_COOKIE": "csrftoken=x; sessionid=y"},
        {"HTTP_COOKIE": "messages=x"},
        {"HTTP_AUTHORIZATION": "Token x"},
        {"REQUEST_METHOD": "POST"},
        {"CONTENT_LENGTH": "2"},
    ],
)
def test_whoever_is_known_goes_to_the_site(asked: dict[str, str]):
    site = Site()
    fronted = settled(site)

    assert ask(fronted, "/a/", **asked).body == b"3"
    assert ask(fronted, "/a/").body == b"2"


@pytest.mark.parametrize(
    "asked",
    [
        {"HTTP_HOST": "other.example"},
        {"wsgi.url_scheme": "https"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_X_FRAGMENT": "1"},
        {"HTTP_ACCEPT_ENCODING": "gzip"},
        {"QUERY_STRING": "round=1"},
    ],
)
def test_another_place_has_another_answer(asked: dict[str, str]):
    fronted = settled(Site())

    assert ask(fronted, "/a/", **asked).body == b"3"


def polled(front: Front, session: str = "x", etag: str = 'W/"one"', **asked: str) -> Any:
    """What a device gets that knows its reader and has an answer already."""
    return ask(
        front,
        "/a/",
        HTTP_COOKIE=f"sessionid={session}; csrftoken=y",
        HTTP_X_FRAGMENT="1",
        HTTP_IF_NONE_MATCH=etag,
        **asked,
    )


def known(site: Site) -> Front:
    """A front that knows of what the answers to the reader of session x tell."""
    fronted = Front(site)
    site.status = "304 Not Modified"
    assert {polled(fronted).status for _ in range(2)} == {HTTPStatus.NOT_MODIFIED}
    assert site.asked == 2
    return fronted


def test_a_reader_hears_that_the_own_copy_is_right():
    site = Site(**{"Cache-Control": "private, no-store"})
    fronted = known(site)

    answer = polled(fronted)

    assert (answer.status, answer.body, site.asked) == (HTTPStatus.NOT_MODIFIED, b"", 2)
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_a_reader_hears_of_a_change_at_once():
    site = Site()
    fronted = known(site)

    freshness.changing(7)

    polled(fronted)
    assert site.asked == 3


def test_of_the_page_of_a_reader_nothing_but_the_etag_is_kept():
    site = Site()
    fronted = known(site)
    site.status = "200 OK"

    answers = [polled(fronted, etag='"zero"') for _ in range(3)]

    assert [answer.body for answer in answers] == [b"3", b"4", b"5"]
    assert {kept.body for kept in fronted._kept.values()} == {None}


@pytest.mark.parametrize(
    "asked",
    [
        {"HTTP_COOKIE": "sessionid=z; csrftoken=y"},
        {"HTTP_COOKIE": "csrftoken=y"},
        {"HTTP_COOKIE": "sessionid=x; messages=m"},
        {"HTTP_X_FRAGMENT": "0"},
        {"HTTP_IF_NONE_MATCH": '"zero"'},
        {"HTTP_AUTHORIZATION": "Token x"},
        {"REQUEST_METHOD": "POST"},
    ],
)
def test_what_one_reader_heard_is_told_to_nobody_else(asked: dict[str, str]):
    site = Site()
    fronted = known(site)
    of_x = {
        "HTTP_COOKIE": "sessionid=x",
        "HTTP_X_FRAGMENT": "1",
        "HTTP_IF_NONE_MATCH": 'W/"one"',
    }

    ask(fronted, "/a/", **{**of_x, **asked})

    assert site.asked == 3


def test_strangers_who_ask_at_once_have_it_asked_for_once():
    site = Site()
    fronted = settled(site)
    freshness.changing(7)
    plain, may_answer = site.__call__, Event()

    def slow(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        assert may_answer.wait(10)
        return plain(environ, start_response)

    fronted.site = slow
    with ThreadPoolExecutor(8) as hands:
        asked = [hands.submit(ask, fronted, "/a/") for _ in range(8)]
        wait(asked, timeout=0.2)
        may_answer.set()
        bodies = {answer.result(10).body for answer in asked}

    # One was on its way while the others came: what they get was begun after that.
    assert bodies <= {b"3", b"4"}
    assert site.asked <= 4


def test_strangers_do_not_share_what_turns_out_to_be_for_one():
    site = Site()
    fronted = settled(site)
    freshness.changing(7)
    site.headers["Set-Cookie"] = "csrftoken=z"

    with ThreadPoolExecutor(4) as hands:
        asked = [hands.submit(ask, fronted, "/a/") for _ in range(4)]
        bodies = sorted(answer.result(10).body for answer in asked)

    assert bodies == [b"3", b"4", b"5", b"6"]


def test_a_form_token_alone_is_nobody():
    fronted = settled(Site())

    assert ask(fronted, "/a/", HTTP_COOKIE="csrftoken=abc").body == b"2"


@pytest.mark.parametrize("header", ["Set-Cookie", "ETag"])
def test_an_answer_with_a_cookie_or_without_an_etag_is_for_one(header: str):
    site = Site(**{header: "" if header == "ETag" else "a=b"})
    fronted = Front(site)

    assert [ask(fronted, "/a/").body for _ in range(3)] == [b"1", b"2", b"3"]


@pytest.mark.parametrize("status", ["404 Not Found", "302 Found", "503 Service Unavailable"])
def test_refusals_are_not_kept(status: str):
    site = Site()
    fronted = settled(site)
    freshness.changing(7)
    site.status = status

    assert [ask(fronted, "/a/").body for _ in range(2)] == [b"3", b"4"]


def test_what_no_view_speaks_for_is_not_kept():
    site = Site()
    site.thing = None
    fronted = Front(site)

    assert [ask(fronted, "/a/").body for _ in range(3)] == [b"1", b"2", b"3"]


def test_an_answer_ends_at_its_moment_and_after_a_minute(time_machine):
    time_machine.move_to(1_000, tick=False)
    site = Site()
    site.until = 1_010
    fronted = settled(site)
    time_machine.move_to(1_011, tick=False)
    assert ask(fronted, "/a/").body == b"3"

    site.until = None
    ask(fronted, "/a/")
    time_machine.shift(front.KEPT_SECONDS + 1)

    assert ask(fronted, "/a/").body == b"5"


def test_every_answer_tells_the_time_it_was_given(time_machine):
    time_machine.move_to(1_000, tick=False)
    fronted = settled(Site(**{"Datafort-Now": "5", "X-Request-Id": "of-another"}))

    headers = ask(fronted, "/a/").headers

    assert headers["Datafort-Now"] == "1000000"
    assert "X-Request-Id" not in headers


def test_the_oldest_goes_when_there_is_no_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "MOST_BYTES", 5_000)
    site = Site()
    fronted = settled(site)
    for path in ("/b/", "/c/"):
        ask(fronted, path)

    assert ask(fronted, "/a/").body == b"5"


def test_long_addresses_take_room_as_well(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "MOST_BYTES", 50_000)
    site = Site()
    fronted = settled(site)
    for place in range(10):
        ask(fronted, f"/b/?q={place}{'x' * 10_000}")

    assert len(fronted._kept) < 5
    assert ask(fronted, "/a/").body == b"13"


def test_a_process_can_start_while_the_database_is_away(django_db_blocker: DjangoDbBlocker):
    with django_db_blocker.block():
        assert Front(Site())


def test_a_new_process_forgets_what_others_kept():
    """It may have died in the middle of a change."""
    site = Site()
    fronted = settled(site)

    Front(Site())

    assert ask(fronted, "/a/").body == b"3"
