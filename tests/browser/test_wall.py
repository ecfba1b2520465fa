"""The wall: nothing cut off at any size, turning by itself, in the hands of its keys."""

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
"""Hundredths of the screen that letters have at least, to be read from eight metres."""

# Of the view on the wall: the rows that are wholly in sight, those cut off, and the letters.
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
    """A wall for so many players, open in a browser whose time the test moves."""

    def opened(players: int = 8, *, first_until: datetime | None = None, **options: Any) -> Screen:
        page = new_page(viewport={"width": 1280, "height": 720}, **options)
        page.clock.install(time=NOON)
        found = Screen(page, wall(players, first_until=first_until))
        found.open()
        return found

    return opened


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
def test_every_name_is_whole_on_some_page_at_every_size(
    open_wall, players: int, sizes: list[tuple[int, int]]
):
    shown = open_wall(players)
    for width, height in sizes:
        shown.page.set_viewport_size({"width": width, "height": height})
        for key, name in (("1", "pairings"), ("4", "standings"), ("5", "results"), ("2", "tables")):
            shown.press(key)
            expect(shown.page.locator(f"[data-wall-view={name}]")).to_be_visible()
            seen, pages = all_pages(shown)
            assert seen, (width, height, name)
            assert pages <= (10 if players == 300 else 3), (width, height, name)


def pages_of(place: str) -> int:
    """How many pages the view has, as the foot shows it."""
    found = re.search(r"Page \d+ of (\d+)$", place)
    return int(found[1]) if found else 1


def all_pages(shown: Screen) -> tuple[bool, int]:
    """Whether all rows were in sight while the pages turned, and how many pages there are."""
    place = shown.page.locator("[data-wall-place]").inner_text()
    count = pages_of(place)
    seen: set[int] = set()
    for _ in range(count):
        look = shown.page.evaluate(LOOK)
        found = (look["cut"], look["wide"], look["broken"], look["screen"])
        assert found == ([], 0, 0, True), (place, look)
        assert look["letters"] >= SMALLEST
        seen.update(look["seen"])
        shown.press("ArrowRight")
    return seen == set(range(look["rows"])), count


def test_the_wall_turns_by_itself_and_stands_while_paused(open_wall):
    shown = open_wall()
    titles = []
    for _ in range(5):
        titles.append(shown.shows())
        shown.page.clock.run_for(12_100)
    assert titles[:3] == ["Round 3: find your table", "Round 3", "Standings after round 2"]
    assert len(set(titles)) == 5

    shown.press("Space")
    before = shown.shows()
    shown.page.clock.run_for(60_000)
    assert shown.shows() == before
    expect(shown.page.locator("[data-wall-paused]")).to_be_visible()
    shown.press("Space")
    shown.page.clock.run_for(12_100)
    assert shown.shows() != before


@pytest.mark.slow
def test_in_the_first_minutes_there_are_pairings_and_nothing_else(open_wall):
    shown = open_wall(first_until=NOON.replace(minute=2))
    shown.page.clock.run_for(13_000)
    assert shown.shows() == "Round 3: find your table"

    with shown.page.expect_response(lambda answer: "x-fragment" in answer.request.headers):
        shown.now = "2026-05-02T12:02:01+00:00"
        shown.page.clock.run_for(6_000)
    for _ in range(5):  # The answer is read in the browser's own time, whatever its clock says.
        if shown.shows() == "Round 3: find your table":
            shown.page.clock.run_for(13_000)
    assert shown.shows() != "Round 3: find your table"


@pytest.mark.slow
def test_arrows_go_on_and_back_over_pages_and_views(open_wall):
    shown = open_wall(300)
    place = shown.page.locator("[data-wall-place]")
    pages = pages_of(place.inner_text())
    for _ in range(pages):
        shown.press("ArrowRight")
    assert shown.shows() == "Round 3"

    shown.press("ArrowLeft")
    expect(place).to_have_text(f"View 1 of 5, Page {pages} of {pages}")


@pytest.mark.slow
def test_letters_grow_and_shrink_and_stay_so(open_wall):
    shown = open_wall(64)
    usual = shown.page.evaluate(LOOK)["letters"]
    shown.press("+", "+", "+")
    larger = shown.page.evaluate(LOOK)
    assert larger["letters"] > usual
    assert (larger["cut"], larger["screen"]) == ([], True)
    shown.page.reload()
    assert shown.page.evaluate(LOOK)["letters"] == pytest.approx(larger["letters"], abs=0.1)

    shown.press("-", "-", "-", "-")
    assert shown.page.evaluate(LOOK)["letters"] < usual


@pytest.mark.slow
def test_a_number_holds_a_view_and_zero_lets_go(open_wall):
    shown = open_wall()
    shown.press("4")
    expect(shown.page.locator("h1:visible")).to_have_text("Standings after round 2")
    shown.page.clock.run_for(40_000)
    assert shown.shows() == "Standings after round 2"
    assert shown.page.url.endswith("?show=standings")
    assert shown.asked[-1].endswith("?show=standings")

    shown.press("0")
    # A look that was on its way is followed by another one, by the clock of the page.
    shown.page.clock.run_for(1_000)
    expect(shown.page.locator("h1:visible")).to_have_text("Round 3: find your table")
    assert shown.page.url.endswith("/projector/")


