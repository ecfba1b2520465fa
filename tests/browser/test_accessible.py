"""Every main page of the demo event: no axe violation, nothing wider than a small phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.live_site import live_site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
EVENT = "/events/datafort-demo-open/"
CUP = "/events/datafort-demo-cup/"
EVENING = "/events/datafort-demo-radicals/"
STANDARD = "/events/datafort-demo-standard/"
PUBLIC = [
    "/",
    "/events/",
    EVENT,
    f"{EVENT}pairings/",
    f"{EVENT}rounds/3/?by=table",
    f"{EVENT}rounds/1/tables/1/",
    f"{EVENT}standings/",
    f"{EVENT}players/2/",
    f"{EVENT}projector/",
    f"{CUP}bracket/",
    f"{CUP}standings/",
    f"{EVENING}pairings/",
    f"{EVENING}rounds/2/tables/1/",
    "/join/",
    "/me/",
    "/help/",
    "/help/pairing/",
    "/help/scoring/",
    "/help/tie-breakers/",
    "/cards/",
    "/cards/onr/lockjaw/",
    "/cards/?game=anr&q=data",
    "/cards/anr/film-critic/",
    "/decks/check/",
    "/rulings/",
    "/rulings/lockjaw-1/",
    "/rulings/search/?q=virus",
    "/account/login/",
    "/account/signup/",
]
STAFF = [
    f"{EVENT}desk/",
    f"{EVENT}desk/settings/",
    f"{EVENT}desk/staff/",
    f"{EVENT}desk/stages/",
    f"{EVENT}desk/decks/",
    f"{EVENT}desk/deck-checks/",
    f"{EVENT}desk/decks/audience/",
    f"{EVENT}desk/preview/?player=1",
    f"{EVENT}desk/log/",
    f"{EVENT}roster/",
    f"{EVENT}roster/paste/",
    f"{EVENT}rounds/3/results/",
    f"{EVENT}rounds/3/tables/6/decide/",
    f"{EVENT}rounds/3/change/",
    f"{CUP}desk/",
    f"{CUP}desk/cut/",
    f"{EVENING}rounds/2/results/",
    f"{STANDARD}desk/",
    f"{STANDARD}desk/decks/",
    f"{STANDARD}desk/decks/1/corp/",
    f"{STANDARD}desk/decks/1/corp/difference/?older=1&newer=2",
    f"{STANDARD}desk/decks/2/runner/",
    f"{STANDARD}desk/decks/2/runner/change/",
    f"{STANDARD}players/4/decks/corp/",
    "/events/new/",
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a site with the demo event, and the organiser's password."""
    folder: Path = tmp_path_factory.mktemp("demo")
    with live_site(folder, demo=True) as address:
        logins = dict(line.split() for line in (folder / "demo_login").read_text().splitlines())
        yield address, logins["organiser"]


def complaints(page: Page, address: str, paths: list[str]) -> list[str]:
    """What axe and the ruler find, a line each."""
    found = []
    for path in paths:
        answer = page.goto(f"{address}{path}")
        assert answer is not None
        assert answer.ok, path
        for violation in Axe().run(page, options=RULES).response["violations"]:
            where = violation["nodes"][0]["html"][:120]
            found.append(f"{path}: {violation['id']}: {violation['help']}: {where}")
        wide, room = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide > room:
            found.append(f"{path}: {wide} pixels wide, {room} there are")
    return found


def log_in(page: Page, address: str, password: str) -> None:
    page.goto(f"{address}/account/login/")
    page.locator("[name=login]").fill("organiser")
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{address}/me/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_everybody_can_read_every_page(
    demo: tuple[str, str], browser: Browser, scheme: str, width: int
) -> None:
    address, password = demo
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page = context.new_page()

    found = complaints(page, address, PUBLIC)
    log_in(page, address, password)
    found += complaints(page, address, STAFF)
    context.close()

    assert found == []


def test_a_draft_warns_before_a_swap_and_everybody_can_read_it(
    demo: tuple[str, str], browser: Browser
) -> None:
    address, password = demo
    context = browser.new_context(viewport={"width": 320, "height": 800}, color_scheme="dark")
    page = context.new_page()
    log_in(page, address, password)
    force_round_four(page, address)

    found = complaints(
        page, address, [f"{EVENT}rounds/4/draft/by-hand/", f"{EVENT}rounds/4/draft/"]
    )
    boxes = page.locator("input[name=player][form=swap]")
    boxes.nth(0).check()
    page.get_by_text("One player is ticked").wait_for()
    boxes.nth(3).check()
    page.locator("#swap-bar input[name=confirmed]").wait_for(state="attached")
    words = page.locator("#swap-bar").inner_text()
    context.close()

    assert found == []
    assert words.startswith("Swap ")


def force_round_four(page: Page, address: str) -> None:
    """Pair it although tables of round 3 have no result."""
    page.goto(f"{address}{EVENT}desk/")
    summary = page.locator("summary", has_text="Pair round 4 without")
    summary.click()
    form = page.locator("details", has=summary)
    form.locator("[name=reason]").fill("The shop closes")
    form.get_by_role("button").click()
    page.wait_for_url("**/draft/")
