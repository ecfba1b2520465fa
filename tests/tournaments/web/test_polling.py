"""Polled pages: cheap 304 responses, and ETags that change with the page."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core import addresses
from core.addresses import Listener
from players.services import issue_claim, rename_player
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    close_round,
    draft_round,
    enter_result,
    finish_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import FRAGMENT, path, url
from tournaments.event import visibility
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.web.polling import assets_hash

POLLED_PAGES = ("event", "pairings", "standings", "projector")


def ask(client: Client, address: str, etag: str = "", *, fragment: bool = True):
    headers = {"If-None-Match": etag} if etag else {}
    return client.get(address, headers={**headers, **(FRAGMENT if fragment else {})})


@pytest.mark.parametrize("page", POLLED_PAGES)
@pytest.mark.parametrize("fragment", [True, False])
def test_unchanged_page_takes_one_query(
    event: Tournament, client, django_assert_num_queries, page, fragment
):
    play_round(event)
    address = url(page, event)
    etag = ask(client, address, fragment=fragment)["ETag"]

    with django_assert_num_queries(1):
        response = ask(client, address, etag, fragment=fragment)

    assert response.status_code == 304
    assert response.content == b""
    assert response["ETag"] == etag
    assert sum(len(f"{name}: {value}\r\n") for name, value in response.items()) < 400


@pytest.mark.parametrize(
    "address",
    [
        "/events/spring-run/pairings/",
        "/events/spring-run/embed/pairings/",
        "/api/v1/events/spring-run/rounds/1/pairings/",
    ],
)
def test_unchanged_page_reads_only_the_columns_of_its_version(event: Tournament, client, address):
    start_round(event)
    etag = ask(client, address)["ETag"]

    with CaptureQueriesContext(connection) as queries_made:
        response = ask(client, address, etag)

    (query,) = queries_made
    columns = query["sql"].partition(" FROM ")[0].count(",") + 1
    assert response.status_code == 304
    assert columns == len(visibility.VERSION_COLUMNS) + 1  # and the primary key


def test_assets_hash_covers_templates_static_files_and_code(monkeypatch):
    read: list[Path] = []

    def read_and_note(path: Path) -> bytes:
        read.append(path)
        return b""

    monkeypatch.setattr(Path, "read_bytes", read_and_note)
    assets_hash.__wrapped__()

    folders = {path.relative_to(settings.BASE_DIR).parts[0] for path in read}
    apps = {"core", "players", "decks", "matches", "engine", "rulings", "tournaments"}
    assert folders == {"templates", "static"} | apps


@pytest.mark.parametrize("page", ["pairings", "standings"])
def test_changed_page_takes_at_most_twelve_queries(
    event: Tournament, client, django_assert_max_num_queries, page
):
    play_round(event)
    start_round(event)
    address = url(page, event)
    ask(client, address, fragment=False)

    event.bump_version()

    with django_assert_max_num_queries(12):
        assert ask(client, address, fragment=False).status_code == 200


def test_unchanged_page_on_a_phone_takes_at_most_six_queries(
    event: Tournament, phone_of, django_assert_max_num_queries
):
    start_round(event)
    phone, address = phone_of(player_number(event, 1)), url("my_event", event)
    etag = ask(phone, address)["ETag"]

    with django_assert_max_num_queries(6):
        response = ask(phone, address, etag)

    assert response.status_code == 304
    assert sum(len(f"{name}: {value}") + 2 for name, value in response.items()) < 500


@pytest.mark.parametrize("page", [*POLLED_PAGES, "my_event"])
def test_page_contains_the_etag_of_its_fragment(event: Tournament, client, phone_of, page):
    reader = phone_of(player_number(event, 1)) if page == "my_event" else client
    etag = reader.get(url(page, event)).context["poll_etag"]

    assert ask(reader, url(page, event), etag).status_code == 304


def test_etag_depends_on_the_csrf_cookie(event: Tournament, phone_of):
    start_round(event)
    phone, address = phone_of(player_number(event, 1)), url("pairings", event)
    phone.cookies["csrftoken"] = "a" * 32
    etag = ask(phone, address, fragment=False)["ETag"]
    phone.cookies["csrftoken"] = "b" * 32

    assert ask(phone, address, etag, fragment=False).status_code == 200


def test_every_public_change_changes_the_etag(event: Tournament, client):
    owner = owner_of(event)
    seen = {ask(client, url("pairings", event))["ETag"]}

    def is_new() -> bool:
        etag = ask(client, url("pairings", event))["ETag"]
        known = etag in seen
        seen.add(etag)
        return not known

    draft = draft_round(event)
    assert not is_new()
    rounds_services.publish_round(draft, owner)
    assert is_new()
    rounds_services.start_round(draft, owner)
    assert is_new()
    enter_result(table(draft, 1), sweep(1))
    assert is_new()
    for pairing in tables_of(draft)[1:]:
        enter_result(pairing, sweep(1))
    assert is_new()
    close_round(get_round(event, 1))
    assert is_new()
    registration_services.drop_player(player_number(event, 1), owner)
    assert is_new()


def test_fragment_contains_only_the_part_that_refreshes(event: Tournament, client):
    start_round(event)

    whole = ask(client, url("pairings", event), fragment=False)
    part = ask(client, url("pairings", event))

    assert "<html" in whole.text
    assert "<html" not in part.text
    assert "<h1>Round 1</h1>" in part.text
    assert part["ETag"] != whole["ETag"]


def test_cache_headers_of_shared_and_own_pages(event: Tournament, client, phone_of):
    phone = phone_of(player_number(event, 1))

    shared = ask(client, url("standings", event))
    own = ask(phone, url("standings", event))
    client.cookies["sessionid"] = "over"
    once_known = ask(client, url("standings", event))

    assert shared["Cache-Control"] == "public, max-age=0, s-maxage=1"
    assert not shared.cookies
    assert own["Cache-Control"] == once_known["Cache-Control"] == "private, no-cache"
    for response in (shared, own):
        assert {"Cookie", "X-Fragment"} <= set(response["Vary"].split(", "))


def test_page_of_a_player_is_compressed(phone_of):
    tournament = make_event(players=40)
    start_round(tournament)
    phone = phone_of(player_number(tournament, 1))
    address = url("pairings", tournament)
    plain = phone.get(address, headers=FRAGMENT)

    packed = phone.get(address, headers={**FRAGMENT, "Accept-Encoding": "gzip"})

    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 5
    assert packed["ETag"] == plain["ETag"]


def test_readers_do_not_share_an_etag(event: Tournament, client, phone_of):
    start_round(event)
    address = url("pairings", event)
    staff = logged_in(add_staff(event, "judge"))
    readers = [client, staff, *(phone_of(player_number(event, n)) for n in (1, 2))]

    etags = {ask(reader, address, fragment=False)["ETag"] for reader in readers}

    assert len(etags) == 4


def test_addresses_do_not_share_an_etag(event: Tournament, client):
    start_round(event)
    by_name, by_table = url("round", event, 1), url("round", event, 1) + "?by=table"

    assert ask(client, by_name)["ETag"] != ask(client, by_table)["ETag"]


def test_new_role_shows_the_desk_immediately(event: Tournament, client):
    user = add_staff(event, "streamer")
    client.force_login(user)
    etag = ask(client, url("event", event), fragment=False)["ETag"]
    event.staff.filter(user=user).update(role="judge")

    response = ask(client, url("event", event), etag, fragment=False)

    assert response.status_code == 200
    assert url("desk", event) in response.text


def test_change_of_role_shows_the_results_tab(event: Tournament, client):
    user = add_staff(event, "judge")
    client.force_login(user)
    etag = ask(client, url("event", event), fragment=False)["ETag"]
    event.staff.filter(user=user).update(role="scorekeeper")

    response = ask(client, url("event", event), etag, fragment=False)

    assert response.status_code == 200
    assert url("current_results", event) in response.text


def test_page_with_a_message_is_not_cached(event: Tournament, phone_of):
    phone = phone_of(player_number(event, 1))
    address = url("my_event", event)
    etag = ask(phone, address, fragment=False)["ETag"]
    phone.post(url("my_check_in", event))

    answer = ask(phone, address, etag, fragment=False)
    after = ask(phone, address, fragment=False)

    assert answer.status_code == 200
    assert "You are checked in." in answer.text
    assert "ETag" not in answer
    assert "You are checked in." not in after.text


def test_unknown_etag_gets_the_page(event: Tournament, client):
    for etag in ('"x"', "x", 'W/""', ","):
        assert ask(client, url("event", event), etag).status_code == 200


def test_new_name_is_shown_at_every_event(
    event: Tournament, client, django_capture_on_commit_callbacks
):
    etag = ask(client, url("event", event))["ETag"]
    with django_capture_on_commit_callbacks(execute=True):
        rename_player(player_number(event, 1).player, "Adelheid")

    response = ask(client, url("event", event), etag)

    assert response.status_code == 200
    assert "Adelheid" in response.text


def test_new_claim_link_changes_no_public_page(
    event: Tournament, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        issue_claim(player_number(event, 1).player)

    assert fresh(event).version == event.version


# Parameters of the public pages, without the styles of overlays.
KNOWN_PARAMETERS = (
    ("pairings/", "by=table"),
    ("rounds/1/", "by=table"),
    ("rounds/1/print/", "by=name"),
    ("standings/", "round=1"),
    ("standings/print/", "round=1"),
    ("standings.csv", "round=1"),
    ("projector/", "show=clock"),
    ("projector/", "turn=1"),
    ("stream/", "table=2"),
    ("overlay/standings/", "top=1"),
    ("overlay/standings/", "page=2"),
)


@pytest.mark.parametrize(("page", "query"), KNOWN_PARAMETERS)
def test_known_parameters_change_the_page(event: Tournament, page: str, query: str):
    play_round(event)
    play_round(event)
    start_round(event)

    plain, with_query = (
        ask(Client(), f"{path(event, page)}{end}").content for end in ("", f"?{query}")
    )

    assert with_query != plain


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("pairings/", "q=Ada"),
        ("rounds/1/", "q=Bo&x=1"),
        ("pairings/", "by=Ada"),
        ("rounds/1/print/", "by=players"),
        ("projector/", "turn=99&show=nothing"),
    ],
)
def test_unknown_parameters_share_the_cached_page(
    event: Tournament, client, django_assert_num_queries, page: str, query: str
):
    start_round(event)
    first = ask(client, path(event, page), fragment=False)

    with django_assert_num_queries(1):
        second = ask(client, f"{path(event, page)}?{query}", fragment=False)

    assert second.content == first.content
    assert second["ETag"] == first["ETag"]


def test_order_of_parameters_shares_the_cached_page(
    event: Tournament, client, django_assert_num_queries
):
    start_round(event)
    first = ask(client, f"{url('projector', event)}?show=clock&show=pairings&turn=1")

    with django_assert_num_queries(1):
        second = ask(client, f"{url('projector', event)}?turn=1&show=pairings&show=clock&show=x")

    assert second["ETag"] == first["ETag"]


@pytest.mark.goal("G18")
@pytest.mark.usefixtures("own_clock")
def test_number_of_new_addresses_rendered_for_strangers_is_limited(event: Tournament, settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.API_LIMITS = {**settings.API_LIMITS, "search": 1}
    start_round(event)

    def status(query: str, **extra: Any) -> int:
        return Client().get(f"{url('stream', event)}{query}", **extra).status_code

    assert [status(f"?table={number}") for number in (1, 2, 1)] == [200, 429, 200]
    assert status("") == 200
    assert status("?table=2", REMOTE_ADDR="10.0.0.9") == 200


@pytest.mark.goal("G18")
@pytest.mark.usefixtures("own_clock")
@pytest.mark.parametrize("page", ["pairings", "embed_standings"])
def test_number_of_hosts_rendered_for_strangers_is_limited(
    event: Tournament, settings, monkeypatch, page: str
):
    settings.API_LIMITS = {**settings.API_LIMITS, "search": 1}
    monkeypatch.setattr(addresses, "listener", Listener("192.0.2.5", 8000))
    start_round(event)

    hosts = ("one.example", "two.example", "one.example", "192.0.2.5:8000", "localhost")
    responses = [Client().get(url(page, event), HTTP_HOST=host) for host in hosts]

    assert [response.status_code for response in responses] == [200, 429, 200, 200, 200]
    assert "private" in responses[1]["Cache-Control"]
    assert "ETag" not in responses[1]


@pytest.mark.parametrize("fragment", [True, False])
def test_strangers_share_a_rendered_page(
    event: Tournament, client, django_assert_num_queries, fragment
):
    start_round(event)
    first = ask(client, url("pairings", event), fragment=fragment)

    with django_assert_num_queries(1):
        second = ask(Client(), url("pairings", event), fragment=fragment)

    assert second.content == first.content
    assert second["ETag"] == first["ETag"]


def test_players_share_no_page(event: Tournament, phone_of):
    start_round(event)
    phones = [phone_of(player_number(event, number)) for number in (1, 2)]

    parts = [ask(phone, url("pairings", event)).text for phone in phones]

    assert parts[0] != parts[1]
    assert all(part.count('class="is-me"') == 1 for part in parts)


PAGES = ("event", "pairings", "standings", "my_event")


def news(browser: Client, event: Tournament, page: str) -> str:
    address = url(page, event)
    return browser.get(address, headers=FRAGMENT)["X-News"]


@pytest.mark.parametrize("page", PAGES)
def test_news_of_a_player_have_round_and_table(page: str):
    event = make_event(players=5)
    phones = {
        number: browser_of("player", event, player_number(event, number)) for number in range(1, 6)
    }
    draft = draft_round(event)
    assert {news(phone, event, page) for phone in phones.values()} == {"0/-"}

    rounds_services.publish_round(draft, owner_of(event))

    for number, phone in phones.items():
        pairing = draft.pairing_of(player_number(event, number).player)
        assert news(phone, event, page) == f"1/{pairing.table_number or 'bye'}"


@pytest.mark.parametrize("page", PAGES[:3])
def test_news_of_strangers_have_the_round(client, event: Tournament, page: str):
    rounds_services.publish_round(draft_round(event), owner_of(event))

    assert news(client, event, page) == "1/-"


@pytest.mark.parametrize("page", PAGES)
def test_finished_event_has_no_news(phone_of, event: Tournament, page: str):
    finish_round(start_round(event))
    settings_services.finish_event(fresh(event), owner_of(event))

    assert news(phone_of(player_number(event, 1)), event, page) == "0/-"


def test_page_contains_the_current_news(client, event):
    rounds_services.publish_round(draft_round(event), owner_of(event))

    page = client.get(url("event", event)).text

    assert 'data-news="1/-"' in page
