"""Rulings are found while one types."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


@pytest.fixture
def page(site: str, new_page: NewPage) -> Page:
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/rulings/search/?q=lockjaw")
    return page


def test_results_follow_the_typing(page: Page):
    box = page.get_by_role("searchbox", name="Card, words or code")
    box.fill("boardwlak")

    expect(page.locator(".hit__link").first).to_contain_text("Boardwalk")
    expect(page).to_have_url(re.compile("q=boardwlak"))
