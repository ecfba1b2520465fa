"""Pages of the site that are rendered once for all strangers."""

from datetime import UTC, datetime

import pytest
from django.core.cache import caches
from django.test import Client

from core import rate_limits
from tests.factories.tournaments import make_event, make_user

pytestmark = [pytest.mark.goal("G18"), pytest.mark.usefixtures("own_clock")]
PAGES = (
    *("/", "/events/", "/archive/", "/help/", "/help/scoring/"),
    *("/rulings/", "/rulings/changes/", "/rulings/rules/", "/rulings/guide/"),
)


@pytest.fixture(autouse=True)
def page_cache_of_the_test(settings, time_machine):
    """Cache pages for an hour, in a cache of the test."""
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.STRANGERS_PAGES_SECONDS = 3600
    time_machine.move_to(datetime(2026, 5, 2, 12, tzinfo=UTC), tick=False)
    settings.CACHES = {
        **settings.CACHES,
        "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "own"},
    }
    caches["pages"].clear()


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_strangers_share_a_page_for_any_query_string(page: str, django_assert_num_queries):
    first = Client().get(page)

    with django_assert_num_queries(0):
        second = Client().get(page)

    assert first.status_code == second.status_code == 200
    assert (second.content, second["ETag"]) == (first.content, first["ETag"])
    assert "Cookie" in second["Vary"]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/", "/rulings/", "/help/"])
def test_unknown_parameters_return_the_cached_page(page: str, django_assert_num_queries):
    first = Client().get(page)

    with django_assert_num_queries(0):
        assert Client().get(f"{page}?x=1&q=2").content == first.content


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["X-Fragment", "HX-Request"])
def test_invalid_fragment_headers_return_the_cached_page(header, django_assert_num_queries):
    first = Client().get("/")

    with django_assert_num_queries(0):
        assert Client().get("/", headers={header: "2"}).content == first.content


@pytest.mark.django_db
def test_fragment_is_cached_separately_from_its_page():
    part = Client().get("/", headers={"X-Fragment": "1"})
    page = Client().get("/")

    assert "<html" not in part.text
    assert "<html" in page.text
    assert Client().get("/", headers={"X-Fragment": "1"}).content == part.content


def test_number_of_hosts_rendered_for_strangers_is_limited(db, settings):
    settings.ALLOWED_HOSTS = ["*"]
    settings.API_LIMITS = {**settings.API_LIMITS, "search": 1}
    hosts = ("one.example", "two.example", "one.example", "localhost")

    statuses = [Client().get("/", HTTP_HOST=host).status_code for host in hosts]

    assert statuses == [200, 429, 200, 200]


def test_strangers_see_a_new_event_once_the_cached_page_expires(db, time_machine):
    assert "Spring Run" not in Client().get("/").text
    make_event(0, name="Spring Run")
    assert "Spring Run" not in Client().get("/").text

    time_machine.shift(3600)

    assert "Spring Run" in Client().get("/").text


def test_accounts_see_a_new_event_immediately(db):
    browser = Client()
    browser.force_login(make_user("ada"))
    browser.get("/")
    make_event(0, name="Spring Run")

    assert "Spring Run" in browser.get("/").text


@pytest.mark.parametrize("page", ["/rulings/?game=onr", "/rulings/changes/?page=2"])
def test_number_of_new_addresses_rendered_for_strangers_is_limited(db, settings, page: str):
    settings.API_LIMITS = {**settings.API_LIMITS, "search": 0}

    refused = Client().get(page)

    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert Client().get(page.partition("?")[0]).status_code == 200


@pytest.mark.parametrize("query", ["q=spring", "unknown=1"])
def test_search_of_events_counts_as_one_simultaneous_request(db, settings, monkeypatch, query: str):
    monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
    settings.ALLOWED_HOSTS = ["*"]
    settings.API_LIMITS = {**settings.API_LIMITS, "requests_at_once": 1}

    assert Client().get(f"/events/?{query}", HTTP_HOST="one.example").status_code == 200


@pytest.mark.django_db
def test_pages_of_single_rulings_count_as_simultaneous_requests(settings, monkeypatch):
    monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
    settings.API_LIMITS = {**settings.API_LIMITS, "requests_at_once": 0}

    pages = "/rulings/rules/tea-and-cake/", "/rulings/"
    assert [Client().get(page).status_code for page in pages] == [429, 200]
