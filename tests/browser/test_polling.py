"""What is asked for while an answer is on its way is not forgotten."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


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
