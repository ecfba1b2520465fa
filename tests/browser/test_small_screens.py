"""Word breaks on a phone, and the background of a printed page, in Chromium."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

MISTYPED = "3 Bartmoss Memorial Icebraker\n2 Japanese Water Tortur\n"
BROKEN_WORDS = r"""(buttons) => {
  const broken = [];
  for (const button of buttons) {
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (tops.size > 1) {
          broken.push(word[0]);
        }
      }
    }
  }
  return broken;
}"""


@pytest.mark.parametrize("width", [320, 390])
def test_buttons_with_suggested_cards_break_no_word(
    site: str, new_page: NewPage, width: int
) -> None:
    page = new_page(viewport={"width": width, "height": 800})
    page.goto(f"{site}/decks/check/")
    page.locator("textarea[name=text]").fill(MISTYPED)
    page.get_by_role("button", name="Check deck").click()

    suggested = page.get_by_role("button", name="Use Bartmoss Memorial Icebreaker")
    expect(suggested).to_be_visible()
    assert page.locator("main .alert .button").evaluate_all(BROKEN_WORDS) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_grid_behind_the_page_is_not_printed(site: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{site}/rulings/")
    grid = "getComputedStyle(document.body, '::before').content"

    assert page.evaluate(grid) != "none"
    page.emulate_media(media="print")
    assert page.evaluate(grid) == "none"
