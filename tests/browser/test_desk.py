"""A new event, two desks at the same time, a polling list, and drag and drop in a draft."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

PLAYERS = ["Ada", "Bo", "Cy", "Di"]


@pytest.fixture
def draft(site: str, new_page: NewPage, request: pytest.FixtureRequest) -> Page:
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
    """All players in seat order."""
    return [name.strip() for name in page.locator("[data-seat] .seat__name").all_inner_texts()]


def pick_up(page: Page, seat: Locator, over: Locator) -> None:
    """Drag a player by the grip over another player, without dropping."""
    grip, target = seat.locator("[data-grip]").bounding_box(), over.bounding_box()
    assert grip
    assert target
    page.mouse.move(grip["x"] + 8, grip["y"] + 12)
    page.mouse.down()
    page.mouse.move(grip["x"] + 40, grip["y"] + 20, steps=3)
    page.mouse.move(target["x"] + 60, target["y"] + target["height"] / 2, steps=4)


def test_drag_previews_its_effect_and_the_keyboard_can_do_the_same(draft: Page) -> None:
    first, second, third, fourth = names(draft)
    seats = draft.locator("[data-seat]")

    pick_up(draft, seats.nth(0), seats.nth(2))
    expect(draft.locator("#swap-bar")).to_contain_text(f"Swap {first} and {third}: no warnings.")
    draft.keyboard.press("Escape")
    draft.mouse.up()
    expect(draft.locator("#swap-bar")).not_to_contain_text(first)
    assert names(draft) == [first, second, third, fourth]

    pick_up(draft, seats.nth(0), seats.nth(2))
    draft.mouse.up()
    expect(draft.get_by_text(f"{first} and {third} were swapped.")).to_be_visible()
    assert names(draft) == [third, second, first, fourth]

    boxes = draft.locator("input[name=player]")
    for seat_index in (1, 3):
        boxes.nth(seat_index).focus()
        draft.keyboard.press("Space")
    expect(draft.locator("#swap-bar")).to_contain_text("no warnings.")
    draft.keyboard.press("Enter")
    expect(draft.get_by_text(f"{second} and {fourth} were swapped.")).to_be_visible()
    assert names(draft) == [third, fourth, first, second]


@pytest.mark.slow
def test_drop_that_breaks_a_rule_requires_confirmation(draft: Page) -> None:
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

    expect(draft.get_by_text("were swapped.")).to_be_visible()
    assert names(draft) == [before[2], before[1], before[0], before[3]]


@pytest.mark.slow
def test_players_can_be_dragged_after_the_tables_were_redrawn(draft: Page) -> None:
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

    expect(draft.get_by_text(f"{first} and {third} were swapped.")).to_be_visible()


@pytest.mark.slow
def test_format_field_appears_when_the_game_is_chosen(site: str, new_page: NewPage) -> None:
    page = new_page()
    organiser.sign_up(page, site, "formats")
    page.goto(f"{site}/events/new/")
    expect(page.locator("[name=format_id]")).to_be_hidden()

    page.locator("[name=game]").select_option("anr")
    page.get_by_label("Format", exact=True).select_option("standard")
    page.locator("summary", has_text="Advanced").click()
    expect(page.locator("[name=runner_minimum]")).to_be_hidden()

    # A format that was chosen first does not block a different game.
    page.locator("[name=game]").select_option("onr")
    expect(page.locator("[name=runner_minimum]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Tuesday")
    organiser.submit_new_event(page)


@pytest.fixture
def blocked_page(site: str, new_page: NewPage) -> tuple[Page, list[Route]]:
    """The check-in list, with every response to its next-step poll held back."""
    page = new_page(service_workers="block")
    organiser.sign_up(page, site, "impatient")
    address = f"{site}{organiser.create_event(page, site, 'Impatient Open')}"
    organiser.paste_names(page, ["Ada", "Bo"])
    routes: list[Route] = []
    page.route("**/desk/step/**", lambda route: routes.append(route))
    page.goto(f"{address}roster/tick/")
    return page, routes


@pytest.mark.slow
def test_poll_requested_during_a_poll_runs_afterwards(
    blocked_page: tuple[Page, list[Route]],
) -> None:
    page, routes = blocked_page
    wait_for_polls(page, routes, 1)
    page.evaluate("document.dispatchEvent(new CustomEvent('datafort:look'))")
    routes[0].fulfill(status=200, body="<p>An old step</p>")
    expect(page.locator(".next-strip")).to_have_text("An old step")

    wait_for_polls(page, routes, 2)
    routes[1].fulfill(status=200, body="<p>A new step</p>")

    expect(page.locator(".next-strip")).to_have_text("A new step", timeout=3_000)


def wait_for_polls(page: Page, routes: list[Route], count: int) -> None:
    """Wait for fewer seconds than the poll interval."""
    for _ in range(40):
        if len(routes) >= count:
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{len(routes)} of {count} looks were made.")


@pytest.mark.slow
def test_logged_out_desk_shows_a_message_and_keeps_its_page(site: str, new_page: NewPage) -> None:
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

    for status in page.locator("[data-poll-status]").all():
        expect(status).to_have_text("You are logged out, or this page has moved. Reload it.")
    expect(page.locator(".next-strip")).to_contain_text("Check in players")
    expect(page.locator("[name=login]")).to_have_count(0)
    roster.locator("tr").get_by_role("button", name="Check in").first.click()
    not_saved = "You are logged out. Note what you typed, reload this page and log in."
    expect(roster.get_by_role("alert")).to_have_text(not_saved)


SOON = "button => { setTimeout(() => button.click(), 300); }"
"""Playwright waits for the result of a click, so each page clicks a little later."""


def press(pages: list[Page], button: str) -> None:
    """Press the button on all pages; afterwards no page offers it."""
    for page in pages:
        expect(page.get_by_role("button", name=button)).to_be_visible()
    for page in pages:
        page.get_by_role("button", name=button).evaluate(SOON)
    for page in pages:
        expect(page.get_by_role("button", name=button)).to_have_count(0)


@pytest.mark.check(26)
@pytest.mark.goal("G3")
@pytest.mark.slow
def test_two_desks_create_and_publish_a_single_round(site: str, new_page: NewPage) -> None:
    first_desk = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(first_desk, site, "two-desks")
    path = organiser.create_event(first_desk, site, "Two desks")
    organiser.paste_names(first_desk, ["Ada", "Bo", "Cy", "Di"])
    organiser.check_in_all(first_desk, f"{site}{path}", 4)
    second_desk = new_page(storage_state=first_desk.context.storage_state())
    desks = [first_desk, second_desk]

    for page in desks:
        page.goto(f"{site}{path}desk/")
    press(desks, "Pair round 1")
    for page in desks:
        expect(
            page.get_by_text(re.compile("Review the draft|Publish round 1")).first
        ).to_be_visible()
        page.goto(f"{site}{path}rounds/1/draft/")
    press(desks, "Publish round 1")

    first_desk.goto(f"{site}{path}desk/log/")
    for action in ("pairing started", "round drafted", "round published"):
        entry = first_desk.locator("li.log__entry").filter(
            has_text=re.compile(action, re.IGNORECASE)
        )
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
