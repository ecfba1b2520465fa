"""Scripts on the form of a new event."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = [pytest.mark.browser]

ZONE = "America/New_York"


@pytest.fixture
def form(site: str, new_page: NewPage) -> Page:
    page = new_page(viewport={"width": 1280, "height": 800}, timezone_id=ZONE)
    organiser.sign_up(page, site, "formfiller")
    page.goto(f"{site}/events/new/")
    return page


def test_system_sets_the_scoring_and_players_suggest_the_rounds(form: Page) -> None:
    game, scoring = form.locator("[name=game]"), form.locator("[name=scoring_rule]")
    expect(form.get_by_role("button", name="Create event")).to_be_in_viewport()
    assert top_of(form, ".settings__save") >= bottom_of(form, "details.disclosure")
    expect(scoring).to_have_value("onr_runner_only")
    expect(form.get_by_label("Pods of two to five")).to_be_hidden()

    game.select_option("anr")
    form.get_by_label("Swiss, one game a match").check()
    expect(scoring).to_have_value("anr_single")

    expected, rounds = form.get_by_label("Expected players"), form.locator("[name=planned_rounds]")
    expected.fill("13")
    expect(rounds).to_have_value("4")
    expect(
        form.get_by_text("Usual for 13 players: 4 rounds, then a top 4 with double")
    ).to_be_visible()
    cut, kind = form.get_by_label("Top cut"), form.get_by_label("How the cut is played")
    expect(cut).to_have_value("4")
    expect(kind).to_be_visible()
    expect(kind).to_have_value("double_elimination")
    expected.fill("6")
    expect(cut).to_have_value("")
    expect(kind).to_be_hidden()
    rounds.fill("5")
    cut.fill("2")
    expected.fill("40")
    expect(rounds).to_have_value("5")
    expect(cut).to_have_value("2")

    game.select_option("free_radicals")
    expect(form.get_by_label("Pods of two to five")).to_be_checked()
    expect(scoring).to_have_value("free_radicals")
    expect(form.locator("[name=decks_required]")).to_be_hidden()


def top_of(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("part => part.getBoundingClientRect().top"))


def bottom_of(page: Page, selector: str) -> float:
    return float(
        page.locator(selector).first.evaluate("part => part.getBoundingClientRect().bottom")
    )


def test_advanced_settings_are_saved_in_their_order(form: Page) -> None:
    starts_on = form.locator("[name=starts_on]")
    local = form.evaluate("new Date().toLocaleDateString('sv')")
    expect(starts_on).to_have_value(local)
    form.get_by_text("Advanced").click()

    zone = form.locator("[name=time_zone]")
    expect(zone).to_have_value(ZONE)
    zone.focus()
    expect(form.locator("#time-zones option[value='Europe/Berlin']")).to_have_count(1)

    second_day = form.get_by_label("Players check in again on a second day")
    expect(form.locator("[name=day_two_on]")).to_be_hidden()
    second_day.check()
    expect(form.locator("[name=day_two_on]")).to_be_visible()
    form.locator("[name=day_two_on]").fill("2000-01-01")
    second_day.uncheck()

    first = form.locator("[name=tie_breakers_0]")
    expect(first).to_have_value("manual_seed")
    form.get_by_role("button", name="Move down: Manual seed").click()
    expect(first).to_have_value("strength_of_schedule")
    expect(form.get_by_role("button", name="Move down: Manual seed")).to_be_focused()
    handles = form.locator(".order__handle")
    handles.nth(2).drag_to(handles.nth(0))
    expect(first).to_have_value("extended_strength_of_schedule")
    form.locator("[name=tie_breakers_3]").select_option("head_to_head")
    form.locator("[name=tie_breakers_2]").select_option("")

    form.get_by_label("Name", exact=True).fill("Arranged")
    address = organiser.submit_new_event(form)
    form.goto(f"{address}desk/settings/")
    order = ("extended_strength_of_schedule", "strength_of_schedule", "head_to_head", "")
    for index, value in enumerate(order):
        expect(form.locator(f"[name=tie_breakers_{index}]")).to_have_value(value)
    expect(form.locator("[name=day_two_on]")).to_have_value("")
    expect(zone).to_have_value(ZONE)
    form.locator("[name=max_players]").fill("24")
    form.get_by_role("button", name="Save settings").click()
    expect(form.get_by_text(re.compile(r"^Saved: Player limit\.$"))).to_be_visible()
