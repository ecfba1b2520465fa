"""A first-time organiser with a phone follows the next-step button."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

# test_whole_event runs an event at the same desk in every run.
pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAYERS = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
ROUNDS = 3


class Thumb:
    """Taps the button of the next step and fills in what the page asks for."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def step(self, label: str, lands_on: str) -> None:
        expect(self.page.locator("#step")).to_have_text(label)
        loud = self.page.locator(".big-step .button--primary, .next-strip .button--primary")
        expect(loud).to_have_count(1)
        self.page.locator("#step").tap()
        self.page.wait_for_url(re.compile(lands_on))

    def pair(self, number: int) -> None:
        """Pair a round; with a worker, the desk waits for the draft and opens it then."""
        self.step(f"Pair round {number}", "/(draft|desk)/$")
        ready = re.compile(rf"Review the draft|Publish round {number}")
        expect(self.page.locator("#step")).to_have_text(ready, timeout=30_000)
        if not self.page.url.endswith("/draft/"):
            self.step("Review the draft", "/draft/$")

    def tap(self, button: str) -> None:
        self.page.get_by_role("button", name=button).tap()


@pytest.fixture
def thumb(site: str, new_page: NewPage) -> Thumb:
    """At the desk of a new event."""
    page = new_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    organiser.sign_up(page, site, "untrained")
    organiser.create_event(page, site, "First time")
    return Thumb(page)


def test_three_rounds_with_the_next_step_button(thumb: Thumb) -> None:
    thumb.step("Add players", "/roster/")
    thumb.page.locator(".roster-bar").get_by_role("link", name="Import", exact=True).tap()
    thumb.page.locator("textarea").fill("\n".join(PLAYERS))
    thumb.tap("Preview")
    thumb.tap("Add ticked players")
    thumb.step("Check in", "/roster/tick/$")
    for name in PLAYERS:
        thumb.page.get_by_role("button", name=re.compile(rf"^{name}\b")).tap()
    thumb.pair(1)
    for number in range(1, ROUNDS + 1):
        thumb.step(f"Publish round {number}", "/desk/$")
        thumb.step("Start the clock", "/desk/")
        thumb.step("Enter results", "/results/$")
        enter_results(thumb.page)
        if number < ROUNDS:
            thumb.step(f"Close round {number} and pair round {number + 1}", "/draft/$")
    thumb.step(f"Close round {ROUNDS}", "/desk/$")
    thumb.step("Finish the event", "/desk/finish/$")
    thumb.step("Finish the event", "/desk/$")
    thumb.step("Final standings", "/standings/$")

    expect(thumb.page.locator("table.standings tbody tr")).to_have_count(len(PLAYERS))


def enter_results(page: Page) -> None:
    """Enter each table by its card: the first player wins both games."""
    cards = page.locator(".score-card")
    for index in range(len(PLAYERS) // 2):
        card = cards.nth(index)
        card.get_by_text("2 0", exact=True).tap()
        card.locator("input[data-asked]").fill("2")
        card.get_by_role("button", name="Save").tap()
        expect(page.locator(".score-card[data-settled]")).to_have_count(index + 1)
