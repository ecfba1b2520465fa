"""Whatever people write, no page runs it: every text of an event is a payload, in real Chromium."""

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
from tests.hostile.watching import watched
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
ASKED = (
    "/cards/?q={}",
    "/events/?q={}",
    "/join/{}/",
    "/r/{}/",
    "/rulings/search/?q={}",
    "/nothing/{}/",
    "/account/login/?next={}",
)
"""Pages that say again what was asked."""
EVERY, EIGHTHS = slice(None), 8


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Made once: each test writes its payloads over it."""
    yield from shared_rows(django_db_blocker, make_scene)


def pages_of(scene: Scene, payloads: Sequence[str], which: slice = EVERY) -> dict[str, Any]:
    """The pages there are, by their path, as the owner sees them; of a player's pages his own."""
    owner, player = scene.browser("owner"), scene.browser("player")
    made: dict[str, Any] = {}
    for path in list(_paths(scene, payloads))[which]:
        who = player if any(part in path for part in OF_THE_PLAYER) else owner
        answer = who.get(path)
        if answer.content and answer["Content-Type"].startswith("text/html"):
            made[path] = answer
    return made


def _paths(scene: Scene, payloads: Sequence[str]) -> Iterator[str]:
    for path in addresses(scene.event, 2):
        if not path.startswith("/api/"):
            yield path
    for place, payload in enumerate(payloads):
        yield ASKED[place % len(ASKED)].format(quote(payload, safe=""))


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_no_text_of_an_event_runs_a_script(scene: Scene, step: int, figure: Callable[[str], None]):
    """All pages are read, and every twelfth one is opened in Chromium; the long run opens all."""
    planted = plant()
    pages = pages_of(scene, PAYLOADS)
    shown = {text for text in planted if any(_shows(page, text) for page in pages.values())}
    raw = {path for path, page in pages.items() if any(text in page.text for text in MARKUP)}

    seen = watched(dict(list(pages.items())[::step]))

    # What no page shows would prove nothing.
    assert shown == set(PAYLOADS)
    assert raw == set()
    assert all("default-src 'self'" in page["Content-Security-Policy"] for page in pages.values())
    assert seen.everything() == []
    if step == 1:
        figure(f"{len(PAYLOADS)} payloads in every text of an event, {len(pages)} pages opened")


def _shows(page: HttpResponse, text: str) -> bool:
    return escape(text) in page.content.decode()


def test_the_watch_sees_what_an_unescaped_payload_does():
    policy = {"Content-Security-Policy": "default-src 'self'"}
    inner = "<script>alert(1)</script><img src=//evil.example/c.png>"

    seen = watched({"/guarded/": HttpResponse(inner, headers=policy), "/": HttpResponse(inner)})

    assert any("/guarded/" in violation for violation in seen.violations)
    assert any("/guarded/" in element for element in seen.elements)
    assert [dialog for dialog in seen.dialogs if "/guarded/" not in dialog]
    assert [one for one in seen.elsewhere if "/guarded/" not in one]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(PAYLOADS)))
def test_no_single_payload_runs_on_an_eighth_of_the_pages(scene: Scene, place: int):
    """One payload alone, on an eighth of the pages: no other one before it has closed its place."""
    payloads = [PAYLOADS[place]]
    assert plant(payloads) == set(payloads)

    pages = pages_of(scene, payloads, slice(place % EIGHTHS, None, EIGHTHS))

    assert len(pages) > 10
    assert watched(pages).everything() == []
