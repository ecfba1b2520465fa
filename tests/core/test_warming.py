"""What strangers had rendered is rendered again before they ask."""

import pytest
from django.core.cache import caches
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction
from django.test import RequestFactory

from core import warming


@pytest.fixture(autouse=True)
def _empty_cache():
    caches["pages"].clear()


def ask(path: str, **headers: str):
    return RequestFactory().get(path, headers=headers, SERVER_NAME="hall.example")


def noted(group: str = "event") -> list[warming.Address]:
    known: list[warming.Address] = caches["pages"].get(f"asked-for:{group}", [])
    return known


def test_an_address_is_noted_once_the_newest_first():
    for path in ("/a/?b=c", "/ä/", "/a/?b=c"):
        warming.note("event", ask(path))

    assert [(known.path, known.query) for known in noted()] == [("/a/", "b=c"), ("/ä/", "")]


def test_a_part_and_its_page_are_two_addresses():
    warming.note("event", ask("/a/", **{"X-Fragment": "1"}))
    warming.note("event", ask("/a/"))

    assert [known.fragment for known in noted()] == ["", "1"]


def test_only_the_newest_addresses_are_known():
    for number in range(100):
        warming.note("event", ask(f"/{number}/"))

    assert len(noted()) == warming.ADDRESSES_KEPT
    assert noted()[0].path == "/99/"


def test_the_same_request_is_made_again():
    request = ask("/ä/?b=c", **{"X-Fragment": "1"})
    warming.note("event", request)

    again = WSGIRequest(noted()[0].environ())

    assert again.get_full_path() == request.get_full_path()
    assert again.build_absolute_uri() == request.build_absolute_uri()
    assert again.headers["X-Fragment"] == "1"
    assert again.COOKIES == {}


@pytest.mark.django_db
def test_a_page_that_breaks_is_nobodys_failure():
    warming.note("event", ask("/no/such/page/"))

    warming.warm(noted())


@pytest.mark.django_db(transaction=True)
def test_a_cache_that_breaks_holds_up_no_change(monkeypatch: pytest.MonkeyPatch, caplog):
    def broken(*_: object) -> None:
        raise RuntimeError("no cache")

    monkeypatch.setattr(caches["pages"], "get", broken)

    with transaction.atomic():
        warming.after_commit("event")

    assert "no cache" in caplog.text
