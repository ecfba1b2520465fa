"""Taps of a report and its confirmation, and what is visible without scrolling."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser import phone
from tests.browser.conftest import NewPage
from tests.live_site import Site, manage

pytestmark = pytest.mark.browser

PHONES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 800},
    {"width": 320, "height": 640},
)
MAX_REPORT_TAPS = 3
COVERED_BY = """(element) => {
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return top && element.contains(top) ? "" : top ? top.outerHTML.slice(0, 80) : "out of sight";
}"""


class Thumb:
    """A player's thumb, which counts its taps; typing into a field counts as one tap."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.page.wait_for_load_state()
        self.taps += 1

    def type(self, target: Locator, text: str) -> None:
        self.tap(target)
        target.fill(text)


def open_round(running: Site, facts: Path, **settings: Any) -> tuple[str, list[tuple[str, str]]]:
    """Start an event; return its address, and name and personal link of each player at table 1."""
    call = f"evenings.open_round({str(facts)!r}, **{settings!r})"
    manage(running, "shell", "-v", "0", "-c", f"from tests.browser import evenings; {call}")
    event_data = json.loads(facts.read_text(encoding="utf-8"))
    address = f"{running.address}{event_data['path']}"
    return address, [(name, f"{running.address}{link}") for name, link in event_data["seats"]]


def phone_at(new_page: NewPage, address: str, seat: tuple[str, str], size: ViewportSize) -> Page:
    name, link = seat
    page = new_page(viewport=size, has_touch=True)
    phone.claim(page, link, name)
    page.goto(f"{address}me/")
    return page


def expect_in_sight(target: Locator) -> None:
    """Expect all of the target in the window, uncovered, before any scrolling."""
    expect(target).to_be_in_viewport(ratio=1)
    assert target.evaluate(COVERED_BY) == ""
    assert target.page.evaluate("window.scrollY") == 0


@pytest.mark.parametrize("size", PHONES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_report_and_confirmation_are_few_taps(
    running: Site, new_page: NewPage, tmp_path: Path, size: ViewportSize
) -> None:
    address, (first, second) = open_round(running, tmp_path / "facts.json", players=4)
    reporter = Thumb(phone_at(new_page, address, first, size))
    confirmer = Thumb(phone_at(new_page, address, second, size))

    reporter.tap(reporter.page.get_by_role("link", name="You won both"))
    points = reporter.page.get_by_label(f"Agenda points of {second[0]}").filter(visible=True)
    reporter.type(points, "4")
    reporter.tap(reporter.page.get_by_role("button", name="Report the result"))
    expect(reporter.page.get_by_text(f"Waiting for {second[0]}")).to_be_visible()

    assert reporter.taps <= MAX_REPORT_TAPS
    confirmer.page.reload()
    question = f"{first[0]} reports 2–0 (20–4). Correct?"
    expect_in_sight(confirmer.page.get_by_role("heading", name=question))
    expect_in_sight(confirmer.page.get_by_role("link", name="No, this is wrong"))
    button = confirmer.page.get_by_role("button", name="Yes, confirm")
    expect_in_sight(button)
    confirmer.tap(button)
    expect(confirmer.page.get_by_text("Result:").first).to_be_visible()
    assert confirmer.taps == 1


def test_chosen_result_can_be_replaced(running: Site, new_page: NewPage, tmp_path: Path) -> None:
    address, (first, _) = open_round(running, tmp_path / "facts.json", players=4)
    page = phone_at(new_page, address, first, PHONES[-1])
    page.get_by_role("link", name="You won both").click()
    choices = page.get_by_role("group", name="Result").get_by_role("radio")
    missing = page.get_by_text("Only the agenda points are missing.")

    expect(choices).to_have_count(1)
    expect(missing).to_be_visible()
    page.get_by_role("button", name="Choose a different result").click()
    expect(choices).to_have_count(5)
    page.get_by_role("radio", name="Another result").check()
    expect(missing).to_be_hidden()
    expect(page.get_by_role("group", name="Game 1: who won?")).to_be_visible()


def test_report_of_a_pod_of_five_is_confirmed_without_scrolling(
    running: Site, new_page: NewPage, tmp_path: Path
) -> None:
    pods = {"game": "free_radicals", "system": "pods", "scoring_rule": "free_radicals"}
    settings = {"players": 5, "decks_required": False, **pods}
    address, seats = open_round(running, tmp_path / "facts.json", **settings)
    page = phone_at(new_page, address, seats[0], PHONES[-1])
    confirming = phone_at(new_page, address, seats[4], PHONES[-1])
    page.get_by_role("link", name="Report the result").click()
    for (name, _), points in zip(seats, (31, 20, 20, 14, 9), strict=True):
        page.get_by_label(f"Victory points of {name}").fill(str(points))
    page.get_by_role("button", name="Report the result").click()
    expect(page.get_by_text("Waiting for your table")).to_be_visible()

    confirming.reload()

    expect_in_sight(confirming.get_by_role("button", name="Yes, confirm"))
    expect(confirming.get_by_role("row", name=f"{seats[1][0]} 20 2½")).to_be_visible()


def test_bottom_bar_opens_the_four_sections(
    running: Site, new_page: NewPage, tmp_path: Path
) -> None:
    address, (first, _) = open_round(running, tmp_path / "facts.json", players=4)
    page = phone_at(new_page, address, first, PHONES[0])
    bar = page.get_by_role("navigation", name="Your event")
    seat = page.get_by_role("heading", name="Table 1")
    rounds = page.get_by_role("heading", name="My rounds")

    assert bar.get_by_role("link").all_inner_texts() == ["Table", "Pairings", "Standings", "Me"]
    expect_in_sight(seat)
    expect(rounds).to_be_hidden()
    bar.get_by_role("link", name="Me").click()
    expect_in_sight(rounds)
    expect(seat).to_be_hidden()
    expect(bar.locator("[aria-current]")).to_have_text("Me")
    # A renewed page still shows the chosen section.
    page.evaluate("document.querySelector('[data-poll]').innerHTML += ''")
    expect(rounds).to_be_visible()
    bar.get_by_role("link", name="Table").click()
    expect_in_sight(seat)
    bar.get_by_role("link", name="Standings").click()
    expect(bar.locator("[aria-current]")).to_have_text("Standings")
    bar.get_by_role("link", name="Me").click()
    expect(rounds).to_be_visible()
