"""The web app: manifest, service worker, and pages stored for one reader."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from players import services as players
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user, player_number, start_round
from tests.tournaments.pages import url
from tournaments.models import Registration, Tournament
from tournaments.web.offline import APP_ICONS, SHELL_FILES

Phone = Callable[[Registration], Client]
STATIC_LINK = re.compile(r'(?:href|src)="/static/([^"]+)"')


def make_scene() -> Tournament:
    tournament = make_event(players=2)
    start_round(tournament)
    return tournament


def reader_token(page: str) -> str:
    match = re.search(r'data-reader="(\w*)"', page)
    assert match is not None
    return match[1]


def test_manifest_has_a_name_a_start_page_and_icons(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    manifest = answer.json()

    assert answer["Content-Type"] == "application/manifest+json"
    assert manifest["name"] == "Datafort"
    assert client.get(manifest["start_url"]).status_code == 200
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    assert all(finders.find(file) for file, *_ in APP_ICONS)


def test_icons_have_the_stated_size() -> None:
    for file, _, sizes, _ in APP_ICONS:
        if file.endswith(".png"):
            head = Path(str(finders.find(file))).read_bytes()[:24]
            size = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
            assert f"{size[0]}x{size[1]}" == sizes


def test_service_worker_is_at_the_root_and_never_cached(client: Client) -> None:
    answer = client.get("/sw.js")

    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    first, _, _ = answer.text.partition("\n")
    site = json.loads(first.removeprefix("const SITE = ").removesuffix(";"))
    assert site["page"] == "/offline/"
    assert len(site["files"]) == len(SHELL_FILES)
    # Pages that end a session also delete the stored pages.
    assert reverse("account_logout") in site["exits"]
    assert reverse("players:forget") in site["exits"]
    assert reverse("account_login") not in site["exits"]


def test_files_of_a_players_pages_are_stored(event: Tournament, phone_of: Phone) -> None:
    phone = phone_of(player_number(event, 1))
    linked: set[str] = set()
    for name, ids in (("my_event", []), ("report", [1, 1])):
        page = phone.get(url(name, event, *ids))
        linked |= set(STATIC_LINK.findall(page.text))

    assert linked - set(SHELL_FILES) - {file for file, *_ in APP_ICONS} == set()
    assert all(finders.find(file) for file in SHELL_FILES)


def test_page_identifies_its_reader_without_a_name(
    event: Tournament, phone_of: Phone, client: Client
) -> None:
    address = url("event", event)
    ada, bram = (phone_of(player_number(event, number)) for number in (1, 2))
    account = logged_in(make_user())

    readers = [reader_token(browser.get(address).text) for browser in (client, ada, bram, account)]

    assert readers[0] == ""
    assert len(set(readers)) == 4
    assert reader_token(ada.get(address).text) == readers[1]
    assert reader_token(ada.get("/").text) == readers[1]


def test_logout_removes_the_reader(client: Client) -> None:
    client.force_login(make_user())
    assert reader_token(client.get("/").text) != ""

    client.post(reverse("account_logout"))

    assert reader_token(client.get("/").text) == ""


def test_only_pages_of_players_and_the_public_are_stored(
    event: Tournament, phone_of: Phone
) -> None:
    owner = logged_in(event.staff.get().user)
    phone = phone_of(player_number(event, 1))

    assert " data-keep" in phone.get(url("my_event", event)).text
    assert " data-keep" in phone.get(url("pairings", event)).text
    assert " data-keep" not in owner.get(url("desk", event)).text
    assert " data-keep" not in owner.get(reverse("players:me")).text


def test_offline_page_has_no_reader(client: Client) -> None:
    client.force_login(make_user("ada"))
    page = client.get(reverse("tournaments:offline")).text

    assert "data-reader" not in page
    assert "Log out" not in page
    assert "No signal" in page


def test_new_personal_link_removes_the_reader_of_the_old_phone(
    event: Tournament, phone_of: Phone, client: Client
) -> None:
    phone = phone_of(player_number(event, 1))
    address = url("pairings", event)
    assert reader_token(phone.get(address).text) != ""

    players.issue_claim(player_number(event, 1).player)

    assert reader_token(phone.get(address).text) == ""
    assert reader_token(phone.get("/").text) == ""
    # The old phone now gets the page shared by strangers.
    assert reader_token(client.get(address).text) == ""


def test_finding_the_reader_takes_one_query(
    event: Tournament, phone_of: Phone, django_assert_num_queries: Any
) -> None:
    phone = phone_of(player_number(event, 1))
    with django_assert_num_queries(2):  # the session with its player
        assert reader_token(phone.get(reverse("tournaments:join")).text)


def test_first_visit_of_a_player_is_small(event: Tournament, phone_of: Phone) -> None:
    page = phone_of(player_number(event, 1)).get(url("my_event", event))
    linked = [file for file in SHELL_FILES if file in page.text]

    packed = sum(len(gzip.compress(Path(str(finders.find(file))).read_bytes())) for file in linked)

    assert len(linked) >= 8
    assert packed + len(page.content) < 100_000
