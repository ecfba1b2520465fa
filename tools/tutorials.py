"""The steps of docs/tutorial/, clicked in a browser as a new organiser would.

`tools.screenshots` takes the pictures of the tutorials on the way.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser import organiser, phone

WINDOW: ViewportSize = {"width": 1024, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 720}
PLAYERS = ["Ada", "Bo", "Chidi", "Dana", "Emil", "Fatima", "Greta", "Hiro"]
ROUNDS = 3
# A double elimination of four has at most seven games.
MAX_CUT_ROUNDS = 7

# Called with a page and the name of the picture to take of it.
Shoot = Callable[[Page, str], object]


def walk_all(browser: Browser, site: str, shoot: Shoot) -> None:
    """Follow the tutorials one after the other on an empty site."""
    page = _window(browser)
    _sign_up(page, site)
    walk_first_event(browser, page, site, shoot)
    walk_first_cut(page, site, shoot)
    walk_league_season(page, site, shoot)


def walk_first_event(browser: Browser, page: Page, site: str, shoot: Shoot) -> None:
    """Follow docs/tutorial/first-event.md; `page` is logged in."""
    event = _create_event(page, site, "Tuesday Netrunner", shoot)
    shoot(page, "event-created")
    _add_and_check_in(page, event, shoot)
    for number in range(1, ROUNDS + 1):
        _pair_and_start(page, event, number, shoot)
        if number == 1:
            _report_on_phones(browser, page, event, shoot)
        _enter_results(page, event, shoot if number == 1 else None)
        _close_round(page, event, number, shoot)
    page.locator(".big-step").get_by_role("link", name="Finish the event").click()
    shoot(page, "finish-event")
    page.get_by_role("button", name="Finish the event").click()
    page.wait_for_url(re.compile(r"/desk/$"))
    page.get_by_role("link", name="Final standings").first.click()
    shoot(page, "final-standings")
    page.locator("table.standings tbody a").first.click()
    page.goto(f"{page.url.partition('#')[0]}#why")
    shoot(page, "player")


def walk_first_cut(page: Page, site: str, shoot: Shoot) -> None:
    """Follow docs/tutorial/first-cut.md; `page` is logged in."""
    event = _create_event(page, site, "Tuesday with a top 4", cut=4)
    _add_and_check_in(page, event)
    for number in range(1, ROUNDS + 1):
        _pair_and_start(page, event, number)
        _enter_results(page, event)
        _close_round(page, event, number)
    step = page.locator(".big-step")
    start = step.get_by_role("button", name="Start the top 4")
    expect(start).to_be_visible(timeout=30_000)
    shoot(page, "start-the-top-4")
    start.click()
    shoot(page, "seeds-of-the-cut")
    page.get_by_role("button", name="Publish the seeds").click()
    for number in range(1, MAX_CUT_ROUNDS + 1):
        _play_cut_round(page, event, number, shoot)
        if step.get_by_role("link", name="Finish the event").count():
            break
    step.get_by_role("link", name="Finish the event").click()
    page.get_by_role("button", name="Finish the event").click()
    page.wait_for_url(re.compile(r"/desk/$"))


def walk_league_season(page: Page, site: str, shoot: Shoot) -> None:
    """Follow docs/tutorial/league-season.md; `page` is that of an organiser with an event."""
    page.goto(site)
    page.get_by_role("link", name="Events", exact=True).first.click()
    page.get_by_role("link", name="Series", exact=True).first.click()
    page.get_by_role("link", name="Start a series").first.click()
    page.get_by_label("Name", exact=True).fill("Tuesday League")
    page.get_by_text("Scoring and qualification").click()
    page.get_by_label("Events in the season").fill("4")
    page.get_by_label("Best events that count").fill("3")
    page.get_by_label("Qualifying places in the final table").fill("1")
    page.get_by_text("Each event awards").evaluate("legend => legend.scrollIntoView()")
    shoot(page, "new-series")
    page.get_by_role("button", name="Start the series").click()
    page.wait_for_url("**/desk/")
    page.locator("main select[name=event]").select_option(label="Tuesday Netrunner")
    page.get_by_role("button", name="Add this event").click()
    shoot(page, "run-the-series")
    page.get_by_role("link", name="Plan events").click()
    page.get_by_label("Copy the players of the previous event").check()
    page.get_by_role("button", name="Plan these events").click()
    page.wait_for_url("**/desk/")
    shoot(page, "planned-events")


def report_two_wins(page: Page, shoot: Callable[[Page], object]) -> None:
    """Report two wins from a player's page; `shoot` gets the completed form."""
    page.get_by_role("link", name="You won both").click()
    page.wait_for_url("**/report/*")
    fields = page.locator(".field[data-of] input:visible")
    for number in range(fields.count()):
        fields.nth(number).fill("3")
    shoot(page)
    page.get_by_role("button", name="Report the result").click()
    expect(page.get_by_text("Waiting for").first).to_be_visible()


def _no_picture(_page: Page, _name: str) -> None:
    """Take no picture of a step that was shown before."""


def _window(browser: Browser, size: ViewportSize = WINDOW) -> Page:
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")
    return context.new_page()


