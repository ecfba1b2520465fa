"""Draw docs/images from the demo event: `make screenshots`.

The event and its results come from one seed; clocks and dates are those of the day.
"""

import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browser import organiser, phone
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.factories import files
from tests.live_site import ROOT, running_site

IMAGES = ROOT / "docs" / "images"
SHOWN_ADDRESS = "https://datafort.example"
EVENT = "/events/datafort-demo-open/"
CUP = "/events/datafort-demo-cup/"
STANDARD = "/events/datafort-demo-standard/"
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 800}
WALL: ViewportSize = {"width": 1280, "height": 720}
LARGEST_FILE = 200_000
LARGEST_FOLDER = 2_500_000
"""In bytes."""

SHORT_LIST = """3 Bartmoss Memorial Icebreaker
2 Japanese Water Torture
3 Lock Jaw
3 Hostile Takeover
"""
"""Too few cards, a misspelled card, and a card of the wrong side."""


@dataclass(frozen=True)
class Shot:
    """A picture: the page to open, and how to show it."""

    name: str
    path: str
    scheme: Literal["light", "dark"] = "light"
    viewport: ViewportSize | None = None


PUBLIC = (
    Shot("phone-event", EVENT, viewport=PHONE),
    Shot("standings", f"{EVENT}standings/"),
    Shot("player", f"{EVENT}players/4/#why"),
    Shot("bracket", f"{CUP}bracket/"),
    Shot("ruling", "/rulings/lockjaw-1/"),
    Shot("phone-search", "/rulings/search/?q=lokjaw", viewport=PHONE),
    Shot("projector", f"{EVENT}projector/", viewport=WALL),
    Shot("wall-clock", f"{EVENT}projector/?show=clock", "dark", WALL),
)
STAFF = (
    Shot("desk", f"{EVENT}desk/"),
    Shot("desk-dark", f"{EVENT}desk/", "dark"),
    Shot("roster", f"{EVENT}roster/"),
    Shot("results", f"{EVENT}rounds/3/results/"),
    Shot("tick", f"{EVENT}roster/tick/", viewport=PHONE),
    Shot("log", f"{EVENT}desk/log/"),
    Shot("dispute", f"{EVENT}rounds/3/tables/6/decide/"),
    Shot("deck-check", f"{STANDARD}desk/decks/"),
    Shot("deck", f"{STANDARD}players/4/decks/corp/"),
    Shot("deck-changed", f"{STANDARD}desk/decks/1/corp/difference/?older=1&newer=2"),
    Shot("preview", f"{EVENT}desk/preview/?player=4"),
    Shot("penalty", f"{EVENT}desk/penalties/new/?player=4&infraction=slow-play"),
)


def main() -> None:
    """Serve a new demo, visit its pages, and write the pictures."""
    if CHROMIUM is None:
        sys.exit("Chromium is not installed; the pictures stay as they are.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    # With its own address, the site does not warn that phones cannot open it.
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder), demo=True, DATAFORT_PUBLIC_URL=SHOWN_ADDRESS) as running,
    ):
        site = running.address
        password = _password(Path(folder) / "demo_login", "organiser")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            _draw(browser, site, password)
            browser.close()
    _weigh(sorted(IMAGES.glob("*.png")))


def _draw(browser: Browser, site: str, password: str) -> None:
    desk = _page(browser)
    _log_in(desk, site, "organiser", password)
    for shot in PUBLIC:
        _take(_page(browser), site, shot)
    for shot in STAFF:
        _take(desk, site, shot)
    _draw_calls(desk, site)
    _draw_phone(browser, desk, site)
    _draw_late_entry(browser, desk, site)
    _draw_draft(desk, site)
    _draw_import(desk, site)


def _draw_calls(desk: Page, site: str) -> None:
    """Two tables wait for a judge; one call is answered on a phone."""
    address = f"{site}{EVENT}desk/calls/"
    desk.goto(address)
    desk.get_by_label("Table").fill("7")
    desk.get_by_label("What about?").fill("Does Lockjaw keep its bonus?")
    desk.get_by_role("button", name="Call a judge there").click()
    _take(desk, site, Shot("calls", f"{EVENT}desk/calls/"))
    desk.set_viewport_size(PHONE)
    line = desk.locator(".call-line", has_text="Lockjaw")
    line.get_by_role("button", name="On my way").click()
    line.get_by_role("link", name="Answer").click()
    desk.wait_for_url("**/calls/*/")
    desk.get_by_label("What was answered").fill("No, Joan of Arc saves the card alone.")
    desk.get_by_label("Find a ruling").fill("lockjaw")
    desk.get_by_role("checkbox", name="Lockjaw").first.check()
    desk.get_by_label("Minutes").fill("2")
    desk.locator("#answer").evaluate("heading => heading.scrollIntoView()")
    desk.screenshot(path=IMAGES / "phone-call.png", animations="disabled")


