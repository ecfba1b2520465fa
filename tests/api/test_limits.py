"""How often the API answers."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from config.settings.limits import API_LIMITS
from core.management.commands.serve import THREADS
from core.rate_limits import at_once, rate_limited
from players.models import User
from tests.api.clients import client_of, guest, make_token, with_token
from tests.factories import tournaments as make
from tournaments.models import Series

ADDRESS = "/api/v1/formats/"
TWELVE = datetime(2026, 5, 2, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Any]:
    """Twelve o'clock, and nothing counted yet."""
    caches["default"].clear()
    with time_machine.travel(TWELVE, tick=False) as clock:
        yield clock
    caches["default"].clear()


@pytest.fixture
def limits(settings) -> dict[str, int]:
    """The numbers, to be made small."""
    settings.API_LIMITS = dict(settings.API_LIMITS)
    found: dict[str, int] = settings.API_LIMITS
    return found


def statuses(client: APIClient, times: int, **headers: Any) -> list[int]:
    return [client.get(ADDRESS, **headers).status_code for _ in range(times)]


def test_the_numbers_leave_room_for_a_crowd_of_phones():
    assert API_LIMITS["address"] >= 2 * 500 * 12
    assert API_LIMITS["typing"] >= 60 * 50
    assert API_LIMITS["at_once"] < THREADS


def test_who_asks_too_often_is_given_a_time_to_retry(clock, limits, api: APIClient):
    limits["address"] = 2
    clock.shift(20)

    assert statuses(api, 2) == [200, 200]
    refused = api.get(ADDRESS)

    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "40"
    assert refused.json() == {
        "code": "throttled",
        "detail": "Too many requests. Try again in 40 seconds (see Retry-After).",
        "errors": {},
    }
    clock.shift(39)
    assert "Try again in 1 second (" in api.get(ADDRESS).json()["detail"]
    clock.shift(1)
    assert statuses(api, 1) == [200]


def test_each_token_is_counted_by_itself(clock, limits):
    limits["token"] = 2
    user = make.make_user()
    one, other = (with_token(make_token(user)) for _ in range(2))

    assert statuses(one, 3) == [200, 200, 429]
    assert statuses(other, 1) == [200]


def test_writes_of_a_token_have_a_limit_of_their_own(clock, limits):
    limits["token_writes"] = 1
    client = with_token(make_token(make.make_user()))

    assert [client.post("/api/v1/decks/check/").status_code for _ in range(2)] == [400, 429]
    assert statuses(client, 2) == [200, 200]


def test_accounts_and_guests_of_one_venue_are_counted_apart(clock, limits):
    limits["person"] = 2
    event = make.make_event(players=1)
    phones = [*(client_of(make.make_user()) for _ in range(2)), guest(make.player_number(event, 1))]

    assert [statuses(phone, 3) for phone in phones] == [[200, 200, 429]] * 3


def test_unknown_tokens_wait_and_known_ones_beside_them_do_not(clock, limits):
    limits["unknown_tokens"] = 2
    guesser, program = with_token("f" * 64), with_token(make_token(make.make_user()))

    assert statuses(guesser, 3) == [401, 401, 429]
    assert statuses(program, 1) == [200]


def test_the_address_is_the_one_the_trusted_proxy_names(clock, limits, settings, api: APIClient):
    limits["address"] = 1
    made_up = {"HTTP_X_FORWARDED_FOR": "203.0.113.1"}
    assert statuses(api, 1, **made_up) == [200]
    assert statuses(api, 1, HTTP_X_FORWARDED_FOR="203.0.113.2") == [429]

    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert statuses(api, 2, **made_up) == [200, 429]
    assert statuses(api, 1, HTTP_X_FORWARDED_FOR="203.0.113.1, 203.0.113.9") == [200]


def test_a_household_of_ipv6_is_one_address(clock, limits, api: APIClient):
    limits["address"] = 1

    assert statuses(api, 1, REMOTE_ADDR="2001:db8::1") == [200]
    assert statuses(api, 1, REMOTE_ADDR="2001:db8::2") == [429]
    assert statuses(api, 1, REMOTE_ADDR="2001:db8:0:1::1") == [200]


def test_counting_asks_no_query(clock, db, django_assert_num_queries, api: APIClient):
    with django_assert_num_queries(1):  # Whether there is such an event.
        api.head("/api/v1/events/nothing/")


DECK_CHECK = "/api/v1/decks/check/"


def checked_on_page(client: Client) -> int:
    return client.post("/decks/check/", {"rules": "onr", "text": "3 Fang"}).status_code


