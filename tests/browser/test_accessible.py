"""Accessibility, size, console and layout shift of every page, for each of its readers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import resolve
from playwright.sync_api import Browser, Page

from tests.browser import organiser, phone
from tests.browser.every_page import (
    ELSEWHERE,
    EVENT,
    FILES,
    JUDGE,
    KEEPER,
    LED_TO,
    MINE,
    PARTS,
    PLAYER,
    PLAYER_NUMBER,
    PUBLIC,
    STAFF,
    STANDARD,
)
from tests.live_site import running_site
from tests.tournaments.matrix.rows import EXPECTED

pytestmark = [pytest.mark.browser, pytest.mark.goal("G16")]

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
}
MAX_SHIFT = 0.02
"""Layout shift of the visible page while it loads; Chromium rates less than 0.1 as good."""
MAX_WEIGHT = 40 * 1024
"""Bytes of the compressed styles and scripts of a public page."""
ASSETS = """[...document.querySelectorAll("link[rel=stylesheet], script[src]")]
  .map((element) => element.href || element.src)"""
WATCH_SHIFTS = """window.shift = 0; new PerformanceObserver((list) => list.getEntries()
  .filter((entry) => !entry.hadRecentInput).forEach((entry) => window.shift += entry.value))
  .observe({ type: "layout-shift", buffered: true });"""
REFUSED = 409
"""Readers can see an error page too, so it is checked as well."""


@pytest.fixture(scope="module")
def demo(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a site with the demo event, and the passwords by username."""
    folder: Path = tmp_path_factory.mktemp("demo")
    with running_site(folder, demo=True) as site:
        logins = dict(line.split() for line in (folder / "demo_login").read_text().splitlines())
        prepare(browser, site.address, logins)
        organiser.make_keeper(site)
        yield site.address, logins


def prepare(browser: Browser, address: str, logins: dict[str, str]) -> None:
    """Reveal decks, draw a check, seat a meeting, and create a ruling, a webhook and a token."""
    page = browser.new_context().new_page()
    log_in(page, address, "organiser", logins["organiser"])
    for path, button in (
        (f"{EVENT}desk/decks/", "Reveal the decks to everyone"),
        (f"{EVENT}desk/deck-checks/", "Draw"),
        (f"{STANDARD}desk/meeting/", "Seat the players"),
    ):
        page.goto(f"{address}{path}")
        page.get_by_role("button", name=button).click()
        page.wait_for_load_state()
    page.goto(f"{address}{EVENT}desk/rulings/new/")
    page.get_by_label("Card or topic").fill("Slow play")
    page.get_by_label("Ruling", exact=True).fill("A turn takes three minutes at most.")
    page.get_by_role("button", name="Save the ruling").click()
    page.wait_for_url("**/desk/rulings/")
    page.goto(f"{address}{EVENT}desk/programs/")
    page.get_by_label("Address", exact=True).fill("https://hooks.example.org/run")
    page.get_by_role("button", name="Add the webhook").click()
    page.wait_for_load_state()
    page.goto(f"{address}/me/tokens/")
    page.get_by_label("Name").fill("A bot")
    page.get_by_role("button", name="Make a token").click()
    page.locator("#token").wait_for()
    page.context.close()


def complaints(page: Page, address: str, paths: list[str]) -> list[str]:
    """Violations reported by axe, page width, the console and layout shift, a line each."""
    violations, messages = [], []
    page.add_init_script(WATCH_SHIFTS)
    page.on("console", lambda message: messages.append(message.text))
    for path in paths:
        messages.clear()
        answer = page.goto(f"{address}{path}")
        assert answer.ok or answer.status == REFUSED, path
        for violation in Axe().run(page, options=RULES).response["violations"]:
            html = violation["nodes"][0]["html"][:120]
            violations.append(f"{path}: {violation['id']}: {violation['help']}: {html}")
        # For an error page the browser logs the status itself.
        violations += [f"{path}: console: {text}" for text in messages if answer.ok]
        wide, room = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide > room:
            violations.append(f"{path}: {wide} pixels wide, {room} there are")
        if (shift := page.evaluate("window.shift")) > MAX_SHIFT:
            violations.append(f"{path}: layout shift {shift:.3f}")
    return violations


def too_heavy(page: Page, address: str, paths: list[str]) -> list[str]:
    """Return a line for each page whose styles and scripts exceed MAX_WEIGHT."""
    sizes: dict[str, int] = {}
    lines = []
    for path in paths:
        page.goto(f"{address}{path}")
        assets = page.evaluate(ASSETS)
        for asset in assets:
            if asset not in sizes:
                answer = page.request.get(asset, headers={"Accept-Encoding": "gzip"})
                sizes[asset] = int(answer.headers["content-length"])
        weight = sum(sizes[asset] for asset in assets)
        if weight > MAX_WEIGHT:
            lines.append(f"{path}: styles and scripts have {weight} bytes, compressed")
    return lines


