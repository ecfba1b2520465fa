"""What only a browser shows: the headers it sends from the page of a personal link."""

import pytest
from playwright.sync_api import Request, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser


def test_a_claim_goes_through_and_the_secret_goes_to_nobody(site: str, new_page: NewPage) -> None:
    desk, phone = new_page(), new_page(viewport={"width": 390, "height": 800})
    organiser.sign_up(desk, site, "linkmaker")
    address = site + organiser.create_event(desk, site, "Link Run")
    organiser.paste_names(desk, ["Ada", "Bo"])
    link = organiser.claim_link(desk, address, "Ada")
    secret = link.rstrip("/").rsplit("/", 1)[1]
    requests: list[Request] = []
    phone.on("request", lambda request: requests.append(request))

    phone.goto(link)
    expect(phone).to_have_url(f"{site}/claim/")
    phone.get_by_role("button", name="Yes, I am Ada").click()
    phone.wait_for_url("**/me/")

    expect(phone.get_by_role("heading", name="Ada")).to_be_visible()
    assert [request.url for request in requests if secret in request.url] == [requests[0].url]
    assert not [r.url for r in requests if secret in (r.all_headers().get("referer") or "")]


@pytest.mark.slow
def test_a_link_works_once(site: str, new_page: NewPage) -> None:
    desk, first, second = new_page(), new_page(), new_page()
    organiser.sign_up(desk, site, "oncegiver")
    address = site + organiser.create_event(desk, site, "Once Run")
    organiser.paste_names(desk, ["Cy", "Di"])
    link = organiser.claim_link(desk, address, "Cy")

    first.goto(link)
    first.get_by_role("button", name="Yes, I am Cy").click()
    first.wait_for_url("**/me/")
    answer = second.goto(link)

    assert answer.status == 410
    expect(second.get_by_role("button", name="Yes, I am Cy")).to_have_count(0)
