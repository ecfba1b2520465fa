"""Every address that changes something requires the CSRF token (ASVS 3.5.1)."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.urls.converters import get_converters

from players.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.check(19)]

SAMPLES = {
    "int": "1",
    "slug": "a-slug",
    "str": "word",
    "path": "a/path",
    "card_game": "onr",
    "ruling_code": "lockjaw-1",
    "ruling_short_code": "R-0231",
}
UUID = "7b0bd2f5-53a9-4fc1-a7a2-7b1d7e2b7a0e"


def addresses(resolver: Any = None, before: str = "/") -> Iterator[str]:
    """Return an address for each route of the URL map, with sample values."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = before + _filled(entry)
        if isinstance(entry, URLResolver):
            yield from addresses(entry, address)
        elif isinstance(entry, URLPattern):
            yield address


def _filled(entry: Any) -> str:
    route = str(entry.pattern)
    for name, converter in entry.pattern.converters.items():
        kinds = [kind for kind, registered in get_converters().items() if registered is converter]
        sample = UUID if "uuid" in kinds else SAMPLES.get(kinds[0], "word") if kinds else "word"
        route = re.sub(rf"<(\w+:)?{name}>", sample, route)
    # Patterns of libraries: an address that matches.
    route = re.sub(r"\(\?P<uidb36>.*?\)-\(\?P<key>.*?\)", "1-2", route)
    route = re.sub(r"\(\?P<\w+>[^)]*\)", "1", route)
    return route.replace("^", "").replace("$", "").replace(".*/", "nothing/").replace("\\Z", "")


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password="a long password")


def browser_of(user: User) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)
    return browser


def test_listed_addresses_exist():
    existing = set(addresses())

    assert len(existing) > 300
    assert not [address for address in existing if not _resolves(address)]


def _resolves(address: str) -> bool:
    try:
        resolve(address)
    except Resolver404:
        return False
    return True


def test_write_without_the_token_is_refused(root, quiet_requests, figure):
    browser, wrong = browser_of(root), []
    all_addresses = sorted(set(addresses()))

    for address in all_addresses:
        if address.startswith(OPEN):
            continue
        for method in ("post", "delete") if address.startswith("/api/") else ("post",):
            answer = getattr(browser, method)(address)
            if answer.status_code not in refusals(address):
                wrong.append((method, address, answer.status_code))

    assert wrong == []
    figure(f"{len(all_addresses)} addresses, 0 that take a write without the token")


def refusals(address: str) -> tuple[int, ...]:
    """403; below the API also an unknown or read-only address, or a redirect to it."""
    return (308, 403, 404, 405) if address.startswith("/api/") else (403,)


# These need no login, so a foreign site has nothing to abuse.
OPEN = ("/livez", "/readyz", "/metrics")


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_form_of_another_site_is_refused_despite_a_valid_token(root, quiet_requests, step):
    # A sample: the test above shows that no form is exempt.
    browser, wrong = browser_of(root), []
    browser.get("/me/")
    token = browser.cookies["csrftoken"].value

    for address in sorted(set(addresses()))[::step]:
        if address.startswith(("/api/", *OPEN)):
            continue
        fields = {"csrfmiddlewaretoken": token}
        answer = browser.post(address, fields, headers={"Origin": "https://evil.example"})
        if answer.status_code != 403:
            wrong.append((address, answer.status_code))

    assert wrong == []