def _draw_phone(browser: Browser, desk: Page, site: str) -> None:
    """A player during a round: the seat, and the report."""
    desk.goto(f"{site}{EVENT}rounds/3/?by=table")
    name = desk.locator("main tbody tr", has_text="playing").last.locator("bdi").first.inner_text()
    page = _page(browser, PHONE)
    phone.claim(page, _claim_link(desk, site, name), name)
    _take(page, site, Shot("phone-table", f"{EVENT}me/", viewport=PHONE))
    page.get_by_role("link", name="You won both").click()
    page.wait_for_url("**/report/*")
    page.screenshot(path=IMAGES / "phone-report.png")


def _claim_link(desk: Page, site: str, name: str) -> str:
    desk.goto(f"{site}{EVENT}roster/?q={quote(name)}")
    organiser.roster_row(desk, name).get_by_role("link", name="Menu").click()
    desk.get_by_role("dialog").get_by_role("link", name="Personal link").click()
    desk.get_by_role("button", name="Make a link").click()
    link = desk.locator("#claim-link").inner_text().strip()
    return site + link.removeprefix(SHOWN_ADDRESS)


def _draw_late_entry(browser: Browser, desk: Page, site: str) -> None:
    """A guest joins with the code; the deck is not legal yet."""
    desk.goto(f"{site}{EVENT}desk/sections/players/")
    code = desk.locator(".join-code code").first.inner_text()
    page = _page(browser, PHONE)
    page.goto(f"{site}/join/{code}/")
    page.locator("main [name=name]").fill("Robin Vale")
    page.locator("main form button").first.click()
    page.get_by_role("link", name="Go to my table").wait_for()
    phone.submit_deck(page, f"{site}{EVENT}", "runner", SHORT_LIST)
    page.locator("section[aria-label^='Verdict']").evaluate("verdict => verdict.scrollIntoView()")
    page.screenshot(path=IMAGES / "phone-deck.png")


def _draw_draft(desk: Page, site: str) -> None:
    """Settle open tables, close the round, and view the next draft."""
    address = f"{site}{EVENT}"
    desk.set_viewport_size(DESKTOP)
    desk.goto(f"{address}rounds/3/results/")
    cards = desk.locator(".score-card:not([data-settled])")
    for table in cards.evaluate_all("cards => cards.map(card => card.id)"):
        card = desk.locator(f"#{table}")
        card.get_by_text("2 0", exact=True).click()
        card.locator("input[data-asked]").fill("2")
        card.get_by_role("button", name="Save").click()
        desk.locator(f"#{table}[data-settled]").wait_for()
    organiser.close_round(desk, address, 3)
    organiser.next_step(desk, address, "Pair round 4")
    organiser.next_step(desk, address, "Review the draft")
    desk.wait_for_url("**/draft/")
    desk.screenshot(path=IMAGES / "draft.png")


def _draw_import(desk: Page, site: str) -> None:
    """A file of another program with figures that do not follow from its games."""
    document = files.cobra(files.played(7, players=9, rounds=4, cut=4))
    document["name"] = "Store Championship"
    document["players"][0]["strengthOfSchedule"] = "2.5"
    desk.set_viewport_size(DESKTOP)
    desk.goto(f"{site}/events/import/")
    desk.get_by_label("Or paste").fill(files.as_bytes(document).decode())
    desk.get_by_role("button", name="Show a preview").click()
    desk.get_by_role("button", name="Import this event").wait_for()
    desk.screenshot(path=IMAGES / "import.png")


def _take(page: Page, site: str, shot: Shot) -> None:
    page.set_viewport_size(shot.viewport or DESKTOP)
    page.emulate_media(color_scheme=shot.scheme)
    page.goto(f"{site}{shot.path}")
    page.wait_for_load_state("networkidle")
    if shot.viewport == WALL:
        # The control strip of the projector hides without mouse moves.
        page.locator("body.wall-is-idle").wait_for()
    page.screenshot(path=IMAGES / f"{shot.name}.png", animations="disabled")


def _page(browser: Browser, viewport: ViewportSize = DESKTOP) -> Page:
    return browser.new_context(viewport=viewport, locale="en-GB").new_page()


def _log_in(page: Page, site: str, username: str, password: str) -> None:
    page.goto(f"{site}/account/login/")
    page.locator("[name=login]").fill(username)
    page.locator("[name=password]").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site}/me/")


def _password(file: Path, username: str) -> str:
    lines = (line.split(maxsplit=1) for line in file.read_text().splitlines())
    return dict(lines)[username]


def _weigh(files: Iterable[Path]) -> None:
    """Refuse pictures that would make the clone heavy."""
    sizes = {file.name: file.stat().st_size for file in files}
    heavy = sorted(name for name, size in sizes.items() if size > LARGEST_FILE)
    total = sum(sizes.values())
    if heavy or total > LARGEST_FOLDER:
        sys.exit(f"Too large: {', '.join(heavy) or 'all together'}; {total} bytes in all.")
    sys.stdout.write(f"{len(sizes)} pictures, {total} bytes, in {IMAGES.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