@pytest.mark.slow
def test_a_programme_is_chosen_on_the_strip_that_hides(open_wall):
    shown = open_wall()
    strip = shown.page.locator("[data-wall-strip]")
    shown.page.mouse.move(200, 200)
    expect(strip).to_have_css("opacity", "1")
    covered, rows = strip.bounding_box(), shown.page.locator(".wall__view:visible").bounding_box()
    assert covered is not None
    assert rows is not None
    assert covered["y"] >= rows["y"] + rows["height"]
    strip.locator("summary").click()
    strip.get_by_label("Clock").check()
    strip.get_by_label("Standings").check()
    strip.get_by_role("button", name="Show these").click()
    expect(shown.page.locator("h1:visible")).to_have_text("Round 3", use_inner_text=True)
    strip.get_by_label("Every").select_option("30")
    shown.page.clock.run_for(13_000)
    assert shown.shows() == "Round 3"
    shown.page.clock.run_for(18_000)
    assert shown.shows() == "Standings after round 2"

    shown.page.evaluate("document.activeElement.blur()")
    shown.page.mouse.move(300, 100)
    shown.page.clock.run_for(6_000)
    expect(strip).to_have_css("opacity", "0")


@pytest.mark.slow
def test_the_keys_are_shown_and_can_be_left_out(open_wall):
    shown = open_wall()
    shown.press("?")
    dialog = shown.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Next page, previous page")
    dialog.get_by_label("Keys work without Ctrl or Alt").uncheck()
    shown.press("Escape")
    expect(dialog).to_be_hidden()

    shown.press("4")
    assert shown.shows() == "Round 3: find your table"


def test_the_age_is_always_shown_and_a_silent_site_is_marked(open_wall):
    shown = open_wall()
    age, mark = shown.page.locator("[data-wall-fresh]"), shown.page.locator("[data-wall-stale]")
    shown.page.clock.run_for(5_500)
    expect(age).to_have_text(re.compile("Updated (now|1 s ago)"))
    expect(mark).to_be_hidden()

    shown.answers = False
    shown.page.clock.run_for(12_000)
    expect(age).to_have_text(re.compile(r"Updated 1\d s ago"))
    shown.page.clock.run_for(15_000)
    expect(mark).to_have_text(re.compile(r"^Not updated since \d\d:\d\d$"))
    expect(mark).to_be_visible()
    look = shown.page.evaluate(LOOK)
    seen = shown.page.locator("[data-wall-view]:visible").bounding_box()
    over = mark.bounding_box()
    assert (look["cut"], look["screen"]) == ([], True)
    assert seen is not None
    assert over is not None
    assert seen["y"] + seen["height"] <= over["y"]
    shown.answers = True
    shown.page.clock.run_for(10_000)
    expect(mark).to_be_hidden()


def test_a_change_comes_in_without_turning_the_page(open_wall):
    shown = open_wall(300)
    shown.press("ArrowRight")
    place = shown.page.locator("[data-wall-place]").inner_text()

    shown.page.evaluate("document.dispatchEvent(new CustomEvent('datafort:look'))")
    expect(shown.page.locator("[data-wall-place]")).to_have_text(place)
    shown.page.clock.run_for(1_000)

    assert shown.asked
    expect(shown.page.locator("[data-wall-place]")).to_have_text(place)


def test_tables_with_time_of_their_own_have_a_clock_beside_that_of_the_round(open_wall):
    page = open_wall().page
    page.goto(f"{SITE}/events/hall/projector/?show=clock")

    expect(page.locator(".wall__great-clock .clock__time")).to_have_text("60:00")
    expect(page.locator(".wall__table-clock")).to_have_text(["60:00"] * 3)
    page.clock.run_for(2_000)
    for clock in page.locator(".wall__great-clock .clock__time, .wall__table-clock").all():
        expect(clock).to_have_text("59:58")


def test_the_head_leaves_out_what_the_view_shows_before_any_script_has_run(new_page: NewPage):
    shown = Screen(new_page(java_script_enabled=False), wall(8))
    shown.page.goto(f"{SITE}/events/hall/projector/?show=clock")
    expect(shown.page.locator(".wall__clock")).to_be_hidden()

    shown.page.goto(f"{SITE}/events/hall/projector/?show=pairings")
    expect(shown.page.locator(".wall__clock")).to_be_visible()


@pytest.mark.slow
def test_without_scripts_the_page_is_plain_and_loads_the_next_view_itself(new_page: NewPage):
    page = new_page(java_script_enabled=False, viewport={"width": 1280, "height": 720})
    shown = Screen(page, wall(64))
    shown.open()

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
def test_everybody_can_use_the_wall(open_wall, scheme: str, width: int):
    shown = open_wall(color_scheme=scheme, reduced_motion="reduce")
    shown.page.set_viewport_size({"width": width, "height": 800})
    shown.page.mouse.move(100, 100)
    found = []
    for _ in range(5):
        for violation in Axe().run(shown.page, options=RULES).response["violations"]:
            where = violation["nodes"][0]["html"][:120]
            found.append(f"{shown.shows()}: {violation['id']}: {where}")
        shown.press("ArrowRight")

    assert found == []
