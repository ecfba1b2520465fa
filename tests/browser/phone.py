"""Actions of a player on the phone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.table_talk import PlayedGame
from tests.waiting import wait_until


def claim(page: Page, link: str, name: str) -> None:
    """Open the personal link and become that player."""
    page.goto(link)
    expect(page.get_by_text(name).first).to_be_visible()
    page.locator("main form button").first.click()
    page.wait_for_url(re.compile(r"/(me|my-events)/$"))


def until(page: Page, script: str) -> None:
    """Wait up to 15 seconds until the script returns true on this page.

    It is polled from outside, because the content security policy forbids pages to evaluate text.
    """
    wait_until(lambda: bool(page.evaluate(script)), script, 15)


def reload_under_worker(page: Page) -> None:
    """Reload the page under the control of the service worker."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller !== null")


def lose_signal(page: Page) -> None:
    """Cut the connection and notify the page."""
    page.context.set_offline(True)
    until(page, "!navigator.onLine")


def submit_deck(page: Page, address: str, side: str, text: str) -> None:
    page.goto(f"{address}me/decks/{side}/")
    page.locator("textarea[name=text]").fill(text)
    page.get_by_role("button", name="Save list", exact=True).click()
    page.wait_for_load_state()


def lock_deck(page: Page) -> None:
    page.get_by_role("button", name="Lock this deck").click()
    expect(page.get_by_text("Locked by the player", exact=True).first).to_be_visible()


def report(page: Page, address: str, games: tuple[PlayedGame, PlayedGame]) -> None:
    """Report both games from the player's own page."""
    page.goto(f"{address}me/")
    page.get_by_role("link", name="Another result").click()
    for game in games:
        section = page.get_by_role("region", name=f"Game {game.number}")
        section.get_by_label(game.winner, exact=True).check()
        section.get_by_label(f"Agenda points of {game.loser}").fill(str(game.stolen))
    page.get_by_role("button", name="Report the result").click()
    expect(page.get_by_text("Waiting for").first).to_be_visible()


def open_report(page: Page, address: str) -> None:
    page.goto(f"{address}me/")
    page.get_by_role("link", name="No, this is wrong").click()


def confirm(page: Page, address: str) -> None:
    page.goto(f"{address}me/")
    page.get_by_role("button", name="Yes, confirm").click()
    page.wait_for_url(f"{address}me/")


def dispute(page: Page, address: str, note: str) -> None:
    open_report(page, address)
    page.locator("[name=note]").fill(note)
    page.get_by_role("button", name="Dispute").click()
    expect(page.get_by_text("The staff will decide")).to_be_visible()
