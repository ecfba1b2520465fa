"""Rate limits of pages and the API."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from threading import BoundedSemaphore
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from config.settings.limits import API_LIMITS
from core import rate_limits
from core.management.commands.serve import THREADS
from core.rate_limits import STRANGER_REQUESTER, Requester, expensive_turn, rate_limited, take_place
from players.models import Player, User
from tests.api.clients import client_of, guest, make_token, with_token
from tests.factories import tournaments as make
from tournaments.models import RegistrationState, Series, Tournament

ADDRESS = "/api/v1/formats/"
TWELVE = datetime(2026, 5, 2, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Any]:
    """A clock at noon, with empty counters."""
    caches["default"].clear()
    with time_machine.travel(TWELVE, tick=False) as clock:
        yield clock
    caches["default"].clear()


@pytest.fixture
def limits(settings) -> dict[str, int]:
    settings.API_LIMITS = dict(settings.API_LIMITS)
    api_limits: dict[str, int] = settings.API_LIMITS
    return api_limits


def statuses(client: APIClient, times: int, **headers: Any) -> list[int]:
    return [client.get(ADDRESS, **headers).status_code for _ in range(times)]


def test_default_limits_admit_a_full_hall():
    assert API_LIMITS["address"] >= 2 * 500 * 12
    assert API_LIMITS["typing"] >= 60 * 50
    # Requests at work and waiting at one address leave a server thread free.
    waiting = rate_limits.MAX_WAITING_STRANGERS + rate_limits.MAX_WAITING_PEOPLE
    assert API_LIMITS["requests_at_once"] + waiting < THREADS
    assert API_LIMITS["hall"] >= 300 * 10


def test_429_states_when_to_retry(clock, limits, api: APIClient):
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


def test_tokens_are_counted_separately(clock, limits):
    limits["token"] = 2
    user = make.make_user()
    first, second = (with_token(make_token(user)) for _ in range(2))

    assert statuses(first, 3) == [200, 200, 429]
    assert statuses(second, 1) == [200]


def test_writes_of_a_token_have_a_limit_of_their_own(clock, limits):
    limits["token_writes"] = 1
    client = with_token(make_token(make.make_user()))

    assert [client.post("/api/v1/decks/check/").status_code for _ in range(2)] == [400, 429]
    assert statuses(client, 2) == [200, 200]


def test_accounts_and_guests_are_counted_separately(clock, limits):
    limits["person"] = 2
    event = make.make_event(players=1)
    phones = [*(client_of(make.make_user()) for _ in range(2)), guest(make.player_number(event, 1))]

    assert [statuses(phone, 3) for phone in phones] == [[200, 200, 429]] * 3


def test_unknown_tokens_do_not_slow_valid_tokens(clock, limits):
    limits["unknown_tokens"] = 2
    guesser, program = with_token("f" * 64), with_token(make_token(make.make_user()))

    assert statuses(guesser, 3) == [401, 401, 429]
    assert statuses(program, 1) == [200]


def test_address_comes_from_the_trusted_proxy(clock, limits, settings, api: APIClient):
    limits["address"] = 1
    made_up = {"HTTP_X_FORWARDED_FOR": "203.0.113.1"}
    assert statuses(api, 1, **made_up) == [200]
    assert statuses(api, 1, HTTP_X_FORWARDED_FOR="203.0.113.2") == [429]

    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert statuses(api, 2, **made_up) == [200, 429]
    assert statuses(api, 1, HTTP_X_FORWARDED_FOR="203.0.113.1, 203.0.113.9") == [200]


def test_ipv6_prefix_counts_as_one_address(clock, limits, api: APIClient):
    limits["address"] = 1

    assert statuses(api, 1, REMOTE_ADDR="2001:db8::1") == [200]
    assert statuses(api, 1, REMOTE_ADDR="2001:db8::2") == [429]
    assert statuses(api, 1, REMOTE_ADDR="2001:db8:0:1::1") == [200]


def test_counting_needs_no_query(clock, db, django_assert_num_queries, api: APIClient):
    with django_assert_num_queries(1):  # Looks up the event.
        api.head("/api/v1/events/nothing/")


DECK_CHECK = "/api/v1/decks/check/"


def checked_on_page(client: Client) -> int:
    return client.post("/decks/check/", {"rules": "onr", "text": "3 Fang"}).status_code


@pytest.mark.goal("G18")
def test_page_and_api_share_the_limit_of_deck_checks(clock, limits, api: APIClient, client: Client):
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
    ("expensive", "GET", "/api/v1/events/spring-run/exports/nrtm/"),
    ("expensive", "POST", "/api/v1/imports/"),
    ("expensive", "GET", "/api/v1/rulings/all/"),
    ("expensive", "GET", "/api/v1/series/spring/statistics/"),
    ("expensive", "GET", "/api/v1/statistics/"),
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
]


@pytest.mark.usefixtures("clock")
def test_expensive_addresses_are_limited(limits, event):
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
def test_lists_of_events_have_no_limit(limits, client: Client):
    limits["search"] = limits["requests_at_once"] = limits["at_once"] = 0

    for address in ("/events/", "/archive/", "/api/v1/events/"):
        assert client.get(address).status_code == 200, address


@pytest.mark.usefixtures("clock")
def test_organisers_have_own_limits_and_site_staff_none(limits):
    limits["expensive"], limits["organiser"] = 0, 1
    users = {name: make.make_user(name) for name in ("player", "owner", "limit_name", "admin")}
    make.make_event(0, owner=users["owner"])
    make.make_event(0, owner=users["limit_name"])
    User.objects.filter(username="admin").update(is_staff=True)
    checked = {}
    for name, user in users.items():
        browser = Client()
        browser.force_login(user)
        checked[name] = [checked_on_page(browser) for _ in range(2)]

    assert checked == {
        "player": [429, 429],
        "owner": [200, 429],
        "limit_name": [200, 429],
        "admin": [200, 200],
    }


@pytest.mark.usefixtures("clock")
class TestPeopleAtAnEvent:
    """Players at the same address have limits of their own."""

    @pytest.fixture
    def hall(self, limits):
        """An event of today, at an address whose limit strangers have used up."""
        limits["expensive"] = 0
        return make.make_event(players=2, starts_on=TWELVE.date())

    def accounts(self, event: Tournament) -> Client:
        user = make.make_user("ada")
        Player.objects.filter(pk=make.player_number(event, 1).player_id).update(user=user)
        browser = Client()
        browser.force_login(user)
        return browser

    @pytest.mark.goal("G18")
    def test_strangers_do_not_use_up_the_limits_of_players(self, limits, hall):
        limits["player"] = 1
        ada, guest_ = self.accounts(hall), guest(make.player_number(hall, 2))
        check = {"text": "3 Fang", "game": "onr"}

        assert checked_on_page(Client()) == 429
        assert [checked_on_page(ada) for _ in range(2)] == [200, 429]
        checked, refused = (guest_.post(DECK_CHECK, check, "json") for _ in range(2))
        assert checked.status_code != 429
        assert refused.status_code == 429

    def test_refusal_names_the_person_or_the_network(self, limits, hall):
        limits["player"] = 0
        body = {"rules": "onr", "text": "3 Fang"}

        own = self.accounts(hall).post("/decks/check/", body).content.decode()

        assert "You have sent too many requests. Wait 60 seconds" in own
        strangers = Client().post("/decks/check/", body).content.decode()
        assert "Too many requests came from your network." in strangers

    @pytest.mark.goal("G18")
    def test_all_people_of_an_address_share_the_limit_of_a_hall(self, limits, hall):
        limits["hall"] = 1
        ada = self.accounts(hall)

        assert [checked_on_page(ada) for _ in range(2)] == [200, 429]

    @pytest.mark.parametrize(
        "change",
        [
            {"finished_at": TWELVE},
            {"starts_on": TWELVE.date() - timedelta(days=8)},
            {"starts_on": TWELVE.date() + timedelta(days=2)},
        ],
        ids=["finished", "long ago", "next week"],
    )
    def test_players_of_events_on_other_days_are_strangers(self, hall, change):
        ada = self.accounts(hall)
        Tournament.objects.update(**change)

        assert checked_on_page(ada) == 429

    def test_players_who_dropped_are_strangers(self, hall):
        ada = self.accounts(hall)
        hall.registrations.update(state=RegistrationState.DROPPED)

        assert checked_on_page(ada) == 429

    @pytest.mark.goal("G18")
    def test_new_accounts_with_own_events_share_the_turns_of_their_address(
        self, limits, monkeypatch
    ):
        monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
        limits["requests_at_once"] = 2
        statuses = []
        with ExitStack() as at_work:
            for _ in range(2):
                at_work.enter_context(take_place("requests", "127.0.0.1"))
            for number in range(3):
                owner = make.make_user(f"fresh{number}")
                make.make_event(0, owner=owner, starts_on=TWELVE.date())
                browser = Client()
                browser.force_login(owner)
                statuses.append(checked_on_page(browser))

        assert statuses == [429, 429, 429]


@pytest.mark.usefixtures("clock")
@pytest.mark.goal("G18")
class TestTurns:
    """A few expensive requests wait for a turn, briefly."""

    PLAYER = Requester("guest-1", is_at_event=True)
    HALL = "192.0.2.1"

    @pytest.fixture
    def strangers(self, limits) -> Iterator[ExitStack]:
        """Strangers hold both turns of the hall's address."""
        limits["requests_at_once"] = 2
        with ExitStack() as at_work:
            for _ in range(2):
                assert at_work.enter_context(take_place("requests", self.HALL))
            yield at_work

    def has_turn(self, person: Requester = STRANGER_REQUESTER) -> bool:
        with expensive_turn(self.HALL, person) as has_turn:
            return has_turn

    def while_waiting(self, monkeypatch, act: Callable[[], None]) -> None:
        """Call `act` at the first poll; end the wait at the second."""
        times = iter([0.0, 0.0])
        monkeypatch.setattr(rate_limits, "sleep", lambda seconds: act())
        monkeypatch.setattr(rate_limits, "monotonic", lambda: next(times, 99.0))

    @pytest.mark.parametrize("person", [STRANGER_REQUESTER, PLAYER], ids=["stranger", "player"])
    def test_request_gets_the_turn_that_becomes_free(self, strangers, monkeypatch, person):
        self.while_waiting(monkeypatch, strangers.close)

        assert self.has_turn(person)

    def test_request_is_refused_when_no_turn_becomes_free_in_time(self, strangers, monkeypatch):
        self.while_waiting(monkeypatch, lambda: None)

        assert not self.has_turn(self.PLAYER)

    def test_players_come_before_strangers_of_their_address(self, strangers, monkeypatch):
        turns_of_strangers = []

        def free_both() -> None:
            strangers.close()
            monkeypatch.setattr(rate_limits, "WAITING_STRANGERS", BoundedSemaphore(1))
            rate_limits.WAITING_STRANGERS.acquire()
            turns_of_strangers.append(self.has_turn())

        self.while_waiting(monkeypatch, free_both)

        assert self.has_turn(self.PLAYER)
        assert turns_of_strangers == [False]

    def test_waiting_strangers_take_one_thread_and_no_turn_of_players(self, strangers, monkeypatch):
        waited: list[Requester] = []

        def wait() -> None:
            waited.append(STRANGER_REQUESTER)
            if len(waited) == 1:
                assert not self.has_turn()
                assert len(waited) == 1
                assert not self.has_turn(self.PLAYER)

        times = iter([0.0, 0.0, 0.0, 0.0])
        monkeypatch.setattr(rate_limits, "sleep", lambda seconds: wait())
        monkeypatch.setattr(rate_limits, "monotonic", lambda: next(times, 99.0))

        assert not self.has_turn()
        assert len(waited) == 2

    def test_person_has_one_turn_at_a_time_from_any_address(self, limits, monkeypatch):
        limits["requests_at_once"] = 2
        monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)

        with expensive_turn("198.51.100.7", self.PLAYER):
            assert not self.has_turn(self.PLAYER)
            assert self.has_turn(Requester("guest-2", is_at_event=True))
        assert self.has_turn(self.PLAYER)

    def test_refused_requests_leave_the_next_turn_free(self, strangers, monkeypatch):
        monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
        with expensive_turn(self.HALL) as first_turn:
            strangers.close()
            assert not first_turn
            assert self.has_turn()


