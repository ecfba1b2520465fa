"""A new event in the browser: one game is chosen, and only its settings are asked for."""

import pytest
from playwright.sync_api import expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_format_is_asked_for_as_soon_as_the_game_is_chosen(
    site: str, new_page: NewPage
) -> None:
    page = new_page()
    organiser.sign_up(page, site, "formats")
    page.goto(f"{site}/events/new/")
    expect(page.locator("[name=format_id]")).to_be_hidden()

    page.locator("[name=game]").select_option("anr")
    page.get_by_label("Format of Android: Netrunner").select_option("standard")
    page.locator("summary", has_text="More settings").click()
    expect(page.locator("[name=runner_minimum]")).to_be_hidden()

    # A format that was chosen first does not stand in the way of another game.
    page.locator("[name=game]").select_option("onr")
    expect(page.locator("[name=runner_minimum]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Tuesday")
    page.get_by_role("button", name="Create event").click()
    page.wait_for_url("**/desk/")
