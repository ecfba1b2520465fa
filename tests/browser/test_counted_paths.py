"""The number of clicks and fields of the most common tasks."""

import secrets

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage
from tests.browser.table_talk import PlayedGame
from tests.live_site import Site, manage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"width": 320, "height": 640}
"""The smallest phone still in use."""


class Counted:
    """A person at a page, with the number of clicks and fields so far."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.fields = page, 0, 0

    def click(self, target: Locator) -> None:
        target.click()
        self.page.wait_for_load_state()
        self.clicks += 1

    def fill(self, target: Locator, text: str) -> None:
        target.fill(text)
        self.fields += 1

    @property
    def spent(self) -> tuple[int, int]:
        """Clicks and fields so far."""
        return self.clicks, self.fields


def test_common_tasks_need_few_clicks_and_fields(site: str, new_page: NewPage) -> None:
    desk = new_page(viewport={"width": 1280, "height": 900})
    address = open_an_event(Counted(desk), site)
    desk.goto(f"{address}desk/")
    desk.locator("#section-players").click()
    code = desk.locator("#join").inner_text().strip()
    ada = Counted(new_page(viewport=PHONE, has_touch=True))
    join(ada, f"{site}/join/{code}/", "Ada")
    desk.goto(f"{address}roster/paste/")
    desk.locator("textarea").first.fill("Bo")
    desk.get_by_role("button", name="Preview").click()
    desk.get_by_role("button", name="Add ticked players").click()
    expect(organiser.roster_row(desk, "Bo")).to_be_visible()
    organiser.check_in_all(desk, address, 2)
    bo = Counted(new_page(viewport=PHONE, has_touch=True))
    organiser.publish_and_start(desk, address, 1)
    reach_the_table(bo, organiser.claim_link(desk, address, "Bo"))
    report_two_nil(bo)
    confirm(ada, address)
    organiser.close_round(desk, address, 1)
    organiser.next_step(desk, address, "Finish the event")
    desk.get_by_role("button", name="Finish the event").click()
    desk.wait_for_url("**/desk/")

    stranger = new_page(viewport=PHONE)
    stranger.goto(address)
    winner = stranger.locator(".podium__place--1")
    expect(winner.get_by_text("Bo", exact=True)).to_be_in_viewport()
    stranger.goto(f"{site}/events/")
    expect(stranger.get_by_role("rowheader", name="Shop Night").last).to_be_in_viewport()


def test_round_at_the_desk_takes_three_clicks_and_the_planned_cut_one(
    running: Site, new_page: NewPage
) -> None:
    desk = Counted(new_page(viewport={"width": 1280, "height": 800}))
    organiser.sign_up(desk.page, running.address, "desk-clicks")
    path = organiser.create_event(desk.page, running.address, "Desk clicks")
    plan_cut(running, path, 2)
    address = f"{running.address}{path}"
    desk.page.goto(f"{address}desk/")
    organiser.paste_names(desk.page, ["Ada", "Bo", "Cy", "Di"])
    organiser.check_in_all(desk.page, address, 4)
    organiser.publish_and_start(desk.page, address, 1)
    enter_sweeps(desk.page, address, 1)

    desk.page.goto(f"{address}desk/")
    play_next_round(desk, 2)
    assert desk.spent == (3, 0)

    enter_sweeps(desk.page, address, 2)
    organiser.close_round(desk.page, address, 2)
    start_planned_cut(desk, address)
    assert desk.spent == (4, 0)


def plan_cut(running: Site, path: str, size: int) -> None:
    slug = path.strip("/").split("/")[-1]
    events = f"Tournament.objects.filter(slug={slug!r})"
    code = f"from tournaments.models import Tournament; {events}.update(planned_cut={size})"
    manage(running, "shell", "-c", code)


def enter_sweeps(page: Page, address: str, number: int) -> None:
    for table, (first, second) in enumerate(organiser.tables_of(page, address, number), start=1):
        games = (
            PlayedGame(1, first, second, winner=first, stolen=2),
            PlayedGame(2, second, first, winner=first, stolen=3),
        )
        organiser.enter_result(page, address, number, table, games)


def play_next_round(desk: Counted, number: int) -> None:
    """Go from a desk with all results to the running clock of the next round."""
    page, button = desk.page, f"Close round {number - 1} and pair round {number}"
    desk.click(page.get_by_role("button", name=button))
    desk.click(page.get_by_role("button", name=f"Publish round {number}"))
    expect(page.get_by_role("heading", name="Open tables")).to_be_in_viewport()
    desk.click(page.get_by_role("button", name="Start the clock"))
    expect(page.get_by_role("button", name="Pause the clock")).to_be_in_viewport()
    for table in (1, 2):
        expect(page.locator(f"#enter-{table}")).to_be_in_viewport()


def start_planned_cut(desk: Counted, address: str) -> None:
    page = desk.page
    page.goto(f"{address}desk/")
    expect(page.get_by_role("link", name="Finish without a cut")).to_be_visible()
    desk.click(page.get_by_role("button", name="Start the top 2"))
    expect(page.get_by_role("heading", name="Top 2")).to_be_visible()


def open_an_event(person: Counted, site: str) -> str:
    """Go from the front page, without an account, to an event that players can join."""
    page = person.page
    page.goto(site)
    person.click(page.get_by_role("link", name="Organise an event").first)
    person.click(page.locator("main").get_by_role("link", name="Sign up", exact=True))
    person.fill(page.get_by_label("Username"), f"shopkeeper-{secrets.token_hex(3)}")
    person.fill(page.locator("[name=password1]"), organiser.PASSWORD)
    person.click(page.locator("main form").get_by_role("button", name="Sign up"))
    for label in ("Date", "Starts at", "Place", "Rounds"):
        expect(page.get_by_label(label, exact=True)).to_be_in_viewport()
    expect(page.get_by_label("Date", exact=True)).not_to_have_value("")
    person.fill(page.get_by_label("Name", exact=True), "Shop Night")
    person.click(page.get_by_role("button", name="Create event"))
    page.wait_for_url("**/desk/created/")

    clicks, fields = person.spent
    assert clicks <= 4
    assert fields <= 3
    expect(page.get_by_role("heading", name="Registration is open")).to_be_in_viewport()
    expect(page.locator("#join")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Add players")).to_be_in_viewport()
    address = page.url.removesuffix("desk/created/")
    page.goto(address)
    expect(page.get_by_role("link", name="Join").first).to_be_visible()
    return address


def join(person: Counted, link: str, name: str) -> None:
    """Go from the code on the poster to "You are registered"."""
    page = person.page
    page.goto(link)
    person.fill(page.locator("main [name=name]"), name)
    person.click(page.locator("main form").get_by_role("button", name="Join").first)
    expect(page.get_by_text("You are registered for")).to_be_in_viewport()

    assert person.spent == (1, 1)


def reach_the_table(person: Counted, link: str) -> None:
    person.page.goto(link)
    person.click(person.page.locator("main form button").first)

    expect(person.page.get_by_text("Table 1").first).to_be_in_viewport()
    assert person.spent == (1, 0)


def report_two_nil(person: Counted) -> None:
    """Report from the page of the table; only the points that can differ from 0 are typed."""
    page, (clicks, fields) = person.page, person.spent
    person.click(page.get_by_role("link", name="You won both"))
    person.fill(page.get_by_label("Agenda points of Ada, Runner"), "3")
    person.click(page.get_by_role("button", name="Report the result"))

    expect(page.get_by_text("Waiting for").first).to_be_visible()
    assert person.spent == (clicks + 2, fields + 1)


def confirm(person: Counted, address: str) -> None:
    person.page.goto(f"{address}me/")
    before = person.clicks
    person.click(person.page.get_by_role("button", name="Yes, confirm"))

    assert person.clicks - before == 1
