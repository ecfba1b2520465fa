"""Result entry by mouse and by keyboard, without losing the focus."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 320, "height": 700}


class Keyboard:
    """Counts pressed keys."""

    def __init__(self, page: Page) -> None:
        self.page, self.strokes = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.strokes += len(keys)

    def table(self, number: int) -> None:
        self.press(*str(number), "Enter")


def focus(page: Page) -> str:
    """The focused field, by its id or name."""
    return str(page.evaluate("document.activeElement.id || document.activeElement.name"))


def running_round(page: Page, site: str, name: str, players: int, game: str = "") -> str:
    """The address of the result entry of a running round 1."""
    organiser.sign_up(page, site, name.replace(" ", "-").lower())
    address = f"{site}{new_event(page, site, name, game)}"
    names = [f"Player {number:03}" for number in range(1, players + 1)]
    organiser.paste_names(page, names)
    organiser.check_in_all(page, address, players)
    organiser.publish_and_start(page, address, 1)
    page.goto(f"{address}rounds/1/results/")
    return page.url


def new_event(page: Page, site: str, name: str, game: str) -> str:
    page.goto(f"{site}/events/new/")
    page.get_by_label("Name", exact=True).fill(name)
    if game:
        page.locator("select[name=game]").select_option(game)
    return organiser.submit_new_event(page).removeprefix(site)


def points_at(page: Page, table: int) -> list[str]:
    return page.locator(f"#table-{table} li strong").all_inner_texts()


@pytest.mark.parametrize("tables", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_round_by_keyboard_alone(site: str, new_page: NewPage, tables: int) -> None:
    page = new_page(viewport=WIDE)
    address = running_round(page, site, f"Round of {tables}", 2 * tables)
    keys = Keyboard(page)

    for table in range(1, tables + 1):
        # Seat 1 sweeps at odd tables; at even tables each player wins as Corp. Runners have 2 and
        # 0.
        keys.table(table)
        keys.press(*(("1", "2", "Enter") if table % 2 else ("3", "2", "Enter", "0", "Enter")))
    expect(page.locator("[data-all-in]")).to_be_visible(timeout=20_000)

    assert focus(page) == "entry-table"
    page.goto(address)
    for table in range(1, tables + 1):
        assert points_at(page, table) == (["20", "2"] if table % 2 else ["10", "12"])
    # Two digits, Enter, a code, and one or two numbers with Enter; the first nine tables need one
    # digit less.
    assert keys.strokes == 7 * tables - 9


def test_result_takes_two_clicks_and_the_points(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    running_round(page, site, "By mouse", 4)
    card = page.locator("#table-1")

    card.get_by_text("1 1 Corp won both").click()
    expect(card.locator("input[data-asked]")).to_have_count(2)
    card.get_by_text("2 0", exact=True).click()
    expect(card.locator("input[data-asked]")).to_have_count(1)
    assert focus(page) == "t1-game_1_points_2"
    page.keyboard.press("4")
    page.keyboard.press("Enter")

    expect(message(page)).to_contain_text("Table 1: Player")
    assert points_at(page, 1) == ["20", "4"]
    assert focus(page) == "t2-code"
    card.get_by_role("button", name="Undo").click()
    expect(message(page)).to_contain_text("Result of table 1 undone. It has no result now.")
    card.get_by_role("link", name="Other…").click()
    expect(card.get_by_role("button", name="Save table 1")).to_be_visible()
    card.get_by_role("link", name="Cancel").click()
    expect(card.get_by_role("link", name="Other…")).to_be_visible()
    expect(page.locator(".score-card")).to_have_count(2)


def test_single_table_is_entered_in_its_card(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    running_round(page, site, "One table", 2)
    expect(page.locator("#entry-table")).to_be_hidden()
    assert focus(page) == "t1-code"
    page.locator("#table-1").get_by_text("2 0", exact=True).click()
    page.keyboard.type("3")

    page.keyboard.press("Enter")

    # A second Enter opens nothing.
    expect(message(page)).to_be_focused()
    assert points_at(page, 1) == ["20", "3"]


def test_missing_points_are_reported_once(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    address = running_round(page, site, "Blank points", 4)
    page.goto(f"{address}#table-1")
    page.reload()
    expect(page.locator("#entry-table")).to_have_value("1")
    card = page.locator("#table-1")
    card.get_by_text("2 0", exact=True).click()
    expect(card.locator(".asked")).to_contain_text("who lost game 1")

    card.get_by_role("button", name="Save").click()

    expect(message(page)).to_have_text("Table 1 is not saved yet.")
    expect(card.get_by_role("alert")).to_contain_text("enter the agenda points of")
    assert focus(page) == "id_t1-game_1_points_2"
    errors = card.locator(".field__errors").bounding_box()
    assert errors is not None
    assert errors["width"] <= 1
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(message(page)).to_contain_text("Table 1: Player")
    expect(card.locator("ul")).to_contain_text("2–0")
    expect(page.locator("#entry-table")).to_have_value("")


def test_changed_winner_clears_the_points(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    running_round(page, site, "Changed winner", 4)
    card = page.locator("#table-1")
    card.get_by_text("2 0", exact=True).click()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    card.get_by_role("link", name="Edit").click()
    loser, winner = (
        card.locator(f"[name={name}]") for name in ("t1-game_1_points_2", "t1-game_2_points_1")
    )

    card.get_by_text("0 2", exact=True).click()
    expect(winner).to_have_value("")
    assert focus(page) == "id_t1-game_2_points_1"
    page.keyboard.press("3")
    card.get_by_text("2 0", exact=True).click()

    expect(loser).to_have_value("4")
    expect(winner).not_to_be_visible()


def test_result_needs_no_scripts(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    address = running_round(page, site, "No scripts", 4)
    plain = new_page(
        viewport=WIDE, java_script_enabled=False, storage_state=page.context.storage_state()
    )
    plain.goto(address)

    plain.locator("#table-2 label:has([value='1'])").click()
    plain.locator("#table-2").get_by_role("button", name="Save").click()
    expect(plain.locator("#table-2 [role=alert]")).to_contain_text("enter the agenda points")
    plain.locator("#table-2 [name=t2-game_1_points_2]").fill("3")
    plain.locator("#table-2").get_by_role("button", name="Save").click()

    expect(plain.locator("#table-2[data-settled]")).to_be_visible()
    assert points_at(plain, 2) == ["20", "3"]
    plain.locator("#table-2").get_by_role("button", name="Undo").click()
    expect(plain.locator("#table-2[data-settled]")).to_have_count(0)


@pytest.fixture(scope="module")
def eleven_tables(site: str, browser: Browser) -> Iterator[dict[str, Any]]:
    """Round 1 of an event: `address` of its result entry, and the `cookies` of its owner."""
    context = browser.new_context(viewport=WIDE)
    address = running_round(context.new_page(), site, "Codes", 22, game="anr")
    yield {"address": address, "cookies": context.storage_state()}
    context.close()


@pytest.fixture
def entry(eleven_tables: dict[str, Any], new_page: NewPage) -> Page:
    """The result entry of that round; each test uses its own tables."""
    page = new_page(viewport=WIDE, storage_state=eleven_tables["cookies"])
    page.goto(eleven_tables["address"])
    return page


def message(entry: Page) -> Locator:
    return entry.locator("[data-message]")


def test_digit_enters_a_result_and_a_following_enter_is_ignored(entry: Page) -> None:
    keys = Keyboard(entry)
    keys.table(1)
    expect(entry.locator("#entry-who")).to_contain_text("Table 1: Player")

    for key in ("1", "Enter"):
        keys.press(key)

        expect(message(entry)).to_have_text(re.compile(r"Table 1: Player \d+ 6, Player \d+ 0\."))
        assert focus(entry) == "entry-table"


def test_code_typed_after_tab_is_kept(entry: Page) -> None:
    keys = Keyboard(entry)

    keys.press("1", "0", "Tab", "2")

    expect(message(entry)).to_have_text(re.compile(r"Table 10: Player \d+ 0, Player \d+ 6\."))
    keys.press("1", "0", "Tab", "3")
    expect(message(entry)).to_contain_text("Table 10 has a result")
    keys.press("Enter")
    expect(message(entry)).to_contain_text("Table 10 changed")
    keys.press("9", "Tab", "x", "Enter")
    expect(message(entry)).to_contain_text("“x” is not a code.")
    assert focus(entry) == "entry-code"


def test_existing_result_is_not_replaced_without_confirmation(entry: Page) -> None:
    keys = Keyboard(entry)
    keys.table(7)
    keys.press("1")
    expect(message(entry)).to_contain_text("Table 7: Player")
    keys.table(99)
    expect(message(entry)).to_have_text("There is no table 99 in this round.")

    keys.table(7)
    expect(message(entry)).to_have_text(
        re.compile(r"Table 7 has a result: Player \d+ 6, Player \d+ 0\. Press Enter again")
    )
    keys.press("Enter", "t", "3")

    expect(message(entry)).to_contain_text(
        re.compile(r"Table 7 changed: Player \d+ 3, Player \d+ 3")
    )
    assert focus(entry) == "entry-table"


def test_repeated_result_is_saved_for_each_table_and_the_last_can_be_undone(entry: Page) -> None:
    keys = Keyboard(entry)
    keys.press("r")
    expect(message(entry)).to_contain_text("saved for every table whose number you type")
    keys.table(2)
    keys.press("9")
    expect(entry.locator("#entry-who")).to_have_text("Repeated at each table: intentional draw")

    for table in (3, 4):
        keys.table(table)
        expect(entry.locator(f"#table-{table}[data-settled]")).to_be_visible()
    expect(message(entry)).to_have_text(re.compile(r"Table 4: Player \d+ 2, Player \d+ 2\."))
    assert points_at(entry, 3) == ["2", "2"]
    keys.press("r", "u")

    expect(message(entry)).to_have_text("Result of table 4 undone. It has no result now.")
    assert focus(entry) == "entry-table"


def test_score_is_not_read_as_a_code(entry: Page) -> None:
    keys = Keyboard(entry)
    keys.press("1", "1", "Enter")
    keys.press("2", "-", "0")

    expect(message(entry)).to_contain_text("not part of a score")
    expect(entry.locator("#table-11[data-settled]")).to_be_visible()
    expect(message(entry)).to_contain_text("not part of a score")
    expect(entry.locator("[data-undo-last]")).to_be_visible()
    keys.press("u")
    expect(entry.locator("#table-11[data-settled]")).to_have_count(0)


def test_result_without_a_connection_is_reported_as_not_saved(entry: Page) -> None:
    keys = Keyboard(entry)
    phone.lose_signal(entry)

    keys.table(5)
    keys.press("2")

    expect(message(entry)).to_contain_text("Table 5 was not saved: no answer from the site")
    assert focus(entry) == "entry-table"
    expect(entry.locator("#table-5 [data-lost]")).to_contain_text("Table 5 was not saved")


SLOW_SAVES = """() => {
    window.atOnce = 0;
    let saving = 0;
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
        saving += 1;
        window.atOnce = Math.max(window.atOnce, saving);
        this.addEventListener("readystatechange", () => (saving -= this.readyState === 4));
        setTimeout(() => send.call(this, body), 300);
    };
}"""


def test_results_typed_faster_than_the_site_responds_are_queued(entry: Page) -> None:
    entry.evaluate(SLOW_SAVES)
    keys = Keyboard(entry)

    for table in (8, 9, 10):
        keys.table(table)
        keys.press("2")

    for table in (8, 9, 10):
        expect(entry.locator(f"#table-{table}[data-settled]")).to_be_visible()
    assert entry.evaluate("window.atOnce") == 1


def test_result_changed_by_another_user_is_sent_after_review(entry: Page) -> None:
    keys = Keyboard(entry)
    enter_draw_elsewhere(entry, entry.url, table=6)

    keys.table(6)
    keys.press("1")
    expect(message(entry)).to_contain_text("Table 6 was not saved: Someone changed this result")
    assert focus(entry) == "t6-code"
    keys.press("Enter")

    expect(message(entry)).to_contain_text("Table 6 changed: ")
    assert focus(entry) == "entry-table"
    assert points_at(entry, 6) == ["6", "0"]


def enter_draw_elsewhere(page: Page, address: str, table: int) -> None:
    """Enter a draw with the same account on another screen."""
    second_screen = page.context.new_page()
    second_screen.goto(address)
    keys = Keyboard(second_screen)
    keys.table(table)
    keys.press("0")
    expect(second_screen.locator("[data-message]")).to_contain_text(f"Table {table}:")
    second_screen.close()


@pytest.mark.slow
def test_outdated_tables_show_their_age_and_a_logged_out_user_a_message(
    site: str, new_page: NewPage
) -> None:
    page = new_page(viewport=WIDE)
    page.clock.install()
    running_round(page, site, "Old tables", 4)
    status, keys = page.locator("[data-rows-status]"), Keyboard(page)

    phone.lose_signal(page)
    page.clock.fast_forward(11_000)
    expect(status).to_contain_text("Not updated since")
    page.context.set_offline(False)
    page.clock.fast_forward(11_000)
    expect(status).to_be_empty()

    page.context.clear_cookies(name="sessionid")
    keys.table(1)
    keys.press("1", "2", "Enter")
    expect(page.locator("[data-message]")).to_contain_text(
        "Table 1 was not saved: You are logged out."
    )
    assert points_at(page, 1) == []


@pytest.mark.slow
def test_results_of_other_users_appear_and_keep_typed_text(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    address = running_round(page, site, "Two Helpers", 6, game="anr")
    own_choice = page.locator("#table-1 [value='2']")
    page.locator("#table-1").get_by_text("0 6").click()
    enter_draw_elsewhere(page, address, table=1)
    enter_draw_elsewhere(page, address, table=2)

    expect(page.locator("#table-2[data-settled]")).to_be_visible(timeout=25_000)

    expect(own_choice).to_be_checked()
    expect(page.locator("[data-count=open] strong")).to_have_text("2")


def test_focused_table_is_updated_and_keeps_the_focus(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    page.clock.install()
    address = running_round(page, site, "Focused table", 6, game="anr")
    page.locator("#table-2 [name='t2-code'][value='1']").focus()
    enter_draw_elsewhere(page, address, table=2)

    page.clock.fast_forward(11_000)
    expect(page.locator("#table-2[data-settled]")).to_be_visible()

    expect(page.get_by_role("link", name="Edit table 2")).to_be_focused()


@pytest.mark.slow
def test_pod_is_entered_on_one_line_on_a_small_screen(site: str, new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    running_round(page, site, "Pods", 8, game="free_radicals")
    page.set_viewport_size(NARROW)
    keys = Keyboard(page)

    keys.table(1)
    keys.press(*"31 27", "Enter")
    message = page.locator("[data-message]")
    expect(message).to_have_text("Numbers needed at table 1: 4. You typed 2.")
    page.keyboard.type("31 27 20 14")
    keys.press("Enter")

    expect(message).to_contain_text("Table 1: Player")
    assert points_at(page, 1) == ["5", "3", "2", "1"]
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
