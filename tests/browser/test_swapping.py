"""Two players of a draft change places: dragged onto each other, or ticked by the keyboard."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

PLAYERS = ["Ada", "Bo", "Cy", "Di"]


@pytest.fixture
def draft(site: str, new_page: NewPage, request: pytest.FixtureRequest) -> Page:
    """The page of a draft of two tables."""
    page = new_page(viewport={"width": 1280, "height": 1400})
    organiser.sign_up(page, site, re.sub(r"\W", "", request.node.name)[-30:])
    address = site + organiser.create_event(page, site, "Swaps")
    organiser.paste_names(page, PLAYERS)
    organiser.check_in_all(page, address, len(PLAYERS))
    organiser.next_step(page, address, "Pair round 1")
    organiser.next_step(page, address, "Look at the draft")
    expect(page.get_by_role("button", name="Publish round 1")).to_be_visible()
    return page


def names(page: Page) -> list[str]:
    """Everybody in the order of their seats."""
    return [name.strip() for name in page.locator("[data-seat] .seat__name").all_inner_texts()]


def pick_up(page: Page, seat: Locator, over: Locator) -> None:
    """Drag a player by the grip over another one, without letting go."""
    grip, target = seat.locator("[data-grip]").bounding_box(), over.bounding_box()
    assert grip
    assert target
    page.mouse.move(grip["x"] + 8, grip["y"] + 12)
    page.mouse.down()
    page.mouse.move(grip["x"] + 40, grip["y"] + 20, steps=3)
    page.mouse.move(target["x"] + 60, target["y"] + target["height"] / 2, steps=4)


def test_a_drag_says_what_it_would_do_and_the_keyboard_does_the_same(draft: Page) -> None:
    first, second, third, fourth = names(draft)
    seats = draft.locator("[data-seat]")

    pick_up(draft, seats.nth(0), seats.nth(2))
    expect(draft.locator("#swap-bar")).to_contain_text(
        f"Swap {first} and {third}: no rule is broken."
    )
    draft.keyboard.press("Escape")
    draft.mouse.up()
    expect(draft.locator("#swap-bar")).not_to_contain_text(first)
    assert names(draft) == [first, second, third, fourth]

    pick_up(draft, seats.nth(0), seats.nth(2))
    draft.mouse.up()
    expect(draft.get_by_text(f"{first} and {third} have changed places.")).to_be_visible()
    assert names(draft) == [third, second, first, fourth]

    boxes = draft.locator("input[name=player]")
    for place in (1, 3):
        boxes.nth(place).focus()
        draft.keyboard.press("Space")
    expect(draft.locator("#swap-bar")).to_contain_text("no rule is broken.")
    draft.keyboard.press("Enter")
    expect(draft.get_by_text(f"{second} and {fourth} have changed places.")).to_be_visible()
    assert names(draft) == [third, fourth, first, second]


@pytest.mark.slow
def test_what_a_drop_would_break_waits_for_a_second_yes(draft: Page) -> None:
    draft.get_by_role("button", name="Lock table 1").click()
    before = names(draft)
    seats = draft.locator("[data-seat]")

    pick_up(draft, seats.nth(0), seats.nth(2))
    draft.mouse.up()
    expect(draft.locator("#swap-bar")).to_contain_text("Locked: Table 1 is locked")
    button = draft.get_by_role("button", name="Swap them all the same")
    expect(button).to_be_focused()
    assert names(draft) == before
    draft.keyboard.press("Enter")

    expect(draft.get_by_text("have changed places.")).to_be_visible()
    assert names(draft) == [before[2], before[1], before[0], before[3]]
