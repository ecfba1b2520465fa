"""The desk is open in two browsers, and both press the same button at the same moment."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = [
    pytest.mark.browser,
    pytest.mark.check(26),
    pytest.mark.goal("G3"),
]

SOON = "button => { setTimeout(() => button.click(), 300); }"
"""Playwright waits for what a click leads to, so each page is told to click a little later."""


def press(pages: list[Page], button: str) -> None:
    """All pages press it; no page offers it any more."""
    for page in pages:
        expect(page.get_by_role("button", name=button)).to_be_visible()
    for page in pages:
        page.get_by_role("button", name=button).evaluate(SOON)
    for page in pages:
        expect(page.get_by_role("button", name=button)).to_have_count(0)


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
            page.get_by_text(re.compile("Look at the draft|Publish round 1")).first
        ).to_be_visible()
        page.goto(f"{site}{path}rounds/1/draft/")
    press(desks, "Publish round 1")

    one.goto(f"{site}{path}desk/log/")
    for action in ("pairing asked for", "round drafted", "round published"):
        told = one.locator("li.log__entry").filter(has_text=re.compile(action, re.IGNORECASE))
        expect(told).to_have_count(1)
