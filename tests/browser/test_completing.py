"""Cards are offered while one types, by keyboard and by hand."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


@pytest.fixture
def page(site: str, new_page: NewPage) -> Page:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(f"{site}/cards/")
    return page


def test_a_card_is_chosen_by_keyboard(page: Page):
    field = page.get_by_role("combobox", name="Title")
    expect(field).to_have_attribute("aria-expanded", "false")

    field.press_sequentially("lockj")
    option = page.get_by_role("option", name="Lockjaw")
    expect(option).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("listbox")).to_have_id(field.get_attribute("aria-controls") or "")

    field.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", option.get_attribute("id") or "")
    field.press("Enter")
    page.wait_for_url("**/cards/onr/lockjaw/")


def test_escape_closes_and_keeps_what_was_typed(page: Page):
    field = page.get_by_role("combobox", name="Title")
    field.press_sequentially("lockj")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)

    field.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(field).to_have_value("lockj")
    field.press("ArrowDown")
    expect(page.get_by_role("listbox")).to_be_visible()


def test_a_card_is_chosen_by_hand_and_the_side_narrows_them(page: Page):
    field = page.get_by_role("combobox", name="Title")
    page.get_by_label("Side").select_option("corp")
    field.press_sequentially("data")
    option = page.get_by_role("listbox").get_by_role("option").first
    expect(option).to_contain_text("Corp")

    option.click()
    page.wait_for_url("**/cards/onr/*/")


def test_the_rulings_come_to_the_page_of_the_card(page: Page, site: str):
    page.goto(f"{site}/cards/onr/lockjaw/")

    expect(page.get_by_role("link", name="R-0372")).to_be_visible()
