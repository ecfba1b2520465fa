"""A whole event without a mouse and without typing an address."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.goal("G16")]

FURTHEST = 150
"""Maximum number of Tab presses; a control further away counts as unreachable."""


class Hands:
    """A user with a keyboard only."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, selector: str, *, back: bool = False) -> None:
        """Move the focus to an element with Tab; the focus must be visible."""
        expect(self.page.locator(selector).first).to_be_visible()
        for _ in range(FURTHEST):
            self.press("Shift+Tab" if back else "Tab")
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                return
        pytest.fail(f"{selector} cannot be reached with Tab at {self.page.url}.")

    def step(self, words: str, lands_on: str, *, button: str = "#step", back: bool = False) -> None:
        """Press the button of the next step, which must have this label."""
        expect(self.page.locator(button)).to_have_text(words)
        self.reach(button, back=back)
        self.press("Enter")
        self.page.wait_for_url(re.compile(lands_on))

    def pair(self, number: int) -> None:
        """Pair a round; with a worker, the desk waits for the draft and opens it then."""
        self.step(f"Pair round {number}", "/(draft|desk)/$")
        ready = re.compile(rf"Review the draft|Publish round {number}")
        expect(self.page.locator("#step")).to_have_text(ready, timeout=30_000)
        if not self.page.url.endswith("/draft/"):
            self.step("Review the draft", "/draft/$")

    def type_in(self, selector: str, text: str) -> None:
        self.reach(selector)
        self.page.keyboard.insert_text(text)


@pytest.fixture
def hands(site: str, new_page: NewPage) -> Hands:
    """The keyboard user at the form of a new event, logged in."""
    page = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(page, site, "nomouse")
    page.goto(f"{site}/events/new/")
    return Hands(page)


@pytest.mark.parametrize(("tables", "rounds"), [(2, 2), pytest.param(8, 4, marks=pytest.mark.slow)])
def test_whole_event_by_keyboard_alone(hands: Hands, tables: int, rounds: int) -> None:
    fill_the_roster(hands, players=2 * tables)
    hands.pair(1)
    for number in range(1, rounds + 1):
        hands.step(f"Publish round {number}", "/desk/$")
        hands.step("Start the clock", "/desk/")
        hands.step("Enter results", "/results/$")
        enter_results(hands, tables)
        if number < rounds:
            following = f"Close round {number} and pair round {number + 1}"
            hands.step(following, "/draft/$", back=True)
    hands.step(f"Close round {rounds}", "/desk/$", back=True)
    hands.step("Finish the event", "/desk/finish/$")
    hands.step("Finish the event", "/desk/$")
    expect(hands.page.locator("#next-step")).to_have_text("The event is finished")
    hands.step("Final standings", "/standings/$")

    rows = hands.page.locator("table.standings tbody tr")
    expect(rows).to_have_count(2 * tables)
    # A player with all wins is never ranked behind a player without.
    points = [int(row.locator("td").nth(1).inner_text()) for row in rows.all()]
    assert points == sorted(points, reverse=True)
    assert points[0] == rounds * 20
    assert sum(points) == rounds * tables * 20


def fill_the_roster(hands: Hands, players: int) -> None:
    hands.type_in("#id_name", "By hand")
    hands.press("Enter")
    hands.page.wait_for_url(re.compile("/desk/created/$"))
    hands.step("Add players", "/roster/$", button="main .form-actions .button--primary")
    hands.reach("a[href$='/roster/paste/']")
    hands.press("Enter")
    hands.page.wait_for_url(re.compile("/roster/paste/$"))
    hands.type_in("textarea", "\n".join(f"Player {number:02}" for number in range(1, players + 1)))
    hands.reach("main form .button--primary")
    hands.press("Enter")
    expect(hands.page.get_by_role("button", name="Add ticked players")).to_be_visible()
    hands.reach("main form .button--primary")
    hands.press("Enter")
    hands.page.wait_for_url(re.compile("/roster/"))
    hands.step("Check in", "/tick/$")
    hands.step(f"Check in all {players}", "/desk/$", button="#step-check_in_all")


def enter_results(hands: Hands, tables: int) -> None:
    """The first player of every table wins both games; the opponent has no points."""
    page = hands.page
    for table in range(1, tables + 1):
        expect(page.locator("#entry-table")).to_be_focused()
        hands.press(*str(table), "Enter", "1", "0", "Enter")
        expect(page.locator(f"#table-{table}[data-settled]")).to_be_visible()