def log_in(page: Page, address: str, username: str, password: str) -> None:
    page.goto(f"{address}/account/login/")
    page.locator("[name=login]").fill(username)
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{address}/me/")


def claim_link(page: Page, address: str) -> str:
    """A new personal link of the player."""
    page.goto(f"{address}{EVENT}roster/{PLAYER_NUMBER}/link/")
    page.get_by_role("button", name="Make a link").click()
    return page.locator("#claim-link").inner_text().strip()


def invitation_link(page: Page, address: str) -> str:
    page.goto(f"{address}{EVENT}desk/staff/")
    page.get_by_role("button", name="Make a link").click()
    return page.locator("#invitation-link").inner_text().strip()


def linked_pages(page: Page, address: str) -> list[str]:
    """The addresses behind LED_TO; each must be the expected page."""
    paths = []
    for name, (start, link) in LED_TO.items():
        page.goto(f"{address}{start}")
        links = page.locator(link).evaluate_all("all => all.map(one => one.getAttribute('href'))")
        paths.append(next(href for href in links if resolve(href).url_name == name))
    return paths


def test_every_page_of_an_event_is_listed() -> None:
    expected_names = {name for name, row in EXPECTED.items() if "GET" in row.methods}
    paths = [path.partition("?")[0] for path in (*PUBLIC, *STAFF, *MINE, *KEEPER)]
    listed_names = {resolve(path).url_name for path in paths}

    expected_names = {name for name in expected_names if not name.startswith("export_")}
    assert expected_names - listed_names == FILES | PARTS | LED_TO.keys() | ELSEWHERE.keys()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_to_its_readers(
    demo: tuple[str, dict[str, str]], browser: Browser, width: int, scheme: str
) -> None:
    address, logins = demo

    def new_page() -> Page:
        size = {"width": width, "height": 800}
        return browser.new_context(viewport=size, color_scheme=scheme).new_page()  # type: ignore[arg-type]

    stranger, staff, judge, player, keeper = (new_page() for _ in range(5))
    log_in(staff, address, "organiser", logins["organiser"])
    stranger.goto(invitation_link(staff, address))
    log_in(judge, address, "judge", logins["judge"])
    organiser.log_in_keeper(keeper, address)
    phone.claim(player, claim_link(staff, address), PLAYER)

    violations = complaints(stranger, address, PUBLIC)
    violations += complaints(staff, address, [*STAFF, *linked_pages(staff, address)])
    violations += complaints(judge, address, JUDGE)
    violations += complaints(player, address, MINE)
    violations += complaints(keeper, address, KEEPER)
    for page in (stranger, staff, judge, player, keeper):
        page.context.close()

    assert not violations, "\n".join(violations)


def test_public_pages_are_light(demo: tuple[str, dict[str, str]], browser: Browser) -> None:
    page = browser.new_page()

    violations = too_heavy(page, demo[0], PUBLIC)
    page.close()

    assert not violations, "\n".join(violations)


@pytest.mark.slow
def test_draft_warns_before_a_swap_and_is_accessible(
    demo: tuple[str, dict[str, str]], browser: Browser
) -> None:
    address, logins = demo
    context = browser.new_context(viewport={"width": 320, "height": 800}, color_scheme="dark")
    page = context.new_page()
    log_in(page, address, "organiser", logins["organiser"])
    force_round_four(page, address)

    violations = complaints(
        page, address, [f"{EVENT}rounds/4/draft/by-hand/", f"{EVENT}rounds/4/draft/"]
    )
    boxes = page.locator("input[name=player][form=swap]")
    boxes.nth(0).check()
    page.get_by_text("One player is selected").wait_for()
    boxes.nth(3).check()
    page.locator("#swap-bar input[name=confirmed]").wait_for(state="attached")
    bar_text = page.locator("#swap-bar").inner_text()
    context.close()

    assert not violations, "\n".join(violations)
    assert bar_text.startswith("Swap ")


def force_round_four(page: Page, address: str) -> None:
    """Pair round 4 although tables of round 3 have no result."""
    page.goto(f"{address}{EVENT}rounds/4/without-results/")
    page.locator("main [name=reason]").fill("The shop closes")
    page.locator("main [name=reason]").press("Enter")
    page.wait_for_url("**/draft/")