@pytest.mark.goal("G18")
def test_a_strangers_address_gets_so_many_deck_checks_a_minute_on_page_and_api(
    clock, limits, api: APIClient, client: Client
):
    limits["expensive"] = 2
    body = {"text": "3 Fang", "game": "onr"}
    api.post(DECK_CHECK, body, "json")

    assert checked_on_page(client) == 200
    refused = client.post("/decks/check/", {"rules": "onr", "text": "3 Fang"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert "Wait 60 seconds" in refused.content.decode()
    answer = api.post(DECK_CHECK, body, "json")
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert client.get("/decks/check/").status_code == client.get("/events/").status_code == 200


EXPENSIVE = [
    ("expensive", "POST", "/decks/check/"),
    ("expensive", "GET", "/rulings/booklet/onr/"),
    ("expensive", "GET", "/events/import/"),
    ("expensive", "GET", "/events/calendar.ics"),
    ("expensive", "GET", "/events/spring-run/calendar.ics"),
    ("expensive", "GET", "/events/spring-run/exports/nrtm/"),
    ("expensive", "GET", "/help/rounds/"),
    ("expensive", "GET", "/ratings/onr/ratings.csv"),
    ("expensive", "GET", "/series/spring/table.csv"),
    ("expensive", "GET", "/series/spring/statistics/"),
    ("expensive", "GET", "/series/spring/statistics.csv"),
    ("expensive", "GET", "/series/spring/calendar.ics"),
    ("expensive", "GET", "/statistics/"),
    ("expensive", "GET", "/statistics.csv"),
    ("expensive", "GET", "/events/spring-run/rulings/booklet/"),
    ("expensive", "GET", "/api/schema/"),
    ("expensive", "POST", DECK_CHECK),
    ("expensive", "POST", "/api/v1/decks/export/"),
    ("expensive", "POST", "/api/v1/events/spring-run/decks/check/"),
    ("expensive", "GET", "/api/v1/events/spring-run/exports/nrtm/"),
    ("expensive", "POST", "/api/v1/imports/"),
    ("expensive", "GET", "/api/v1/rulings/all/"),
    ("expensive", "GET", "/api/v1/series/spring/statistics/"),
    ("expensive", "GET", "/api/v1/statistics/"),
    ("expensive", "GET", "/api/v1/suggested-rounds/"),
    ("search", "GET", "/cards/"),
    ("search", "GET", "/rulings/search/"),
    ("search", "GET", "/rulings/pick/"),
    ("search", "GET", "/api/v1/cards/"),
    ("search", "GET", "/api/v1/rulings/"),
    ("search", "GET", "/events/?q=spring"),
    ("search", "GET", "/archive/?q=spring"),
    ("search", "GET", "/api/v1/events/?game=onr"),
    ("search", "GET", "/series/spring/"),
    ("search", "GET", "/api/v1/series/spring/table/"),
    ("search", "GET", "/api/v1/series/spring/qualified/"),
    ("search", "GET", "/ratings/onr/"),
    ("search", "GET", "/api/v1/ratings/onr/"),
    ("search", "GET", "/people/1/"),
    ("search", "GET", "/people/1/opponents/onr/"),
    ("search", "GET", "/api/v1/people/1/"),
    ("search", "GET", "/api/v1/people/1/events/"),
    ("search", "GET", "/api/v1/people/1/opponents/onr/"),
    ("typing", "GET", "/cards/complete/"),
    ("typing", "GET", "/api/v1/cards/complete/"),
]


@pytest.mark.usefixtures("clock")
def test_these_expensive_addresses_have_their_limits(limits, event):
    browser = Client()
    browser.force_login(make.make_user())
    Series.objects.create(name="Spring", slug="spring")

    for limit, method, address in EXPENSIVE:
        before, limits[limit] = limits[limit], 0
        refused = browser.generic(method, address)
        limits[limit] = before
        assert (address, refused.status_code) == (address, 429)
        assert refused["Retry-After"] == "60", address


@pytest.mark.usefixtures("clock")
def test_a_hall_opens_the_lists_of_events_at_once(limits, client: Client):
    limits["search"] = limits["at_once"] = 0

    for address in ("/events/", "/archive/", "/api/v1/events/"):
        assert client.get(address).status_code == 200, address


@pytest.mark.usefixtures("clock")
def test_who_helps_at_an_event_is_counted_alone_and_the_sites_staff_is_not(limits):
    limits["expensive"], limits["organiser"] = 0, 1
    users = {name: make.make_user(name) for name in ("player", "owner", "other", "admin")}
    make.make_event(0, owner=users["owner"])
    make.make_event(0, owner=users["other"])
    User.objects.filter(username="admin").update(is_staff=True)
    checked = {}
    for name, user in users.items():
        browser = Client()
        browser.force_login(user)
        checked[name] = [checked_on_page(browser) for _ in range(2)]

    assert checked == {
        "player": [429, 429],
        "owner": [200, 429],
        "other": [200, 429],
        "admin": [200, 200],
    }


@pytest.mark.usefixtures("clock")
@pytest.mark.goal("G18")
@pytest.mark.parametrize("other", ["expensive", "search"])
def test_an_address_asks_for_only_so_many_answers_at_once_of_whatever_kind(
    limits, rf: RequestFactory, other: str
):
    limits["at_once"] = 1
    inside: list[int] = []

    @rate_limited(other)
    def beside(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    @rate_limited("expensive")
    def slow(request: HttpRequest) -> HttpResponse:
        inside.append(beside(asked()).status_code)
        return HttpResponse()

    def asked() -> HttpRequest:
        request = rf.get("/")
        request.user = AnonymousUser()
        return request

    assert slow(asked()).status_code == 200
    assert inside == [429]
    assert beside(asked()).status_code == 200


@pytest.mark.goal("G18")
def test_what_is_at_work_counts_in_the_next_minute_too_and_then_no_more(clock, limits):
    limits["at_once"] = 1

    with at_once("requests", "somebody"):
        clock.shift(70)
        with at_once("requests", "somebody") as is_free:
            assert not is_free
    with at_once("requests", "somebody") as is_free:
        assert is_free
        with at_once("requests", "somebody") as is_free:
            assert not is_free
    with at_once("requests", "somebody"):  # by a process that dies at its work
        clock.shift(130)
        with at_once("requests", "somebody") as is_free:
            assert is_free


def test_the_description_is_served_as_it_was_written(client: Client):
    answer = client.get("/api/schema/")

    assert answer.content == (settings.BASE_DIR / "docs" / "openapi.yaml").read_bytes()
    assert client.get("/api/schema/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert client.get("/api/schema/?format=json").json()["info"]["title"] == "Datafort API"
