"""A site served to the local network by `make run HOST=0.0.0.0`, and the text of its start."""

import re
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from core.addresses import host_in_network, served_address, staff_address
from core.http import is_loopback
from core.management.commands.serve import listened_hosts
from tests.live_site import running_site
from tournaments.management.commands.set_up import advice

PROJECTOR = "/events/datafort-demo-open/projector/"
LAN = "192.168.1.20"


def test_page_at_loopback_shows_an_address_that_takes_forms(tmp_path: Path):
    if is_loopback(host_in_network("0.0.0.0")):
        pytest.skip("This machine has no address in a network.")
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    with running_site(tmp_path / "site", demo=True, host="0.0.0.0") as site:
        port = urlsplit(site.address).port
        assert port is not None
        shared = served_address("0.0.0.0", port)

        projector = browser.open(site.address + PROJECTOR).read().decode()
        form = browser.open(f"{shared}/account/login/").read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token is not None
        fields = {"csrfmiddlewaretoken": token[1], "login": "nobody", "password": "wrong"}
        request = Request(
            f"{shared}/account/login/", urlencode(fields).encode(), headers={"Origin": shared}
        )
        answer = browser.open(request)

    assert f"{urlsplit(shared).netloc}/events/" in projector
    assert "127.0.0.1" not in projector
    assert answer.status == 200


@pytest.mark.parametrize(
    ("host", "listened"),
    [
        ("127.0.0.1", ["127.0.0.1"]),
        ("0.0.0.0", ["0.0.0.0"]),
        ("::", ["*"]),
        # Staff can still log in at 127.0.0.1.
        (LAN, [LAN, "127.0.0.1"]),
    ],
)
def test_server_always_listens_at_loopback(host: str, listened: list[str]):
    assert listened_hosts(host) == listened


@pytest.mark.parametrize(
    ("host", "configured", "local"),
    [
        ("0.0.0.0", "", "http://127.0.0.1:8000"),
        (LAN, "", "http://127.0.0.1:8000"),
        ("::1", "", "http://[::1]:8000"),
        ("0.0.0.0", f"http://{LAN}:8000", "http://127.0.0.1:8000"),
        ("0.0.0.0", "https://play.example", "https://play.example"),
    ],
)
def test_start_prints_an_address_for_staff_logins(settings, host, configured, local):
    settings.SITE_ADDRESS = configured

    assert staff_address(host, 8000) == local


@pytest.mark.parametrize(
    ("host", "shared", "explanation"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000", "make run HOST=0.0.0.0"),
        ("0.0.0.0", "http://127.0.0.1:8000", "no address in a local network"),
        ("0.0.0.0", f"http://{LAN}:8000", f"Phones open http://{LAN}:8000/"),
        ("0.0.0.0", f"http://{LAN}:8000", "Staff log in on this computer"),
        ("0.0.0.0", "https://play.example", ""),
    ],
)
def test_start_explains_how_phones_reach_the_site(host, shared, explanation):
    text = advice(host, shared, "http://127.0.0.1:8000")

    assert explanation in text
    assert bool(text) is bool(explanation)


def test_start_has_no_warning_if_plain_logins_are_allowed(settings):
    settings.ALLOW_PLAIN_LOGINS = True

    assert "Staff log in" not in advice("0.0.0.0", f"http://{LAN}:8000", "http://127.0.0.1:8000")
