"""The projector view: complete rows at any size, automatic turning, and its keys."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.test_accessible import RULES
from tests.browser.walls import SITE, Screen, wall

pytestmark = pytest.mark.browser

SIZES = [(1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]
NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
SMALLEST = 2.7
"""Minimum letter height in hundredths of the screen, readable from eight metres."""

# Of the projected view: the fully visible rows, the rows cut off, and the letters.
LOOK = """() => {
  const box = document.querySelector("[data-wall-view]:not([hidden]) [data-wall-box]");
  const frame = box.getBoundingClientRect();
  const rows = [...box.firstElementChild.children].map((row) => row.getBoundingClientRect());
  const near = (place) => rows[place].left < frame.right - 4 && rows[place].right > frame.left + 4;
  const whole = (row) => row.left >= frame.left - 1 && row.right <= frame.right + 1
    && row.top >= frame.top - 1 && row.bottom <= frame.bottom + 1;
  const seen = rows.map((row, place) => place).filter(near);
  const unit = Math.min(innerHeight, innerWidth * 9 / 16) / 100;
  const wide = [...box.querySelectorAll("bdi")]
    .filter((one) => one.scrollWidth > one.offsetWidth + 1);
  const short = ".wall-row__rank, .wall-row__table, .wall-row__side, strong";
  const numbers = [...box.querySelectorAll(short)]
    .filter((one) => one.offsetHeight > 1.7 * parseFloat(getComputedStyle(one).fontSize));
  return {
    broken: numbers.length, rows: rows.length, seen, wide: wide.length,
    cut: seen.filter((place) => !whole(rows[place])),
    letters: Math.min(...[...box.querySelectorAll("bdi, strong, .wall-row__side")]
      .map((one) => parseFloat(getComputedStyle(one).fontSize))) / unit,
    screen: document.documentElement.scrollWidth <= innerWidth
      && document.documentElement.scrollHeight <= innerHeight,
  };
}"""


@pytest.fixture
def open_wall(new_page: NewPage) -> Callable[..., Screen]:
    """A function that opens a projector view; the test controls its clock."""

    def open_screen(
        players: int = 8, *, first_until: datetime | None = None, **options: Any
    ) -> Screen:
        page = new_page(viewport={"width": 1280, "height": 720}, **options)
        page.clock.install(time=NOON)
        screen = Screen(page, wall(players, first_until=first_until))
        screen.open()
        return screen

    return open_screen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (8, SIZES[:2]),
        (64, SIZES[1:3]),
        (300, SIZES[2:3]),
        *(pytest.param(players, SIZES, marks=pytest.mark.slow) for players in (8, 64, 300)),
    ],
)
def test_every_name_is_shown_in_full_at_every_size(
    open_wall, players: int, sizes: list[tuple[int, int]]
):
    screen = open_wall(players)
    for width, height in sizes:
        screen.page.set_viewport_size({"width": width, "height": height})
        for key, name in (("1", "pairings"), ("4", "standings"), ("5", "results"), ("2", "tables")):
            screen.press(key)
            expect(screen.page.locator(f"[data-wall-view={name}]")).to_be_visible()
            is_complete, pages = all_pages(screen)
            assert is_complete, (width, height, name)
            assert pages <= (10 if players == 300 else 3), (width, height, name)


def pages_of(footer: str) -> int:
    """Number of pages of the view, from its footer."""
    match = re.search(r"Page \d+ of (\d+)$", footer)
    return int(match[1]) if match else 1


def all_pages(screen: Screen) -> tuple[bool, int]:
    """Turn all pages; return True if every row was visible, and the number of pages."""
    footer = screen.page.locator("[data-wall-place]").inner_text()
    count = pages_of(footer)
    seen_rows: set[int] = set()
    for _ in range(count):
        look = screen.page.evaluate(LOOK)
        faults = (look["cut"], look["wide"], look["broken"], look["screen"])
        assert faults == ([], 0, 0, True), (footer, look)
        assert look["letters"] >= SMALLEST
        seen_rows.update(look["seen"])
        screen.press("ArrowRight")
    return seen_rows == set(range(look["rows"])), count


def test_projector_turns_automatically_unless_paused(open_wall):
    screen = open_wall()
    titles = []
    for _ in range(5):
        titles.append(screen.title())
        screen.page.clock.run_for(12_100)
    assert titles[:3] == ["Round 3: find your table", "Round 3", "Standings after round 2"]
    assert len(set(titles)) == 5

    screen.press("Space")
    before = screen.title()
    screen.page.clock.run_for(60_000)
    assert screen.title() == before
    expect(screen.page.locator("[data-wall-paused]")).to_be_visible()
    screen.press("Space")
    screen.page.clock.run_for(12_100)
    assert screen.title() != before


@pytest.mark.slow
def test_first_minutes_show_pairings_only(open_wall):
    screen = open_wall(first_until=NOON.replace(minute=2))
    screen.page.clock.run_for(13_000)
    assert screen.title() == "Round 3: find your table"

    with screen.page.expect_response(lambda answer: "x-fragment" in answer.request.headers):
        screen.now = "2026-05-02T12:02:01+00:00"
        screen.page.clock.run_for(6_000)
    for _ in range(5):  # The browser reads the response in real time, whatever its clock shows.
        if screen.title() == "Round 3: find your table":
            screen.page.clock.run_for(13_000)
    assert screen.title() != "Round 3: find your table"


@pytest.mark.slow
def test_arrow_keys_move_through_pages_and_views(open_wall):
    screen = open_wall(300)
    footer = screen.page.locator("[data-wall-place]")
    pages = pages_of(footer.inner_text())
    for _ in range(pages):
        screen.press("ArrowRight")
    assert screen.title() == "Round 3"

    screen.press("ArrowLeft")
    expect(footer).to_have_text(f"View 1 of 5, Page {pages} of {pages}")


@pytest.mark.slow
def test_chosen_letter_size_is_remembered(open_wall):
    screen = open_wall(64)
    usual = screen.page.evaluate(LOOK)["letters"]
    screen.press("+", "+", "+")
    larger = screen.page.evaluate(LOOK)
    assert larger["letters"] > usual
    assert (larger["cut"], larger["screen"]) == ([], True)
    screen.page.reload()
    assert screen.page.evaluate(LOOK)["letters"] == pytest.approx(larger["letters"], abs=0.1)

    screen.press("-", "-", "-", "-")
    assert screen.page.evaluate(LOOK)["letters"] < usual


@pytest.mark.slow
def test_number_key_holds_a_view_until_zero_is_pressed(open_wall):
    screen = open_wall()
    screen.press("4")
    expect(screen.page.locator("h1:visible")).to_have_text("Standings after round 2")
    screen.page.clock.run_for(40_000)
    assert screen.title() == "Standings after round 2"
    assert screen.page.url.endswith("?show=standings")
    assert screen.polls[-1].endswith("?show=standings")

    screen.press("0")
    # The page's clock schedules another poll after the pending poll.
    screen.page.clock.run_for(1_000)
    expect(screen.page.locator("h1:visible")).to_have_text("Round 3: find your table")
    assert screen.page.url.endswith("/projector/")


@pytest.mark.slow
def test_views_are_chosen_on_the_hidden_control_strip(open_wall):
    screen = open_wall()
    strip = screen.page.locator("[data-wall-strip]")
    screen.page.mouse.move(200, 200)
    expect(strip).to_have_css("opacity", "1")
    covered, rows = strip.bounding_box(), screen.page.locator(".wall__view:visible").bounding_box()
    assert covered is not None
    assert rows is not None
    assert covered["y"] >= rows["y"] + rows["height"]
    strip.locator("summary").click()
    strip.get_by_label("Clock").check()
    strip.get_by_label("Standings").check()
    strip.get_by_role("button", name="Show these").click()
    expect(screen.page.locator("h1:visible")).to_have_text("Round 3", use_inner_text=True)
    strip.get_by_label("Every").select_option("30")
    screen.page.clock.run_for(13_000)
    assert screen.title() == "Round 3"
    screen.page.clock.run_for(18_000)
    assert screen.title() == "Standings after round 2"

    screen.page.evaluate("document.activeElement.blur()")
    screen.page.mouse.move(300, 100)
    screen.page.clock.run_for(6_000)
    expect(strip).to_have_css("opacity", "0")


@pytest.mark.slow
def test_list_of_keys_can_be_hidden(open_wall):
    screen = open_wall()
    screen.press("?")
    dialog = screen.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Next page, previous page")
    dialog.get_by_label("Use the keys without Ctrl or Alt").uncheck()
    screen.press("Escape")
    expect(dialog).to_be_hidden()

    screen.press("4")
    assert screen.title() == "Round 3: find your table"


def test_age_is_always_shown_and_an_unreachable_site_is_marked(open_wall):
    screen = open_wall()
    age, mark = screen.page.locator("[data-wall-fresh]"), screen.page.locator("[data-wall-stale]")
    screen.page.clock.run_for(5_500)
    expect(age).to_have_text(re.compile("Updated (now|1 s ago)"))
    expect(mark).to_be_hidden()

    screen.answers = False
    screen.page.clock.run_for(12_000)
    expect(age).to_have_text(re.compile(r"Updated 1\d s ago"))
    screen.page.clock.run_for(15_000)
    expect(mark).to_have_text(re.compile(r"^Not updated since \d\d:\d\d$"))
    expect(mark).to_be_visible()
    look = screen.page.evaluate(LOOK)
    view_box = screen.page.locator("[data-wall-view]:visible").bounding_box()
    mark_box = mark.bounding_box()
    assert (look["cut"], look["screen"]) == ([], True)
    assert view_box is not None
    assert mark_box is not None
    assert view_box["y"] + view_box["height"] <= mark_box["y"]
    screen.answers = True
    screen.page.clock.run_for(10_000)
    expect(mark).to_be_hidden()


def test_projector_reloads_in_a_new_language(open_wall):
    screen = open_wall()
    screen.language = "de"

    screen.page.clock.run_for(6_000)

    expect(screen.page.locator("html")).to_have_attribute("lang", "de")
    expect(screen.page.locator("[data-wall-fresh]")).to_contain_text("aktualisiert")


def test_change_appears_without_turning_the_page(open_wall):
    screen = open_wall(300)
    screen.press("ArrowRight")
    footer = screen.page.locator("[data-wall-place]").inner_text()

    screen.page.evaluate("document.dispatchEvent(new CustomEvent('datafort:look'))")
    expect(screen.page.locator("[data-wall-place]")).to_have_text(footer)
    screen.page.clock.run_for(1_000)

    assert screen.polls
    expect(screen.page.locator("[data-wall-place]")).to_have_text(footer)


def test_tables_with_extra_time_have_their_own_clock(open_wall):
    page = open_wall().page
    page.goto(f"{SITE}/events/hall/projector/?show=clock")

    expect(page.locator(".wall__great-clock .clock__time")).to_have_text("60:00")
    expect(page.locator(".wall__table-clock")).to_have_text(["60:00"] * 3)
    page.clock.run_for(2_000)
    for clock in page.locator(".wall__great-clock .clock__time, .wall__table-clock").all():
        expect(clock).to_have_text("59:58")


def test_heading_does_not_repeat_the_view_without_scripts(new_page: NewPage):
    screen = Screen(new_page(java_script_enabled=False), wall(8))
    screen.page.goto(f"{SITE}/events/hall/projector/?show=clock")
    expect(screen.page.locator(".wall__clock")).to_be_hidden()

    screen.page.goto(f"{SITE}/events/hall/projector/?show=pairings")
    expect(screen.page.locator(".wall__clock")).to_be_visible()


@pytest.mark.slow
def test_page_without_scripts_loads_the_next_view(new_page: NewPage):
    page = new_page(java_script_enabled=False, viewport={"width": 1280, "height": 720})
    screen = Screen(page, wall(64))
    screen.open()

    expect(page.locator("h1:visible")).to_have_text("Round 3: find your table")
    expect(page.get_by_text("Wolfeschlegelsteinhausenbergerdorff Hubert Blaine")).to_have_count(4)
    page.get_by_text("Views", exact=True).click()
    expect(page.get_by_role("button", name="Show these")).to_be_visible()
    expect(page.get_by_role("link", name="Automatic views")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    assert 'content="20; url=?turn=1"' in page.content()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 320),
        ("dark", 1920),
        pytest.param("light", 1920, marks=pytest.mark.slow),
        pytest.param("dark", 320, marks=pytest.mark.slow),
    ],
)
def test_projector_is_accessible(open_wall, scheme: str, width: int):
    screen = open_wall(color_scheme=scheme, reduced_motion="reduce")
    screen.page.set_viewport_size({"width": width, "height": 800})
    screen.page.mouse.move(100, 100)
    violations = []
    for _ in range(5):
        for violation in Axe().run(screen.page, options=RULES).response["violations"]:
            html = violation["nodes"][0]["html"][:120]
            violations.append(f"{screen.title()}: {violation['id']}: {html}")
        screen.press("ArrowRight")

    assert violations == []
