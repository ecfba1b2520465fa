"""A judge call from the table to its answer: two phones, two rulings and a warning."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage
from tests.browser.test_accessible import RULES
from tests.live_site import Site

pytestmark = pytest.mark.browser

PLAYERS = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo"]
PHONE = {"width": 390, "height": 800}


@pytest.mark.slow
def test_citation_keeps_its_text_after_a_later_edit(running: Site, new_page: NewPage) -> None:
    site = running.address
    desk, address = event_of_ten(new_page, site)
    judge = judge_of(new_page, site, desk, address)
    corp, _ = organiser.tables_of(desk, address, 1)[4]
    player = new_page(viewport=PHONE, has_touch=True)
    phone.claim(player, organiser.claim_link(desk, address, corp), corp)

    raise_call(player, address, "May I trace twice?")
    page = take(judge, address)
    codes = [cite(page, "boardwalk", "Boardwalk"), cite(page, "lokjaw", "Lockjaw")]
    warn(page, corp)
    page.get_by_label("Minutes").fill("2")
    assert Axe().run(page, options=RULES).response["violations"] == []
    page.get_by_role("button", name="Send answer").tap()

    expect(page.get_by_text("The call from table 5 has been answered.").first).to_be_visible()
    cited = cited_texts(judge, address)
    assert [code for code, _ in cited] == codes
    assert all(text for _, text in cited)
    player.goto(f"{address}me/")
    expect(player.get_by_text("2 extra minutes for table 5").first).to_be_visible()
    judge.goto(f"{address}desk/penalties/")
    expect(judge.get_by_role("heading", name=f"{corp}: Slow play")).to_be_visible()
    expect(judge.get_by_role("link", name=f"Withdraw the warning of {corp}")).to_be_visible()

    new_version(running, new_page, codes[0])

    assert cited_texts(judge, address) == cited
    judge.goto(f"{site}/r/{codes[0]}/")
    expect(judge.get_by_text("Not while the moon is up.").first).to_be_visible()


def test_infractions_are_found_by_their_penalty(site: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    organiser.sign_up(page, site, "guidereader")
    address = f"{site}{organiser.create_event(page, site, 'Guide Open')}"
    organiser.paste_names(page, PLAYERS[:2])
    page.goto(f"{address}desk/penalties/new/")
    search = page.get_by_label("Search infractions or penalties")
    offered = page.get_by_label("Infraction", exact=True).locator("option:not([value=''])")
    none = page.get_by_text("No infraction matches “game loss tomorrow”.")

    search.fill("game loss")
    expect(offered.first).to_have_text("Illegal deck – game loss")
    assert all("game loss" in label for label in offered.all_inner_texts())
    search.fill("game loss tomorrow")

    expect(none).to_be_in_viewport()
    box = none.bounding_box()
    assert box is not None
    assert box["height"] > 10
    search.fill("illegal deck")
    expect(none).to_have_count(0)
    expect(page.get_by_label("Infraction", exact=True)).to_have_value("illegal-deck")


def test_answer_is_in_sight_when_a_call_is_opened(site: str, new_page: NewPage) -> None:
    desk = new_page(viewport={"width": 1280, "height": 800})
    organiser.sign_up(desk, site, "answerer")
    address = f"{site}{organiser.create_event(desk, site, 'Answered Open')}"
    organiser.paste_names(desk, PLAYERS[:4])
    organiser.check_in_all(desk, address, 4)
    organiser.publish_and_start(desk, address, 1)
    desk.goto(f"{address}desk/calls/")
    desk.get_by_label("Table").fill("1")
    desk.get_by_label("What is it about?").fill("May I trace twice?")
    desk.get_by_role("button", name="Call a judge to the table").click()

    desk.get_by_role("link", name=re.compile("Answer")).first.click()

    expect(desk.get_by_label("Your answer")).to_be_in_viewport(ratio=1)


def event_of_ten(new_page: NewPage, site: str) -> tuple[Page, str]:
    """The desk and the address of an event with round 1 running at five tables."""
    desk = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(desk, site, "callkeeper")
    address = f"{site}{organiser.create_event(desk, site, 'Judged Open')}"
    organiser.paste_names(desk, PLAYERS)
    organiser.check_in_all(desk, address, len(PLAYERS))
    organiser.publish_and_start(desk, address, 1)
    return desk, address


def judge_of(new_page: NewPage, site: str, desk: Page, address: str) -> Page:
    """The phone of a judge who joined by an invitation link."""
    desk.goto(f"{address}desk/staff/")
    desk.get_by_label("Role").first.select_option("judge")
    desk.get_by_role("button", name="Make a link").click()
    link = desk.locator("#invitation-link").inner_text().strip()
    judge = new_page(viewport=PHONE, has_touch=True)
    organiser.sign_up(judge, site, "tablejudge")
    judge.goto(link)
    judge.locator("main form button").first.tap()
    judge.wait_for_load_state()
    return judge


def raise_call(player: Page, address: str, about: str) -> None:
    player.goto(f"{address}me/")
    player.get_by_text("Call a judge", exact=True).tap()
    player.get_by_label("What is it about?").fill(about)
    player.get_by_role("button", name="Call a judge to table 5").tap()
    expect(player.get_by_role("heading", name="A judge has been called")).to_be_visible()


def take(judge: Page, address: str) -> Page:
    judge.goto(f"{address}desk/calls/")
    judge.get_by_role("button", name=re.compile("On my way")).tap()
    judge.get_by_role("link", name=re.compile("Answer")).first.tap()
    judge.wait_for_url(re.compile(r"/calls/\d+/"))
    return judge


def cite(page: Page, typed: str, subject: str) -> str:
    """Type in the box, select the first result on this subject and return its code."""
    box = page.get_by_label("Find a ruling")
    box.fill(typed)
    result = page.get_by_role("list", name="Rulings found").get_by_role("checkbox", name=subject)
    expect(result.first).to_be_visible()
    code = (result.first.get_attribute("value") or "").split()[0]
    result.first.press("Space")
    expect(page.get_by_role("checkbox", name=code)).to_be_checked()
    return code


def warn(page: Page, name: str) -> None:
    """Give a warning for slow play, whatever the guide recommends for a first offence."""
    page.get_by_text("Also give a penalty").tap()
    players = page.get_by_label("Player", exact=True)
    players.select_option(players.locator("option", has_text=name).get_attribute("value"))
    page.get_by_label("Infraction").select_option("slow-play")
    page.get_by_label("Penalty", exact=True).select_option("warning")
    page.get_by_label("Your answer").fill("Trace once. Both took long.")


def cited_texts(judge: Page, address: str) -> list[tuple[str, str]]:
    """The codes and texts cited by the answer of the call, as printed on its page."""
    judge.goto(f"{address}desk/calls/past/")
    judge.get_by_role("link", name=re.compile("table 5", re.IGNORECASE)).first.tap()
    judge.wait_for_url(re.compile(r"/calls/\d+/"))
    quotes = judge.locator("blockquote")
    expect(quotes).to_have_count(2)
    return [
        (quote.locator("code").first.inner_text(), quote.inner_text().split("\n")[0])
        for quote in quotes.all()
    ]


def new_version(running: Site, new_page: NewPage, code: str) -> None:
    """Edit the text of a ruling as a site administrator."""
    organiser.make_keeper(running)
    page = new_page(viewport={"width": 1280, "height": 900})
    organiser.log_in_keeper(page, running.address)
    page.goto(f"{running.address}/r/{code}/")
    page.get_by_role("link", name="Write a new version").click()
    page.get_by_label("Text of the ruling").fill("Not while the moon is up.")
    page.get_by_label("Reason for the new version").fill("Tried in a test.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save as version 2").click()
    expect(page.get_by_text("Not while the moon is up.").first).to_be_visible()
