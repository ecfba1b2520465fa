"""What somebody does with their own account on a narrow phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_tab_of_this_page_begins_in_sight_on_a_narrow_phone(
    site: str, new_page: NewPage
) -> None:
    page = new_page(viewport={"width": 320, "height": 700})
    organiser.sign_up(page, site, "narrow")

    for path, tab in (("/account/sessions/", "Sessions"), ("/account/2fa/", "Second factor")):
        page.goto(f"{site}{path}")
        expect(page.get_by_label("My account").get_by_role("link", name=tab)).to_be_in_viewport(
            ratio=1
        )


@pytest.mark.slow
def test_a_long_mail_address_stays_on_a_narrow_phone(site: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 700})
    organiser.sign_up(page, site, "mailed")
    page.goto(f"{site}/account/email/")
    page.get_by_label("Email", exact=True).fill("an.address.that.is.long@shop.example.net")
    page.get_by_role("button", name="Add it").click()

    expect(page.get_by_role("radio")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
