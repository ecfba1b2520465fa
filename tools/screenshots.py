"""Take the pictures of docs/: `make screenshots`.

The pictures of the guides come from the demo event, whose results come from one seed; clocks and
dates are those of the day. `tools.tutorials` takes those of the tutorials on an empty site.
"""

import base64
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browser import organiser, phone
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.live_site import ROOT, running_site
from tools import tutorials

IMAGES = ROOT / "docs" / "images"
SHOWN_ADDRESS = "https://datafort.example"
EVENT = "/events/datafort-demo-open/"
CUP = "/events/datafort-demo-cup/"
STANDARD = "/events/datafort-demo-standard/"
LEAGUE = "/series/datafort-tuesday-league/"
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 800}
WALL: ViewportSize = {"width": 1280, "height": 720}
QUALITY = 75
# In bytes.
LARGEST_FILE = 60_000
LARGEST_FOLDER = 2_000_000

SHORT_LIST = """3 Bartmoss Memorial Icebreaker
2 Japanese Water Torture
3 Lock Jaw
3 Hostile Takeover
"""
"""Too few cards, a misspelled one, and one of the other side."""


@dataclass(frozen=True)
class Shot:
    """One picture: the page to open, and how."""

    name: str
    path: str
    scheme: Literal["light", "dark"] = "light"
    viewport: ViewportSize | None = None
    # Pixels to cut off above.
    top: int = 0


PUBLIC = (
    Shot("phone-event", EVENT, viewport=PHONE),
    Shot("bracket", f"{CUP}bracket/"),
    Shot("series-table", LEAGUE),
    Shot("ruling", "/rulings/lockjaw-1/"),
    Shot("projector", f"{EVENT}projector/", viewport=WALL),
    Shot("projector-clock", f"{EVENT}projector/?show=clock", "dark", WALL),
    Shot("overlay-table", f"{EVENT}overlay/table/2/", viewport=WALL, top=580),
)
STAFF = (
    Shot("desk", f"{EVENT}desk/"),
    Shot("desk-dark", f"{EVENT}desk/", "dark"),
    Shot("roster", f"{EVENT}roster/"),
    Shot("results", f"{EVENT}rounds/3/results/"),
    Shot("check-in-list", f"{EVENT}roster/tick/", viewport=PHONE),
    Shot("log", f"{EVENT}desk/log/"),
    Shot("dispute", f"{EVENT}rounds/3/tables/6/decide/"),
    Shot("deck-check", f"{STANDARD}desk/decks/"),
    Shot("deck-changed", f"{STANDARD}desk/decks/1/corp/difference/?older=1&newer=2"),
    Shot("view-as-player", f"{EVENT}desk/preview/?player=4"),
    Shot("penalty", f"{EVENT}desk/penalties/new/?player=4&infraction=slow-play"),
)


def main() -> None:
    """Serve a demo and an empty site, visit their pages, and write the pictures."""
    if CHROMIUM is None:
        sys.exit("Chromium is not installed; the pictures stay as they are.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    # With an address of its own a site shows no warning that phones cannot open it.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with (
            tempfile.TemporaryDirectory() as folder,
            running_site(Path(folder), demo=True, DATAFORT_PUBLIC_URL=SHOWN_ADDRESS) as running,
        ):
            password = _password(Path(folder) / "demo_login", "organiser")
            _draw(browser, running.address, password)
        with (
            tempfile.TemporaryDirectory() as folder,
            running_site(Path(folder), DATAFORT_PUBLIC_URL=SHOWN_ADDRESS) as running,
        ):
            tutorials.walk_all(browser, running.address, _save)
        browser.close()
    _weigh(sorted(IMAGES.glob("*.webp")))


def _draw(browser: Browser, site: str, password: str) -> None:
    desk = _page(browser)
    _log_in(desk, site, "organiser", password)
    for shot in PUBLIC:
        _take(_page(browser), site, shot)
    for shot in STAFF:
        _take(desk, site, shot)
    _draw_calls(desk, site)
    _draw_late_entry(browser, desk, site)
    _draw_draft(desk, site)


def _draw_calls(desk: Page, site: str) -> None:
    """Two tables wait for a judge; one of them is answered on a phone."""
    address = f"{site}{EVENT}desk/calls/"
    desk.goto(address)
    desk.get_by_label("Table").fill("7")
    desk.get_by_label("What is it about?").fill("Does Lockjaw keep its bonus?")
    desk.get_by_role("button", name="Call a judge to the table").click()
    _take(desk, site, Shot("judge-calls", f"{EVENT}desk/calls/"))
    desk.set_viewport_size(PHONE)
    line = desk.locator(".call-line", has_text="Lockjaw")
    line.get_by_role("button", name="On my way").click()
    line.get_by_role("link", name="Answer").click()
    desk.wait_for_url("**/calls/*/")
    desk.get_by_label("Your answer").fill("No, Joan of Arc saves the card alone.")
    desk.get_by_label("Find a ruling").fill("lockjaw")
    desk.get_by_role("checkbox", name="Lockjaw").first.check()
    desk.get_by_label("Minutes").fill("2")
    desk.locator("#answer").evaluate("heading => heading.scrollIntoView()")
    _save(desk, "phone-call")


def _draw_late_entry(browser: Browser, desk: Page, site: str) -> None:
    """A guest joins by the code, and the deck is not legal yet."""
    desk.goto(f"{site}{EVENT}desk/sections/players/")
    code = desk.locator(".join-code code").first.inner_text()
    page = _page(browser, PHONE)
    page.goto(f"{site}/join/{code}/")
    page.locator("main [name=name]").fill("Robin Vale")
    page.locator("main form button").first.click()
    page.get_by_role("link", name="Go to my table").wait_for()
    phone.submit_deck(page, f"{site}{EVENT}", "runner", SHORT_LIST)
    page.locator("section[aria-label^='Verdict']").evaluate("verdict => verdict.scrollIntoView()")
    _save(page, "phone-deck")


def _draw_draft(desk: Page, site: str) -> None:
    """Settle what is open, close the round, and look at the next draft."""
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
    _save(desk, "draft")


def _take(page: Page, site: str, shot: Shot) -> None:
    page.set_viewport_size(shot.viewport or DESKTOP)
    page.emulate_media(color_scheme=shot.scheme)
    page.goto(f"{site}{shot.path}")
    page.wait_for_load_state("networkidle")
    if "/projector/" in shot.path:
        # The control strip of the projector hides without mouse moves.
        page.locator("body.wall-is-idle").wait_for()
    _save(page, shot.name, shot.top)


def _save(page: Page, name: str, top: int = 0) -> None:
    """Write what the window shows as WebP, which has a third of the size of a PNG."""
    # Pages that poll are never idle.
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)
    session = page.context.new_cdp_session(page)
    size = page.viewport_size or DESKTOP
    clip = {"x": 0, "y": top, "width": size["width"], "height": size["height"] - top, "scale": 1}
    options = {"format": "webp", "quality": QUALITY, **({"clip": clip} if top else {})}
    taken = session.send("Page.captureScreenshot", options)
    (IMAGES / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))
    session.detach()


def _page(browser: Browser, viewport: ViewportSize = DESKTOP) -> Page:
    context = browser.new_context(viewport=viewport, locale="en-GB", reduced_motion="reduce")
    return context.new_page()


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