@pytest.mark.usefixtures("clock")
@pytest.mark.goal("G18")
@pytest.mark.parametrize("limit_name", ["expensive", "search"])
def test_address_has_a_limit_of_simultaneous_requests_of_any_kind(
    limits, rf: RequestFactory, limit_name: str, monkeypatch
):
    monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
    limits["requests_at_once"] = 1
    inner_statuses: list[int] = []

    @rate_limited(limit_name)
    def fast_view(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    @rate_limited("expensive")
    def slow_view(request: HttpRequest) -> HttpResponse:
        inner_statuses.append(fast_view(make_request()).status_code)
        return HttpResponse()

    def make_request() -> HttpRequest:
        request = rf.get("/")
        request.user, request.session = AnonymousUser(), SessionStore()
        return request

    assert slow_view(make_request()).status_code == 200
    assert inner_statuses == [429]
    assert fast_view(make_request()).status_code == 200


@pytest.mark.goal("G18")
def test_work_counts_for_two_minutes(clock, limits):
    limits["at_once"] = 1

    with take_place("requests", "somebody"):
        clock.shift(70)
        with take_place("requests", "somebody") as is_free:
            assert not is_free
    with take_place("requests", "somebody") as is_free:
        assert is_free
        with take_place("requests", "somebody") as is_free:
            assert not is_free
    with take_place("requests", "somebody"):  # a process that dies while working
        clock.shift(130)
        with take_place("requests", "somebody") as is_free:
            assert is_free


def test_committed_description_is_served(client: Client):
    answer = client.get("/api/schema/")

    assert answer.content == (settings.BASE_DIR / "docs" / "openapi.yaml").read_bytes()
    assert client.get("/api/schema/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert client.get("/api/schema/?format=json").json()["info"]["title"] == "Datafort API"


@pytest.mark.usefixtures("clock")
@pytest.mark.goal("G18")
class TestWritesOfOneProgram:
    """Requests during a write with the same token or session."""

    TOKEN = {"Authorization": "Token abc"}
    SESSION = {"Cookie": f"{settings.SESSION_COOKIE_NAME}=abc"}

    @pytest.fixture(autouse=True)
    def one_write(self, limits, monkeypatch) -> None:
        limits["writes_at_once"] = 1
        monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)

    def second_response(self, first: HttpRequest, second: HttpRequest) -> HttpResponse:
        """The response to the second request, sent during the first one."""
        second.user = AnonymousUser()
        requests = iter((second,))

        def view(request: HttpRequest) -> HttpResponse:
            following = next(requests, None)
            return HttpResponse("done") if following is None else answer(following)

        answer = rate_limits.limit_simultaneous_writes(view)
        return answer(first)

    @pytest.mark.parametrize(
        ("first", "second", "status"),
        [
            (TOKEN, TOKEN, 429),
            (TOKEN, {"Authorization": "bearer  abc"}, 429),
            (SESSION, SESSION, 429),
            (TOKEN, {"Authorization": "Token other"}, 200),
            (SESSION, {"Cookie": f"{settings.SESSION_COOKIE_NAME}=other"}, 200),
            ({}, {}, 200),
        ],
    )
    def test_simultaneous_writes_are_limited_by_token_or_session(self, first, second, status):
        writes = [RequestFactory().post(ADDRESS, headers=headers) for headers in (first, second)]

        assert self.second_response(*writes).status_code == status

    def test_second_write_after_the_first_is_allowed(self):
        answer = rate_limits.limit_simultaneous_writes(lambda request: HttpResponse("done"))
        write = RequestFactory().post(ADDRESS, headers=self.TOKEN)

        assert [answer(write).status_code for _ in range(2)] == [200, 200]

    def test_write_of_a_page_is_counted_by_its_session(self):
        headers = [{**self.SESSION, "Authorization": f"Token {number}"} for number in range(2)]
        writes = [RequestFactory().post("/", headers=header) for header in headers]

        assert self.second_response(*writes).status_code == 429

    def test_read_during_a_write_is_allowed(self):
        write = RequestFactory().post(ADDRESS, headers=self.TOKEN)
        read_request = RequestFactory().get(ADDRESS, headers=self.TOKEN)

        assert self.second_response(write, read_request).status_code == 200

    def test_refused_program_gets_json(self):
        response = self.second_response(
            *(RequestFactory().post(ADDRESS, headers=self.TOKEN) for _ in range(2))
        )

        assert (response.status_code, response["Retry-After"]) == (429, "1")
        assert json.loads(response.content) == rate_limits.throttled_error(1)


@pytest.mark.usefixtures("clock")
class TestTurnsOfReaders:
    """Responses for one reader while strangers hold all turns of the hall."""

    SHARED = "/events/the-hall/", "/events/the-hall/pairings/", "/rulings/", "/"
    OF_MANY = (
        "/events/the-hall/players/1/",
        "/events/the-hall/rounds/1/",
        "/events/the-hall/rounds/1/tables/1/",
    )
    ANSWERS = (
        "/api/v1/events/the-hall/",
        "/api/v1/events/the-hall/standings/",
        "/api/v1/events/the-hall/rounds/1/pairings/",
        "/api/v1/events/the-hall/overlay/standings/",
    )

    @pytest.fixture
    def hall(self, limits, settings, monkeypatch) -> Iterator[Tournament]:
        """An event of today in round 1, while strangers hold both turns of 127.0.0.1."""
        caches["pages"].clear()
        settings.ALLOWED_HOSTS = ["testserver"]
        settings.STRANGERS_PAGES_SECONDS = 1
        limits["requests_at_once"] = limits["at_once"] = 2
        monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)
        event = make.make_event(players=4, name="The hall", starts_on=TWELVE.date())
        make.start_round(event)
        with ExitStack() as at_work:
            for _ in range(2):
                at_work.enter_context(take_place("requests", "127.0.0.1"))
            yield event

    def statuses(self, browser: Client, *addresses: str, **extra: Any) -> dict[str, int]:
        return {address: browser.get(address, **extra).status_code for address in addresses}

    def test_strangers_share_the_turns_of_their_address(self, hall):
        assert set(self.statuses(Client(), *self.OF_MANY, *self.ANSWERS).values()) == {429}
        other_statuses = self.statuses(
            Client(), *self.OF_MANY, *self.ANSWERS, REMOTE_ADDR="192.0.2.9"
        )
        assert other_statuses == dict.fromkeys((*self.OF_MANY, *self.ANSWERS), 200)

    def test_pages_for_all_strangers_take_no_turn(self, hall):
        assert self.statuses(Client(), *self.SHARED) == dict.fromkeys(self.SHARED, 200)

    def test_stored_page_takes_no_turn(self, hall):
        address = self.OF_MANY[0]
        Client().get(address, REMOTE_ADDR="192.0.2.9")

        assert self.statuses(Client(), address) == {address: 200}

    def test_made_up_session_takes_turns_of_the_address(self, hall):
        browser = Client()
        browser.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32

        assert set(self.statuses(browser, "/", "/rulings/", *self.OF_MANY).values()) == {429}

    def test_made_up_session_gets_pages_that_strangers_share(self, hall, django_assert_num_queries):
        browser = Client()
        browser.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
        page = self.SHARED[1]
        stored = Client().get(page)

        with django_assert_num_queries(2):  # The session, the version.
            page_response = browser.get(page)

        assert (page_response.content, page_response["ETag"]) == (stored.content, stored["ETag"])

    def test_account_outside_the_event_takes_turns_of_the_address(self, hall):
        fresh = make.make_user("fresh")
        make.make_event(0, owner=fresh, starts_on=TWELVE.date(), name="Own event")
        browser = Client()
        browser.force_login(fresh)
        addresses = [page for page in (*self.SHARED, *self.OF_MANY) if "the-hall" in page]

        assert set(self.statuses(browser, *addresses).values()) == {429}

    def test_players_staff_and_administrators_do_not_wait_for_strangers(self, hall):
        phone = guest(make.player_number(hall, 1))
        desk = client_of(make.owner_of(hall).user)
        admin = client_of(make.make_user("admin", is_staff=True))
        addresses = *self.SHARED, *self.OF_MANY, *self.ANSWERS

        for browser in (phone, desk, admin):
            assert self.statuses(browser, *addresses) == dict.fromkeys(addresses, 200)

    def test_player_has_two_turns(self, hall):
        player = make.player_number(hall, 1).player
        address = self.OF_MANY[0]
        with ExitStack() as tabs:
            for _ in range(2):
                tabs.enter_context(take_place("pages", f"guest-{player.pk}"))
            refused = guest(make.player_number(hall, 1)).get(address)
        other_player_page = guest(make.player_number(hall, 2)).get(address)

        assert (refused.status_code, refused["Retry-After"]) == (429, "1")
        assert other_player_page.status_code == 200

    def test_player_waits_for_a_turn_in_a_queue_apart_from_strangers(self, hall, monkeypatch):
        monkeypatch.setattr(rate_limits, "WAITING_STRANGERS", BoundedSemaphore(1))
        rate_limits.WAITING_STRANGERS.acquire()
        monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 60)
        tabs = ExitStack()
        for _ in range(2):
            tabs.enter_context(
                take_place("pages", f"guest-{make.player_number(hall, 1).player_id}")
            )
        monkeypatch.setattr(rate_limits, "sleep", lambda _: tabs.close())

        assert guest(make.player_number(hall, 1)).get(self.OF_MANY[0]).status_code == 200