def _sign_up(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("link", name="Log in").click()
    page.get_by_role("link", name="Sign up instead").click()
    page.get_by_label("Username").fill("tuesday-organiser")
    page.locator("[name=password1]").fill(organiser.PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{site}/me/")


def _create_event(
    page: Page, site: str, name: str, shoot: Shoot = _no_picture, *, cut: int | None = None
) -> str:
    """Return the address of the new event."""
    page.goto(site)
    page.get_by_role("link", name="Organise an event").first.click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Expected players").fill(str(len(PLAYERS)))
    page.get_by_label("Rounds", exact=True).fill(str(ROUNDS))
    # The expected number of players suggests a cut.
    page.get_by_label("Top cut").fill(str(cut or ""))
    shoot(page, "new-event")
    page.get_by_role("button", name="Create event").click()
    page.wait_for_url("**/desk/created/")
    return page.url.removesuffix("desk/created/")


def _add_and_check_in(page: Page, event: str, shoot: Shoot = _no_picture) -> None:
    page.get_by_role("link", name="Add players").click()
    page.get_by_role("link", name="Import", exact=True).click()
    page.locator("textarea").first.fill("\n".join(PLAYERS))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Add ticked players").click()
    page.locator(".roster-bar summary").click()
    page.get_by_role("button", name="Check in everyone").click()
    badges = page.locator("table.roster").locator(".badge--toggle.badge--checked_in")
    expect(badges).to_have_count(len(PLAYERS))
    shoot(page, "players-checked-in")
    page.goto(f"{event}desk/")
    shoot(page, "desk-before-round-1")


def _pair_and_start(page: Page, event: str, number: int, shoot: Shoot = _no_picture) -> None:
    step = page.locator(".big-step")
    if number == 1:
        step.get_by_role("button", name="Pair round 1").click()
    publish = page.get_by_role("button", name=f"Publish round {number}")
    review = step.get_by_role("link", name="Review the draft")
    expect(publish.or_(review)).to_be_visible(timeout=30_000)
    if review.is_visible():
        review.click()
    if number == 1:
        shoot(page, "draft-of-round-1")
    publish.click()
    page.goto(f"{event}desk/")
    step.get_by_role("button", name="Start the clock").click()
    page.wait_for_load_state()


def _enter_results(page: Page, event: str, shoot: Shoot | None = None) -> None:
    page.goto(f"{event}desk/")
    page.locator(".big-step").get_by_role("link", name="Enter results").click()
    cards = page.locator(".score-card:not([data-settled])")
    cards.first.wait_for()
    for place, card_id in enumerate(cards.evaluate_all("cards => cards.map(card => card.id)")):
        card = page.locator(f"#{card_id}")
        card.locator(".outcomes label").nth(place % 2).click()
        asked = card.locator("input[data-asked]:visible")
        for field in range(asked.count()):
            asked.nth(field).fill(str(2 + place + field))
        if shoot and place == 1:
            shoot(page, "enter-results")
        card.get_by_role("button", name="Save").click()
        page.locator(f"#{card_id}[data-settled]").wait_for()


def _close_round(page: Page, event: str, number: int, shoot: Shoot = _no_picture) -> None:
    page.goto(f"{event}desk/")
    if number == 1:
        shoot(page, "close-round-1")
    pair_next = f" and pair round {number + 1}" if number < ROUNDS else ""
    close = f"Close round {number}{pair_next}"
    page.locator(".big-step").get_by_role("button", name=close, exact=True).click()
    page.wait_for_load_state()


def _play_cut_round(page: Page, event: str, number: int, shoot: Shoot) -> None:
    page.goto(f"{event}desk/")
    step = page.locator(".big-step")
    pair = step.get_by_role("button", name=re.compile("^Pair "))
    review = step.get_by_role("link", name="Review the draft")
    if pair.count():
        pair.first.click()
    expect(review.or_(page.locator("main form[action$='publish/'] button"))).to_be_visible()
    if review.is_visible():
        review.click()
    page.get_by_role("button", name=re.compile("^Publish ")).first.click()
    page.goto(f"{event}desk/")
    step.get_by_role("button", name="Start the clock").click()
    page.wait_for_load_state()
    page.goto(f"{event}desk/")
    step.get_by_role("link", name="Enter results").click()
    sides = page.locator("[data-sides] button")
    if sides.count():
        shoot(page, "choose-the-side")
    while sides.count():
        before = sides.count()
        sides.first.click()
        expect(sides).not_to_have_count(before)
    _enter_results(page, event)
    if number == 1:
        page.goto(f"{event}bracket/")
        shoot(page, "bracket-of-a-top-4")
    page.goto(f"{event}desk/")
    step.get_by_role("button", name=re.compile("^Close ")).first.click()
    page.wait_for_load_state()
    page.goto(f"{event}desk/")


def _report_on_phones(browser: Browser, page: Page, event: str, shoot: Shoot) -> None:
    page.goto(f"{event}rounds/1/?by=table")
    first_table = page.locator("main table tbody tr").first
    names = [seat.inner_text().strip() for seat in first_table.locator("bdi").all()[:2]]
    devices = [_window(browser, PHONE) for _ in names]
    for device, name in zip(devices, names, strict=True):
        phone.claim(device, _personal_link(page, event, name), name)
        device.goto(f"{event}me/")
    reporter, opponent = devices
    shoot(reporter, "phone-table")
    report_two_wins(reporter, lambda form: shoot(form, "phone-report"))
    opponent.goto(f"{event}me/")
    shoot(opponent, "phone-confirm")
    opponent.get_by_role("button", name="Yes, confirm").click()
    opponent.wait_for_url(f"{event}me/")


def _personal_link(page: Page, event: str, name: str) -> str:
    """Return a fresh link of this player, with the address of the running site."""
    page.goto(f"{event}roster/")
    row = page.locator("#roster-rows tr").filter(has=page.get_by_text(name, exact=True))
    row.get_by_role("link", name="Menu").click()
    page.get_by_role("dialog").get_by_role("link", name="Personal link").click()
    page.get_by_role("button", name="Make a link").click()
    link = urlsplit(page.locator("#claim-link").inner_text().strip())
    here = urlsplit(event)
    return link._replace(scheme=here.scheme, netloc=here.netloc).geturl()
