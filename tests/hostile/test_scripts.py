"""No page runs user-written text: every text of an event is a payload, in real Chromium."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import quote

import pytest
from django.http import HttpResponse
from django.utils.html import escape
from pytest_django import DjangoDbBlocker

from tests.browser.conftest import CHROMIUM
from tests.hostile.payloads import PAYLOADS
from tests.hostile.planting import plant
from tests.hostile.watching import watch_pages
from tests.shared_rows import shared_rows
from tests.tournaments.crawling import addresses
from tests.tournaments.matrix.scene import Scene, make_scene

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db,
    pytest.mark.check(10),
    pytest.mark.goal("G15"),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed."),
]
MARKUP = [text for text in PAYLOADS if "<" in text and escape(text) != text]
OF_THE_PLAYER = ("/me/", "/my-events/", "/report/", "/faction/")
ECHO_PAGES = (
    "/cards/?q={}",
    "/events/?q={}",
    "/join/{}/",
    "/r/{}/",
    "/rulings/search/?q={}",
    "/nothing/{}/",
    "/account/login/?next={}",
)
"""Pages that repeat the query."""
EVERY, EIGHTHS = slice(None), 8


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """The scene, made once; each test writes its payloads over it."""
    yield from shared_rows(django_db_blocker, make_scene)


def pages_of(scene: Scene, payloads: Sequence[str], selection: slice = EVERY) -> dict[str, Any]:
    """The pages by path, as the owner sees them; the player's pages as the player."""
    owner, player = scene.browser("owner"), scene.browser("player")
    pages: dict[str, Any] = {}
    for path in list(_paths(scene, payloads))[selection]:
        client_ = player if any(fragment in path for fragment in OF_THE_PLAYER) else owner
        answer = client_.get(path)
        if answer.content and answer["Content-Type"].startswith("text/html"):
            pages[path] = answer
    return pages


def _paths(scene: Scene, payloads: Sequence[str]) -> Iterator[str]:
    for path in addresses(scene.event, 2):
        if not path.startswith("/api/"):
            yield path
    for index, payload in enumerate(payloads):
        yield ECHO_PAGES[index % len(ECHO_PAGES)].format(quote(payload, safe=""))


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_no_text_of_an_event_runs_a_script(scene: Scene, step: int, figure: Callable[[str], None]):
    """All pages are read, and every twelfth is opened in Chromium; the long run opens all."""
    planted = plant()
    pages = pages_of(scene, PAYLOADS)
    shown_texts = {text for text in planted if any(_shows(page, text) for page in pages.values())}
    raw = {path for path, page in pages.items() if any(text in page.text for text in MARKUP)}

    page_events = watch_pages(dict(list(pages.items())[::step]))

    # A payload that no page shows would prove nothing.
    assert shown_texts == set(PAYLOADS)
    assert raw == set()
    assert all("default-src 'self'" in page["Content-Security-Policy"] for page in pages.values())
    assert page_events.everything() == []
    if step == 1:
        figure(f"{len(PAYLOADS)} payloads in every text of an event, {len(pages)} pages opened")


def _shows(page: HttpResponse, text: str) -> bool:
    return escape(text) in page.content.decode()


def test_unescaped_payload_is_detected():
    policy = {"Content-Security-Policy": "default-src 'self'"}
    inner = "<script>alert(1)</script><img src=//evil.example/c.png>"

    page_events = watch_pages(
        {"/guarded/": HttpResponse(inner, headers=policy), "/": HttpResponse(inner)}
    )

    assert any("/guarded/" in violation for violation in page_events.violations)
    assert any("/guarded/" in element for element in page_events.elements)
    assert [dialog for dialog in page_events.dialogs if "/guarded/" not in dialog]
    assert [request for request in page_events.outside_requests if "/guarded/" not in request]


@pytest.mark.slow
@pytest.mark.parametrize("eighth", range(len(PAYLOADS)))
def test_no_single_payload_runs_on_an_eighth_of_the_pages(scene: Scene, eighth: int):
    """One payload alone on an eighth of the pages, so that no other payload closes its context."""
    payloads = [PAYLOADS[eighth]]
    assert plant(payloads) == set(payloads)

    pages = pages_of(scene, payloads, slice(eighth % EIGHTHS, None, EIGHTHS))

    assert len(pages) > 10
    assert watch_pages(pages).everything() == []
