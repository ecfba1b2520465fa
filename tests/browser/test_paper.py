"""Printouts in Chromium: unbroken rows, all names, and the heading on every page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.organiser import check_in_all, create_event, publish_and_start, sign_up

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = [pytest.param(3, marks=pytest.mark.slow), 17, pytest.param(64, marks=pytest.mark.slow)]
FORMATS = {"A4": (210, 297), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""
MARGIN = 12
PIXELS = 96 / 25.4
LONGEST = (
    "Bartholomew Maximilian Featherstonehaugh-Cholmondeley the Third of Somewhere-upon-the-Water"
)


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def names_of(players: int) -> list[str]:
    return [LONGEST, *(f"Player {number:03d}" for number in range(2, players + 1))]


@pytest.fixture(scope="module", params=SIZES)
def event(
    request: pytest.FixtureRequest, site: str, browser: Browser
) -> Iterator[tuple[Page, str, int]]:
    """The organiser's page, the address of an event in round 1, and the number of players."""
    players: int = request.param
    context = browser.new_context()
    context.set_default_timeout(30_000)
    page = context.new_page()
    sign_up(page, site, f"printer{players}")
    address = site + create_event(page, site, f"Paper of {players}")
    page.goto(f"{address}roster/paste/")
    page.locator("textarea").first.fill("\n".join(names_of(players)))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Add ticked players").click()
    check_in_all(page, address, players)
    publish_and_start(page, address, 1)
    yield page, address, players
    context.close()


PRINTOUTS = {
    "rounds/1/print/?by=name": {3: 1, 17: 1, 64: 2},
    "rounds/1/print/?by=table": {3: 1, 17: 1, 64: 2},
    "rounds/1/slips/": {3: 1, 17: 2, 64: 8},
    "desk/paper/check-in/": {3: 1, 17: 1, 64: 2},
    "desk/paper/open/": {3: 1, 17: 1, 64: 3},
    "desk/paper/slips/": {3: 1, 17: 1, 64: 1},
    "poster/": {3: 1, 17: 1, 64: 1},
}
"""Maximum number of pages of each printout, by number of players."""


ROWS_WITH_NAMES = ("rounds/1/print/?by=name", "rounds/1/print/?by=table", "desk/paper/check-in/")
CUT_ROWS = """
[...document.querySelectorAll(".paper-table tr")].filter(
  (row) => getComputedStyle(row).breakInside !== "avoid" || row.offsetHeight > innerHeight
).length
"""
FULL_SLIPS = """
[...document.querySelectorAll(".slip")].filter(
  (slip) => slip.scrollHeight > slip.clientHeight || slip.scrollWidth > slip.clientWidth
).length
"""


def lay_out(page: Page, paper: str) -> None:
    """Set the viewport to the printable area of a page."""
    width, height = (round((side - 2 * MARGIN) * PIXELS) for side in FORMATS[paper])
    page.set_viewport_size({"width": width, "height": height})


@pytest.fixture
def on_paper(event: tuple[Page, str, int]) -> Iterator[tuple[Page, str, int]]:
    event[0].emulate_media(media="print")
    yield event
    event[0].emulate_media(media="screen")


@pytest.mark.parametrize("paper", FORMATS)
@pytest.mark.parametrize("printout", PRINTOUTS)
def test_printout_takes_few_pages_and_cuts_nothing_off(
    on_paper: tuple[Page, str, int], printout: str, paper: str
):
    page, address, players = on_paper
    page.goto(address + printout)

    lay_out(page, paper)

    assert pages(page.pdf(format=paper)) <= PRINTOUTS[printout][players]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CUT_ROWS) == 0
    assert page.evaluate(FULL_SLIPS) == 0


def test_long_name_leaves_room_for_the_opponent(on_paper: tuple[Page, str, int]):
    page, address, _ = on_paper
    page.goto(f"{address}rounds/1/print/?by=name")
    lay_out(page, "Letter")

    player, opponent = page.evaluate(
        "[...document.querySelectorAll('.paper-table tbody tr:first-child .paper-table__half')]"
        ".map((cell) => cell.offsetWidth)"
    )

    assert 0.95 < player / opponent < 1.05


@pytest.mark.parametrize("printout", ROWS_WITH_NAMES)
def test_printout_lists_all_players_and_repeats_its_heading(
    on_paper: tuple[Page, str, int], printout: str
):
    page, address, players = on_paper
    page.goto(address + printout)

    text = page.locator("main").inner_text()
    head = page.locator(".paper-head").first

    assert [name for name in names_of(players) if name not in text] == []
    expect(head).to_be_visible()
    expect(head).to_contain_text(f"Paper of {players}")
    expect(head).to_contain_text(re.compile(r"Printed \d+ \w+ 20\d\d, \d\d:\d\d"))
    thead = page.locator("thead:has(.paper-head)").first
    expect(thead).to_have_css("display", "table-header-group")


def test_printed_time_is_the_time_of_printing(on_paper: tuple[Page, str, int]):
    page, address, _ = on_paper
    page.goto(f"{address}desk/paper/check-in/")
    page.evaluate("document.querySelector('[data-printed]').textContent = 'long ago'")

    page.pdf()

    expect(page.locator("[data-printed]").first).not_to_have_text("long ago")


def test_html_export_opens_without_a_server(
    event: tuple[Page, str, int], browser: Browser, tmp_path: Path
):
    page, address, players = event
    file = tmp_path / "event.html"
    file.write_bytes(page.request.get(f"{address}exports/html/").body())
    context = browser.new_context(
        offline=True, java_script_enabled=False, viewport={"width": 320, "height": 640}
    )
    page_, requests = context.new_page(), list[str]()
    page_.on("request", lambda request: requests.append(request.url))

    page_.goto(file.as_uri())
    page_.get_by_role("navigation").get_by_role("link", name="Round 1").click()

    assert requests == [file.as_uri()]
    assert page_.url == f"{file.as_uri()}#round-1"
    expect(page_.locator("#round-1")).to_be_in_viewport()
    expect(page_.locator("article")).to_have_count(players)
    assert page_.locator("body").evaluate("body => body.scrollWidth") <= 320
    context.close()
