"""Phones, desk and projector while the site has no database."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage
from tests.browser.gate import Gate
from tests.browser.test_no_signal import complaints, fill_in
from tests.serving import serving

pytestmark = [
    pytest.mark.browser,
    pytest.mark.check(36),
    pytest.mark.goal("G12"),
]
PLAYERS = ["Ada", "Bo", "Cy", "Di"]
PHONE = {"width": 320, "height": 700}
FAULT = "The site cannot reach its data. Shown as of"


@dataclass(frozen=True)
class RunningEvent:
    """An event with round 1 running, behind a gate."""

    gate: Gate
    desk: Page
    address: str
    tables: list[tuple[str, str]]


@pytest.fixture(scope="module")
def event(site: str, browser: Browser) -> Iterator[RunningEvent]:
    with serving(Gate(site)) as door:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        desk = context.new_page()
        organiser.sign_up(desk, door.address, "awaykeeper")
        address = f"{door.address}{organiser.create_event(desk, door.address, 'Away Open')}"
        organiser.paste_names(desk, PLAYERS)
        organiser.check_in_all(desk, address, len(PLAYERS))
        organiser.publish_and_start(desk, address, 1)
        yield RunningEvent(door, desk, address, organiser.tables_of(desk, address, 1))
        context.close()


@pytest.fixture(autouse=True)
def open_gate(event: RunningEvent) -> Iterator[None]:
    yield
    event.gate.is_open = True


def test_phone_shows_its_last_page_as_outdated_and_sends_later(
    event: RunningEvent, new_page: NewPage
):
    player, opponent = event.tables[0]
    page = new_page(viewport=PHONE, has_touch=True)
    phone.claim(page, organiser.claim_link(event.desk, event.address, player), player)
    page.goto(f"{event.address}me/")
    phone.reload_under_worker(page)
    page.goto(f"{event.address}me/report/")
    page.goto(f"{event.address}me/")

    event.gate.is_open = False
    page.reload()
    expect(page.locator("#no-signal")).to_contain_text(FAULT)
    assert complaints(page) == []
    page.get_by_role("link", name="Another result").click()
    expect(page.locator("#no-signal")).to_contain_text(FAULT)
    fill_in(page, (player, opponent))
    page.get_by_role("button", name="Report the result").click()
    expect(page.locator("#outbox")).to_contain_text("Unsent: table 1")

    event.gate.is_open = True
    page.goto(f"{event.address}me/")
    expect(page.locator("#outbox")).to_contain_text("The staff will confirm it")
    expect(page.locator("#no-signal")).to_have_count(0)


@pytest.mark.slow
def test_page_without_a_stored_copy_opens_when_the_site_is_back(
    event: RunningEvent, new_page: NewPage
):
    page = new_page(viewport=PHONE, color_scheme="dark")
    page.clock.install()
    event.gate.is_open = False
    answer = page.goto(f"{event.address}standings/")
    assert answer.status == 503
    expect(page.get_by_role("heading", name="The site cannot reach its data")).to_be_visible()
    assert complaints(page) == []

    event.gate.is_open = True
    page.clock.fast_forward(15_000)
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()


@pytest.mark.slow
def test_projector_keeps_its_view_and_shows_its_age(event: RunningEvent, new_page: NewPage):
    page = new_page(viewport={"width": 1280, "height": 720})
    page.clock.install()
    page.goto(f"{event.address}projector/")
    table = page.get_by_text(event.tables[0][0]).first
    expect(table).to_be_visible()

    event.gate.is_open = False
    page.clock.fast_forward(20_000)
    expect(page.locator("[data-poll-status]")).to_contain_text("the site cannot reach its data")
    expect(table).to_be_visible()

    event.gate.is_open = True
    page.clock.fast_forward(60_000)
    expect(page.locator("[data-poll-status]")).to_be_empty()


@pytest.mark.slow
def test_desk_gets_its_form_back_and_can_resend(event: RunningEvent):
    desk = event.desk
    desk.goto(f"{event.address}roster/paste/")
    desk.locator("textarea").fill("Zoë O'Hara <3")
    event.gate.is_open = False
    desk.get_by_role("button", name="Preview").click()
    expect(desk.get_by_role("heading", name="Your change may not have been saved")).to_be_visible()
    assert complaints(desk) == []

    event.gate.is_open = True
    desk.get_by_role("button", name="Send again").click()
    expect(desk.get_by_role("rowheader").get_by_text("Zoë O'Hara <3")).to_be_visible()


@pytest.mark.slow
def test_unsaved_name_is_back_in_its_field(event: RunningEvent):
    desk = event.desk
    desk.goto(f"{event.address}roster/?add")
    field = desk.locator("#id_name")
    field.fill("Zoë O'Hara <3")
    event.gate.is_open = False
    field.press("Enter")
    expect(desk.locator("#add-answer").get_by_role("alert")).to_contain_text("Not saved.")
    expect(field).to_have_value("Zoë O'Hara <3")
    assert complaints(desk) == []

    event.gate.is_open = True
    field.press("Enter")
    expect(organiser.roster_row(desk, "Zoë O'Hara <3")).to_be_visible()
