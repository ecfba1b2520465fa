"""Links and QR codes of an organiser logged in at 127.0.0.1 point to the network address."""

import json

import pytest
import segno
from django.core import mail
from django.test import Client

from core import addresses
from core.addresses import Listener
from core.files import qr_code_response
from rulings.models import Ruling
from tests.factories.library import load_few_rulings
from tests.factories.tournaments import make_user, player_number, start_round
from tests.factories.webhooks import add_webhook, payloads
from tests.tournaments.cast import browser_of, desk_of
from tests.tournaments.crawling import crawl
from tests.tournaments.pages import url
from tournaments.models import Tournament
from tournaments.models.codes import check_in_code

LOCAL, LAN = "http://127.0.0.1:8000", "http://192.168.1.20:8000"
WARNING = 'id="address-warning"'


@pytest.fixture
def in_network(monkeypatch):
    monkeypatch.setattr(addresses, "listener", Listener("192.168.1.20", 8000))


def at_loopback(browser: Client) -> Client:
    browser.defaults["HTTP_HOST"] = "127.0.0.1:8000"
    return browser


@pytest.fixture
def desk(event: Tournament) -> Client:
    return at_loopback(desk_of(event))


def test_no_page_shows_a_loopback_address(in_network, event, desk):
    start_round(event)

    answers = crawl(desk, event, 1, parts=False)

    pages = {address: text for (address, _), text in answers.items() if "/api/" not in address}
    assert [address for address, text in pages.items() if "127.0.0.1" in text] == []
    assert [address for address, text in pages.items() if WARNING in text] == []
    for name in ("poster", "overlays", "exports", "event_calendar", "rulings_booklet"):
        assert LAN in pages[url(name, event)], name
    assert "192.168.1.20:8000/events/" in pages[url("projector", event)]


@pytest.mark.parametrize("name", ["desk", "poster", "badges", "claim_links"])
def test_pages_with_codes_warn_if_only_loopback_is_known(event, desk, name):
    page = desk.get(url(name, event)).text

    assert WARNING in page
    assert f'<span class="mono">{LOCAL}</span>' in page
    assert "make run HOST=0.0.0.0" in page


def test_projector_has_a_calm_line_instead_of_a_dead_qr_code(event, desk):
    projector = desk.get(url("projector", event)).text

    assert "Phones cannot open this site yet" in projector
    assert "127.0.0.1:8000" not in projector
    assert url("qr", event) not in projector


def test_projector_says_nothing_about_phones_once_the_event_runs(event, desk):
    start_round(event)

    projector = desk.get(url("projector", event)).text

    assert "Phones cannot open" not in projector
    assert "127.0.0.1:8000" not in projector
    assert WARNING in desk.get(url("desk", event)).text


def test_new_event_shows_a_code_that_phones_can_open(monkeypatch, event, desk):
    alone = desk.get(url("created", event)).text
    monkeypatch.setattr(addresses, "listener", Listener("192.168.1.20", 8000))
    in_network = desk.get(url("created", event)).text

    assert url("qr", event) not in alone
    assert url("qr", event) in in_network


def test_page_opens_for_a_request_with_a_malformed_host(event):
    answer = Client(headers={"host": "[1:2]"}).get(event.get_absolute_url())

    assert answer.status_code == 200


def test_warning_names_the_missing_network(monkeypatch, event, desk):
    monkeypatch.setattr(addresses, "listener", Listener("0.0.0.0", 8000))
    monkeypatch.setattr(addresses, "PROBED_HOSTS", ())

    assert "found no local network" in desk.get(url("poster", event)).text


def test_warning_names_a_loopback_setting(settings, event, desk):
    settings.SITE_ADDRESS = "http://localhost:8000"

    page = desk.get(url("poster", event)).text

    assert "Set <code>DATAFORT_PUBLIC_URL</code>" in page
    assert "http://localhost:8000/join/" in page


