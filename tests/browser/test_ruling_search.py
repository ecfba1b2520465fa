"""Rulings are found and cited by keyboard and by thumb."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

FORM = """
<form id="note" action="/rulings/search/">
  <input name="before">
  <div class="cite" data-cite="/rulings/pick/">
    <div class="field">
      <label for="id_rulings">Rulings</label>
      <input type="text" name="rulings" id="id_rulings" value="R-0001">
    </div>
    <p data-cite-plain>plain</p>
  </div>
  <button>Keep</button>
</form>
"""


@pytest.fixture
def page(site: str, new_page: NewPage) -> Page:
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/rulings/search/?q=lockjaw")
    return page


@pytest.fixture
def form(site: str, new_page: NewPage) -> Page:
    """A form with the picker on a small phone."""
    page = new_page(viewport={"width": 320, "height": 640})
    page.goto(f"{site}/rulings/")
    page.evaluate("html => { document.querySelector('main').innerHTML = html; }", FORM)
    page.evaluate("() => import('/static/js/cite.js?test')")
    return page


def test_results_are_walked_through_and_copied_by_keyboard(page: Page):
    page.keyboard.press("/")
    box = page.get_by_role("searchbox", name="Card, words or code")
    expect(box).to_be_focused()
    box.press("ArrowDown")
    links = page.locator(".hit__link")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()

    page.keyboard.press("c")
    expect(page.locator("#copy-status")).not_to_be_empty()
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    box.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rulings/lockjaw-*/")


def test_a_slash_is_a_letter_where_one_writes_and_where_it_is_switched_off(page: Page):
    box = page.get_by_role("searchbox", name="Card, words or code")
    box.fill("a")
    box.press("/")
    expect(box).to_have_value("a/")

    page.get_by_label("goes to the search box").uncheck()
    page.reload()
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Card, words or code")).not_to_be_focused()
    expect(page.get_by_label("goes to the search box")).not_to_be_checked()


def test_results_follow_the_typing(page: Page):
    box = page.get_by_role("searchbox", name="Card, words or code")
    box.fill("boardwlak")

    expect(page.locator(".hit__link").first).to_contain_text("Boardwalk")
    expect(page).to_have_url(re.compile("q=boardwlak"))


def test_a_ruling_is_picked_by_keyboard_and_taken_out_again(form: Page):
    box = form.get_by_label("Rulings", exact=True)
    chips = form.locator(".cite__chip")
    posted = form.locator("input[name=rulings]")
    expect(chips).to_have_count(1)
    expect(posted).to_have_value("R-0001 v1")

    box.press_sequentially("lokjaw")
    first = form.locator(".cite__hit button").first
    expect(first).to_be_visible()
    box.press("ArrowDown")
    expect(first).to_be_focused()
    form.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(chips).to_have_count(2)
    expect(chips.nth(1)).to_contain_text("Lockjaw")

    chips.nth(0).get_by_role("button").click()
    expect(chips).to_have_count(1)
    expect(posted).to_have_value(first.get_attribute("data-cite-code") or "")
    wide = form.evaluate("document.documentElement.scrollWidth")
    assert wide == 320


def test_a_code_is_cited_with_enter_and_no_form_is_sent(form: Page):
    box = form.get_by_label("Rulings", exact=True)
    box.fill("r2")
    box.press("Enter")

    expect(form.locator(".cite__chip")).to_have_count(2)
    expect(form.locator("input[name=rulings]")).to_have_value("R-0001 v1, R-0002 v1")
    assert form.url.endswith("/rulings/")


def test_a_code_that_was_typed_is_sent_although_nobody_chose_it(form: Page):
    form.get_by_label("Rulings", exact=True).fill("R-0003")
    form.get_by_role("button", name="Keep").click()

    form.wait_for_url(lambda url: "rulings=R-0001+v1%2C+R-0003" in url)
