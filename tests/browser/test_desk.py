"""A new event, two desks at once, a list that polls, and a draft whose players change places."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

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
    organiser.next_step(page, address, "Review the draft")
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
    button = draft.get_by_role("button", name="Swap anyway")
    expect(button).to_be_focused()
    assert names(draft) == before
    draft.keyboard.press("Enter")

    expect(draft.get_by_text("have changed places.")).to_be_visible()
    assert names(draft) == [before[2], before[1], before[0], before[3]]


@pytest.mark.slow
def test_players_are_dragged_after_their_tables_were_laid_anew(draft: Page) -> None:
    first, _, third, _ = names(draft)
    draft.evaluate("window.before = document.querySelector('main')")
    draft.evaluate(
        "htmx.ajax('GET', location.href, {target: 'main', select: 'main', swap: 'outerHTML'})"
    )
    expect(draft.locator("main")).to_be_visible()
    assert draft.evaluate("document.querySelector('main') !== window.before")

    seats = draft.locator("[data-seat]")
    pick_up(draft, seats.nth(0), seats.nth(2))
    expect(draft.locator("#swap-bar")).to_contain_text(f"Swap {first} and {third}")
    draft.mouse.up()

    expect(draft.get_by_text(f"{first} and {third} have changed places.")).to_be_visible()


@pytest.mark.slow
def test_the_format_is_asked_for_as_soon_as_the_game_is_chosen(
    site: str, new_page: NewPage
) -> None:
    page = new_page()
    organiser.sign_up(page, site, "formats")
    page.goto(f"{site}/events/new/")
    expect(page.locator("[name=format_id]")).to_be_hidden()

    page.locator("[name=game]").select_option("anr")
    page.get_by_label("Format", exact=True).select_option("standard")
    page.locator("summary", has_text="Advanced").click()
    expect(page.locator("[name=runner_minimum]")).to_be_hidden()

    # A format that was chosen first does not stand in the way of another game.
    page.locator("[name=game]").select_option("onr")
    expect(page.locator("[name=runner_minimum]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Tuesday")
    organiser.submit_new_event(page)


@pytest.fixture
def held(site: str, new_page: NewPage) -> tuple[Page, list[Route]]:
    """The list to tick, with every answer to its next step held back."""
    page = new_page(service_workers="block")
    organiser.sign_up(page, site, "impatient")
    address = f"{site}{organiser.create_event(page, site, 'Impatient Open')}"
    organiser.paste_names(page, ["Ada", "Bo"])
    asked: list[Route] = []
    page.route("**/desk/step/**", lambda route: asked.append(route))
    page.goto(f"{address}roster/tick/")
    return page, asked


@pytest.mark.slow
def test_a_look_during_a_look_is_made_afterwards(held: tuple[Page, list[Route]]) -> None:
    page, asked = held
    wait_for(page, asked, 1)
    page.evaluate("document.dispatchEvent(new CustomEvent('datafort:look'))")
    asked[0].fulfill(status=200, body="<p>An old step</p>")
    expect(page.locator(".next-strip")).to_have_text("An old step")

    wait_for(page, asked, 2)
    asked[1].fulfill(status=200, body="<p>A new step</p>")

    expect(page.locator(".next-strip")).to_have_text("A new step", timeout=3_000)


def wait_for(page: Page, asked: list[Route], count: int) -> None:
    """Wait less long than until the next poll by itself."""
    for _ in range(40):
        if len(asked) >= count:
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{len(asked)} of {count} looks were made.")


@pytest.mark.slow
def test_a_desk_that_was_logged_out_says_so_and_keeps_its_page(
    site: str, new_page: NewPage
) -> None:
    page = new_page()
    organiser.sign_up(page, site, "logged-out")
    address = f"{site}{organiser.create_event(page, site, 'Logged out')}"
    organiser.paste_names(page, ["Ada", "Bo"])
    roster = page.context.new_page()
    roster.goto(f"{address}roster/")
    page.goto(f"{address}roster/tick/")
    expect(page.locator(".next-strip")).to_contain_text("Check in players")
    page.context.clear_cookies()

    page.evaluate("document.dispatchEvent(new CustomEvent('datafort:look'))")

    for words in page.locator("[data-poll-status]").all():
        expect(words).to_have_text("You are logged out, or this page has moved. Reload it.")
    expect(page.locator(".next-strip")).to_contain_text("Check in players")
    expect(page.locator("[name=login]")).to_have_count(0)
    roster.locator("tr").get_by_role("button", name="Check in").first.click()
    not_saved = "Not saved. Reload this page, then try again."
    expect(roster.get_by_role("alert")).to_have_text(not_saved)


SOON = "button => { setTimeout(() => button.click(), 300); }"
"""Playwright waits for what a click leads to, so each page clicks a little later."""


def press(pages: list[Page], button: str) -> None:
    """All pages press it; no page offers it any more."""
    for page in pages:
        expect(page.get_by_role("button", name=button)).to_be_visible()
    for page in pages:
        page.get_by_role("button", name=button).evaluate(SOON)
    for page in pages:
        expect(page.get_by_role("button", name=button)).to_have_count(0)


@pytest.mark.check(26)
@pytest.mark.goal("G3")
@pytest.mark.slow
def test_two_desks_make_and_publish_one_round(site: str, new_page: NewPage) -> None:
    one = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(one, site, "two-desks")
    path = organiser.create_event(one, site, "Two desks")
    organiser.paste_names(one, ["Ada", "Bo", "Cy", "Di"])
    organiser.check_in_all(one, f"{site}{path}", 4)
    other = new_page(storage_state=one.context.storage_state())
    desks = [one, other]

    for page in desks:
        page.goto(f"{site}{path}desk/")
    press(desks, "Pair round 1")
    for page in desks:
        expect(
            page.get_by_text(re.compile("Review the draft|Publish round 1")).first
        ).to_be_visible()
        page.goto(f"{site}{path}rounds/1/draft/")
    press(desks, "Publish round 1")

    one.goto(f"{site}{path}desk/log/")
    for action in ("pairing started", "round drafted", "round published"):
        entry = one.locator("li.log__entry").filter(has_text=re.compile(action, re.IGNORECASE))
        expect(entry).to_have_count(1)


def test_escape_closes_a_section_and_focus_returns_after_an_update(
    site: str, new_page: NewPage
) -> None:
    page = new_page()
    organiser.sign_up(page, site, "sections")
    page.goto(f"{site}{organiser.create_event(page, site, 'Sections')}desk/")
    page.locator("#section-players").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    page.evaluate("document.querySelector('.desk-sections').outerHTML += ''")

    page.keyboard.press("Escape")

    expect(sheet).to_be_hidden()
    expect(page.locator("#section-players")).to_be_focused()