@pytest.mark.parametrize(
    ("query", "target", "title"),
    [
        ("", "/join/{0.join_code}/", "Join code"),
        ("?to=event", "/events/{0.slug}/", "Event page"),
    ],
)
def test_qr_code_of_the_event_contains_the_network_address(
    in_network, event, desk, query, target, title
):
    picture = desk.get(url("qr", event) + query).content

    expected = segno.make(LAN + target.format(event), error="m", micro=False)
    assert picture == qr_code_response(expected, title).content


def test_check_in_codes_contain_the_network_address(in_network, event, desk):
    entry = player_number(event, 1)
    address = f"{LAN}/check-in/{check_in_code(entry.pk)}/"
    code = segno.make(address, error="m", micro=False, mask=3)
    player = at_loopback(browser_of("player", event, entry))

    own = player.get(url("my_check_in_qr", event)).content

    assert own == qr_code_response(code, "Check-in code").content
    assert code.svg_data_uri(border=2, light="#fff") in desk.get(url("badges", event)).text


@pytest.mark.parametrize(
    ("name", "args", "fields"),
    [
        ("claim_link", [1], {}),
        ("claim_links", [], {"anew": "1"}),
        ("invite", [], {"role": "judge", "hours": "24", "note": ""}),
    ],
)
def test_links_shown_once_contain_the_network_address(in_network, event, desk, name, args, fields):
    answer = desk.post(url(name, event, *args), fields, follow=True)

    assert answer.status_code == 200
    assert LAN in answer.text
    assert "127.0.0.1" not in answer.text


def test_text_for_chat_contains_the_network_address(in_network, event, desk):
    assert f"Join: {LAN}/join/{event.join_code}/" in desk.get(url("announcing", event)).text


def test_personal_link_of_a_new_guest_contains_the_network_address(in_network, event):
    guest = at_loopback(Client())

    welcome = guest.post(f"/join/{event.join_code}/", {"name": "Zoe"}).text

    assert f"{LAN}/claim/" in welcome


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("GET", "joining/", None),
        ("POST", "registrations/1/claim-link/", {}),
        ("POST", "registrations/claim-links/", {"anew": True}),
        ("GET", "exports/nrtm/", None),
    ],
)
def test_api_responses_contain_network_addresses(in_network, event, desk, method, address, body):
    start_round(event)
    url_ = f"/api/v1/events/{event.slug}/{address}"

    answer = desk.generic(method, url_, json.dumps(body), "application/json")

    assert answer.status_code in (200, 201), answer.text
    assert LAN in answer.text
    assert "127.0.0.1" not in answer.text


def test_webhooks_contain_network_addresses(in_network, event):
    webhook = add_webhook(event, "round.published")
    start_round(event)

    (payload,) = payloads(webhook)

    assert payload["urls"]["tournament"] == f"{LAN}/api/v1/events/{event.slug}/"


@pytest.mark.parametrize("email", ["ada@example.org", "nobody@example.org"])
def test_emails_contain_network_addresses(in_network, email):
    make_user("ada", email="ada@example.org")

    at_loopback(Client()).post("/account/password/reset/", {"email": email})

    (message,) = mail.outbox
    assert f"{LAN}/account/" in message.body
    assert "127.0.0.1" not in message.body


def test_rulings_are_cited_with_network_addresses(in_network):
    load_few_rulings()
    ruling = Ruling.objects.get(code="tracing-1")
    reader = at_loopback(Client())

    page = reader.get(ruling.get_absolute_url())
    document = reader.get(f"/api/v1/rulings/{ruling.code}/").json()

    assert page.context["short_address"].startswith(f"{LAN}/r/")
    assert page.context["cite_text"].endswith(page.context["short_address"])
    assert "127.0.0.1" not in page.text
    assert document["short_address"].startswith(LAN)
    assert document["page"] == f"{LAN}{ruling.get_absolute_url()}"
    assert document["url"].startswith(LOCAL)
