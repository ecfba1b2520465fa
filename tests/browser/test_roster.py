"""The roster by keyboard, by tap and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

LONG_NAME = "Bartholomew Featherstonehaugh-Cholmondeley"
TALLEST_ROW = 56  # Pixels: the height of a row with a name of one line.


def open_roster(page: Page, site: str, account: str, names: list[str]) -> str:
    organiser.sign_up(page, site, account)
    address = f"{site}{organiser.create_event(page, site, f'Roster of {account}')}"
    if names:
        organiser.paste_names(page, names)
    page.goto(f"{address}roster/")
    return address


def test_five_players_are_added_by_keyboard_alone(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    open_roster(page, site, "five", [])
    field = page.get_by_label("Add a player")
    expect(field).to_be_focused()

    # The next name is typed before the response arrives.
    for name in ("Ada", "Bo", "Cy", "Di", "Ed"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")

    expect(page.locator("#roster-rows tr")).to_have_count(5)
    expect(field).to_be_focused()
    expect(page.locator("#roster-counts")).to_have_text("0 of 5 checked in")

    page.keyboard.type("ada")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Ada is on the roster. If this is a different person")).to_be_visible()
    expect(field).to_have_value("ada")
    page.get_by_label("This is a different person").check()
    field.press("Enter")
    expect(page.locator("#roster-rows tr")).to_have_count(6)
    page.get_by_role("button", name="Undo: remove ada").click()
    expect(page.locator("#roster-rows tr")).to_have_count(5)


def test_players_who_join_appear_in_the_list(site: str, new_page: NewPage):
    page, phone = new_page(viewport={"width": 1280, "height": 800}), new_page()
    address = open_roster(page, site, "live", ["Ada"])
    page.goto(f"{address}desk/sections/players/")
    code = page.locator("#join").inner_text()
    page.goto(f"{address}roster/?add")
    field = page.get_by_label("Add a player")
    expect(field).to_be_focused()
    page.keyboard.type("Bo")

    phone.goto(f"{site}/join/{code}/")
    phone.locator("#id_name").fill("Lena")
    phone.get_by_role("button", name="Join").click()

    expect(organiser.roster_row(page, "Lena")).to_be_visible(timeout=15_000)
    expect(page.locator("#roster-counts")).to_have_text("0 of 2 checked in")
    expect(field).to_be_focused()
    expect(field).to_have_value("Bo")


def test_players_are_found_checked_in_and_dropped_without_a_reload(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    open_roster(page, site, "door", ["Ada", "Bo", "Zoë"])
    page.evaluate("window.isSamePage = true")
    search = page.get_by_label("Find a player")
    search.press_sequentially("zoe")
    expect(organiser.roster_row(page, "Ada")).to_be_hidden()

    # Enter moves to the player found, and a second Enter checks in.
    search.press("Enter")
    zoe = organiser.roster_row(page, "Zoë").locator(".badge--toggle")
    expect(zoe).to_be_focused()
    expect(zoe).to_have_accessible_name("Check in Zoë")
    page.keyboard.press("Enter")
    expect(zoe).to_have_accessible_name("Checked in Zoë")
    expect(zoe).to_be_focused()
    expect(page.locator("#roster-counts")).to_have_text("1 of 3 checked in")

    search.fill("")
    page.get_by_role("link", name="To check in").click()
    expect(organiser.roster_row(page, "Zoë")).to_be_hidden()
    ada = organiser.roster_row(page, "Ada")
    # The row stays visible, so that a mistake can be undone with one tap.
    ada.get_by_role("button", name="Check in").click()
    expect(ada.get_by_role("button", name="Checked in")).to_be_visible()

    menu = ada.get_by_role("link", name="Menu")
    menu.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Fixed table").fill("12")
    sheet.get_by_role("button", name="Save table preferences").click()
    expect(sheet).to_be_hidden()
    expect(ada).to_contain_text("Table 12")
    expect(menu).to_be_focused()
    menu.press("Enter")
    sheet.get_by_role("button", name="Drop").click()
    expect(ada.get_by_text("Dropped")).to_be_visible()
    expect(page.get_by_role("status").get_by_role("link", name="Undo")).to_be_visible()
    assert page.evaluate("window.isSamePage")


def test_refusal_stays_in_the_sheet(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    open_roster(page, site, "refused", ["Ada"])
    organiser.roster_row(page, "Ada").get_by_role("link", name="Menu").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name", exact=True).fill("gus@example.org")
    sheet.get_by_role("button", name="Save name").click()

    expect(sheet.get_by_role("alert")).to_contain_text("not an email address")

    phone.lose_signal(page)
    sheet.get_by_role("button", name="Save name").click()
    expect(sheet.get_by_role("alert")).to_contain_text("Not saved.")


def test_taps_in_quick_succession_all_arrive(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_roster(page, site, "quick", ["Ada", "Bo", "Cy", "Di", "Ed"])

    page.evaluate(
        "document.querySelectorAll('#roster-rows .badge--toggle').forEach((b) => b.click())"
    )

    expect(page.locator("#roster-counts")).to_have_text("5 of 5 checked in")
    expect(page.locator("#roster-rows .badge--checked_in")).to_have_count(5)


def test_rows_fit_a_phone(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 390, "height": 844})
    open_roster(page, site, "small", ["Ada", LONG_NAME, "Kasia Wiśniewska"])

    heights = [row.bounding_box()["height"] for row in page.locator("#roster-rows tr").all()]  # type: ignore[index]

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert [height <= TALLEST_ROW for height in heights] == [True, False, True]
    for control in page.locator("#roster-rows :is(button, a)").all():
        box = control.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    organiser.roster_row(page, "Ada").get_by_role("link", name="Menu").click()
    sheet = page.get_by_role("dialog").bounding_box()
    assert sheet is not None
    assert sheet["y"] + sheet["height"] == pytest.approx(844, abs=1)


def test_list_begins_within_400_pixels(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    open_roster(page, site, "above", ["Ada", "Bo"])

    box = page.locator("#roster-rows").bounding_box()

    assert box is not None
    assert box["y"] <= 400
    assert box["height"] == pytest.approx(2 * 48, abs=4)


def test_one_button_to_add_is_shown_at_a_time(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    open_roster(page, site, "one-button", ["Ada"])
    add, send = (
        page.get_by_role("link", name="Add", exact=True),
        page.get_by_role("button", name="Add player"),
    )
    expect(send).to_be_hidden()

    add.click()
    expect(add).to_be_hidden()
    expect(send).to_be_visible()

    page.get_by_label("Add a player").press("Escape")
    expect(send).to_be_hidden()
    expect(add).to_be_focused()


def test_roster_works_without_a_script(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    address = open_roster(page, site, "scriptless", ["Ada", "Bo"])
    plain = page.context.browser.new_context(
        java_script_enabled=False, storage_state=page.context.storage_state()
    )
    try:
        page = plain.new_page()
        page.goto(f"{address}roster/")
        organiser.roster_row(page, "Ada").get_by_role("button", name="Check in").click()
        expect(page.locator("#roster-counts")).to_have_text("1 of 2 checked in")

        page.get_by_role("link", name="To check in").click()
        expect(organiser.roster_row(page, "Ada")).to_be_hidden()
        page.get_by_role("link", name="Add", exact=True).click()
        page.get_by_label("Add a player").fill("Ada")
        page.get_by_label("Add a player").press("Enter")
        expect(page.get_by_text("Ada is on the roster. If this")).to_be_visible()
        organiser.roster_row(page, "Bo").get_by_role("link", name="Menu").click()
        page.get_by_role("button", name="Drop").click()
        expect(organiser.roster_row(page, "Bo").get_by_text("Dropped")).to_be_visible()
    finally:
        plain.close()


def test_menu_closes_on_escape_and_on_a_click_elsewhere(site: str, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 800})
    open_roster(page, site, "menus", ["Ada"])
    menu_button = page.locator("summary", has_text="More")
    items = page.locator(".menu__items")

    menu_button.click()
    expect(items).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(items).to_be_hidden()
    expect(menu_button).to_be_focused()

    menu_button.click()
    page.get_by_role("heading", name="Roster").click()
    expect(items).to_be_hidden()
