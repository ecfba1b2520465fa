"""Suggestions of cards and rulings during typing."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


@pytest.fixture
def page(site: str, new_page: NewPage) -> Page:
    return new_page(viewport={"width": 360, "height": 740})


def test_suggestions_follow_the_typing_and_link_to_the_card(page: Page, site: str):
    page.goto(f"{site}/cards/")
    page.get_by_role("searchbox", name="Title").press_sequentially("lockj")

    link = page.locator("#found").get_by_role("link", name="Lockjaw", exact=True)
    expect(page.locator("#found tbody tr")).to_have_count(1)
    link.press("Enter")
    page.wait_for_url("**/cards/onr/lockjaw/")


@pytest.mark.slow
def test_form_field_suggests_titles(page: Page, site: str):
    page.goto(f"{site}/rulings/search/")
    page.get_by_text("Filters", exact=True).click()
    field = page.get_by_label("On a card")
    field.press_sequentially("lockj")

    expect(page.locator("#card-titles option[value=Lockjaw]")).to_have_count(1)
    assert page.url.endswith("/rulings/search/")


@pytest.mark.slow
def test_card_page_loads_its_rulings(page: Page, site: str):
    page.goto(f"{site}/cards/onr/lockjaw/")

    expect(page.get_by_role("link", name="R-0372")).to_be_visible()


def test_results_follow_the_typing(page: Page, site: str):
    page.goto(f"{site}/rulings/search/?q=lockjaw")
    box = page.get_by_role("searchbox", name="Card, words or code")
    box.fill("boardwlak")

    expect(page.locator(".hit__link").first).to_contain_text("Boardwalk")
    expect(page).to_have_url(re.compile("q=boardwlak"))
