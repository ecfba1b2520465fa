"""Every page by everybody who may open it: no axe violation or console message, nothing moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import resolve
from playwright.sync_api import Browser, Page

from tests.browser import organiser, phone
from tests.live_site import running_site
from tests.tournaments.matrix.rows import EXPECTED

pytestmark = [pytest.mark.browser, pytest.mark.goal("G16")]

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
}
MOST_SHIFT = 0.05
"""Of what is in sight while a page loads; the measure calls less than 0.1 good."""
WATCH_SHIFTS = """window.shift = 0; new PerformanceObserver((list) => list.getEntries()
  .filter((entry) => !entry.hadRecentInput).forEach((entry) => window.shift += entry.value))
  .observe({ type: "layout-shift", buffered: true });"""
REFUSED = 409
"""A page that says why not is read as well."""
EVENT = "/events/datafort-demo-open/"
CUP = "/events/datafort-demo-cup/"
EVENING = "/events/datafort-demo-radicals/"
LEAGUE = "/series/datafort-tuesday-league/"
TUESDAY = "/events/datafort-tuesday-league-1/"
STANDARD = "/events/datafort-demo-standard/"
PLAYER = "Søren Eriksson"
PLAYER_NUMBER = 17
"""Sits at an open table of round 3."""
PUBLIC = [
    "/",
    "/events/",
    EVENT,
    f"{EVENT}pairings/",
    f"{EVENT}rounds/3/?by=table",
    f"{EVENT}rounds/1/tables/1/",
    f"{EVENT}standings/",
    f"{EVENT}exports/",
    f"{EVENT}players/2/",
    f"{EVENT}projector/",
    f"{EVENT}projector/?show=clock",
    f"{EVENT}projector/?show=standings",
    f"{EVENT}projector/?show=join",
    f"{CUP}projector/?show=bracket",
    f"{CUP}projector/?show=final",
    f"{CUP}projector/?show=podium",
    f"{EVENT}stream/",
    f"{EVENT}overlays/",
    f"{EVENT}overlay/table/3/?theme=light",
    f"{EVENT}overlay/feature/?theme=light",
    f"{EVENT}overlay/standings/?theme=light",
    f"{EVENT}overlay/clock/?theme=light",
    f"{EVENT}embed/standings/",
    f"{EVENT}embed/pairings/",
    f"{EVENT}decks/",
    f"{EVENT}rounds/3/print/",
    f"{EVENT}standings/print/",
    f"{STANDARD}meeting/",
    f"{STANDARD}projector/?show=meeting",
    "/offline/",
    "/invitation/",
    "/my-events/",
    f"{CUP}bracket/",
    f"{CUP}standings/",
    f"{EVENING}pairings/",
    f"{EVENING}rounds/2/tables/1/",
    "/join/",
    "/me/",
    "/help/",
    "/help/pairing/",
    "/help/scoring/",
    "/help/tie-breakers/",
    "/cards/",
    "/cards/onr/lockjaw/",
    "/cards/?game=anr&q=data",
    "/cards/anr/film-critic/",
    "/decks/check/",
    "/rulings/",
    "/rulings/rules/",
    "/rulings/rules/two-round-match/",
    "/rulings/rules/free-radicals-merchants/",
    "/rulings/two-round-match-10/",
    "/rulings/lockjaw-1/",
    "/rulings/lockjaw-1/?as_of=1997-05-12",
    "/rulings/lockjaw-1/changes/",
    "/rulings/card/gremlins/",
    "/rulings/subject/tracing/?as_of=1997-05-12",
    "/rulings/documents/netrunner-rulings-v1-62/",
    "/rulings/search/?q=virus",
    "/rulings/search/?q=lokjaw&kind=ruling",
    "/rulings/booklet/onr/",
    "/rulings/booklet/free_radicals/",
    f"{EVENT}rulings/booklet/",
    "/rulings/guide/",
    "/rulings/changes/",
    "/rulings/cited/",
    f"{EVENT}guide/",
    f"{EVENT}rulings/",
    "/archive/",
    "/series/",
    LEAGUE,
    f"{LEAGUE}statistics/",
    TUESDAY,
    f"{TUESDAY}statistics/",
    f"{EVENT}needs/",
    "/statistics/",
    "/ratings/",
    "/ratings/onr/",
    "/help/ratings/",
    "/help/rounds/",
    "/account/login/",
    "/account/signup/",
]
STAFF = [
    f"{EVENT}desk/",
    f"{EVENT}desk/settings/",
    f"{EVENT}desk/staff/",
    f"{EVENT}desk/stages/",
    f"{EVENT}desk/finish/",
    f"{EVENT}desk/decks/",
    f"{EVENT}desk/deck-checks/",
    f"{EVENT}desk/decks/audience/",
    f"{EVENT}desk/preview/?player=1",
    f"{EVENT}desk/log/",
    f"{EVENT}roster/",
    f"{EVENT}roster/paste/",
    f"{EVENT}roster/4/entry/",
    f"{EVENT}roster/links/",
    f"{EVENT}rounds/3/results/",
    f"{EVENT}rounds/3/tables/6/decide/",
    f"{EVENT}rounds/3/change/",
    f"{CUP}desk/",
    f"{CUP}desk/cut/",
    f"{EVENING}rounds/2/results/",
    f"{STANDARD}desk/",
    f"{STANDARD}desk/decks/",
    f"{STANDARD}desk/decks/1/corp/",
    f"{STANDARD}desk/decks/1/corp/difference/?older=1&newer=2",
    f"{STANDARD}desk/decks/2/runner/",
    f"{STANDARD}desk/decks/2/runner/change/",
    f"{STANDARD}players/4/decks/corp/",
    "/events/new/",
    "/events/import/",
    f"/me/tokens/?event={EVENT.split('/')[2]}",
    f"{EVENT}desk/settings/day/",
    f"{EVENT}desk/calls/",
    f"{EVENT}desk/calls/past/",
    f"{EVENT}desk/calls/statistics/",
    f"{EVENT}desk/rulings/",
    f"{EVENT}desk/rulings/new/",
    f"{EVENT}desk/cited/",
    f"{EVENT}desk/booklet/",
    f"{EVENT}desk/guide/",
    f"{EVENT}desk/guide/new/",
    f"{EVENT}desk/guide/of/slow-play/",
    f"{EVENT}desk/penalties/",
    f"{EVENT}desk/penalties/new/?table=7",
    f"{EVENT}desk/penalties/new/?table=7&player={PLAYER_NUMBER}&infraction=slow-play",
    f"{EVENT}desk/players/{PLAYER_NUMBER}/conduct/",
    f"{EVENT}desk/judged/",
    f"{EVENT}desk/news/",
    f"{EVENT}desk/programs/",
    f"{EVENT}exports/",
    f"{STANDARD}desk/upload/",
    f"{EVENT}desk/practice/",
    f"{EVENT}desk/versions/",
    f"{EVENT}desk/deck-checks/1/print/",
    f"{EVENT}desk/paper/",
    f"{EVENT}desk/paper/check-in/",
    f"{EVENT}desk/paper/decks/",
    f"{EVENT}desk/paper/open/",
    f"{EVENT}desk/paper/slips/",
    f"{EVENT}poster/",
    f"{EVENT}rounds/3/slips/",
    f"{EVENT}rounds/3/clock/table/?table=7",
    f"{EVENT}rounds/3/tables/8/absences/",
    f"{EVENT}rounds/4/without-results/",
    f"{EVENT}roster/1/link/",
    f"{EVENT}roster/1/erase/",
    "/account/email/",
    "/account/password/change/",
    "/account/sessions/",
    "/account/2fa/",
    f"{EVENT}roster/badges/",
    f"{EVENT}roster/csv/",
    f"{EVENT}roster/sign-ups/",
    f"{EVENT}roster/scan/",
    f"{EVENT}roster/tick/",
    f"{STANDARD}desk/decks/1/corp/receipts/1/",
    f"{STANDARD}desk/meeting/",
    f"{STANDARD}desk/paper/meeting/",
    "/account/2fa/totp/activate/",
    "/account/2fa/webauthn/add/",
    "/series/new/",
    f"{LEAGUE}desk/",
    f"{LEAGUE}desk/settings/",
    f"{LEAGUE}desk/evenings/new/",
    f"{TUESDAY}desk/again/",
    f"{EVENT}desk/series/",
    f"{EVENT}desk/invited/",
    f"{EVENT}desk/day-two/",
]
MINE = [
    f"{EVENT}me/",
    f"{EVENT}me/decks/corp/",
    f"{EVENT}me/decks/corp/receipts/1/",
    f"{EVENT}me/news/",
    f"{EVENT}rounds/3/tables/7/report/",
    "/my-events/",
    "/me/data/",
    "/me/erase/",
    "/me/privacy/",
    "/me/records/",
]
JUDGE = [
    f"{EVENT}desk/",
    f"{EVENT}desk/calls/",
    f"{EVENT}desk/decks/",
    f"{EVENT}desk/log/",
    f"{EVENT}rounds/3/tables/6/decide/",
    f"{EVENT}roster/tick/",
]
KEEPER = [
    "/rulings/import/",
    "/rulings/lockjaw-1/edit/",
    "/rulings/lockjaw-1/",
    "/people/merges/",
]
"""For who administers the site."""
LED_TO = {
    "call": (f"{EVENT}desk/calls/", "ol.call-queue a[href*='/desk/calls/']"),
    "local_ruling_edit": (f"{EVENT}desk/rulings/", "main a[href*='/desk/rulings/']"),
    "deck_check_of": (f"{EVENT}desk/deck-checks/", "main a[href*='/desk/deck-checks/']"),
    "join_code": (f"{EVENT}", "main a[href^='/join/']"),
    "log_entry": (f"{EVENT}desk/log/", "a.log__time"),
    "log_undo": (f"{EVENT}desk/log/", "a[href$='/undo/']"),
    "penalty_withdraw": (f"{EVENT}desk/penalties/", "a[href$='/withdraw/']"),
    "standings_then": (f"{EVENT}desk/versions/", "a[href*='/versions/standings/']"),
    "person": (LEAGUE, "main a[href^='/people/']"),
    "rating_history": ("/ratings/onr/", "main a[href^='/ratings/onr/']"),
    "webhook": (f"{EVENT}desk/programs/", "main a[href*='/desk/programs/']"),
}
"""Pages whose address holds a key: where a link leads there, and which."""
FILES = {
    "all_events_calendar",
    "deck_export",
    "event_calendar",
    "judged_csv",
    "judged_json",
    "manifest",
    "my_check_in_qr",
    "person_csv",
    "qr",
    "ratings_csv",
    "roster_export",
    "series_calendar",
    "series_csv",
    "series_statistics_csv",
    "service_worker",
    "site_statistics_csv",
    "standings_csv",
    "statistics_csv",
    "time",
}
PARTS = {"desk_step", "swap_preview"}
"""Parts of pages that are looked at with them."""
ELSEWHERE = {
    "by_hand": "below, in a draft",
    "check_in_code": "test_arriving",
    "confirm": "test_no_signal",
    "cut_change": "a table and a reason, after a change was chosen on the page of the cut",
    "deck_difference": "the page of the staff has the same shape",
    "draft": "below",
    "factions": "test_radicals_evening opens it; a form as that of the results",
    "invitation_link": "leads on to the page of the invitation",
    "opponents": "test_season; the list of a player's page, whole",
    "plan": "the form of a new plan, filled in",
    "my_table": "leads on to the page of a player, or to the list of their events",
    "schedule": "test_schedule; the table of the rounds",
}


@pytest.fixture(scope="module")
def demo(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a site with the demo event, and the passwords by username."""
    folder: Path = tmp_path_factory.mktemp("demo")
    with running_site(folder, demo=True) as site:
        logins = dict(line.split() for line in (folder / "demo_login").read_text().splitlines())
        prepare(browser, site.address, logins)
        organiser.make_keeper(site)
        yield site.address, logins


def prepare(browser: Browser, address: str, logins: dict[str, str]) -> None:
    """Show decks, draw for a check, seat a meeting, make a ruling, a webhook and a token."""
    page = browser.new_context().new_page()
    log_in(page, address, "organiser", logins["organiser"])
    for path, button in (
        (f"{EVENT}desk/decks/", "Reveal the decks to everybody"),
        (f"{EVENT}desk/deck-checks/", "Draw"),
        (f"{STANDARD}desk/meeting/", "Seat the players"),
    ):
        page.goto(f"{address}{path}")
        page.get_by_role("button", name=button).click()
        page.wait_for_load_state()
    page.goto(f"{address}{EVENT}desk/rulings/new/")
    page.get_by_label("Card or topic").fill("Slow play")
    page.get_by_label("Ruling", exact=True).fill("A turn takes three minutes at most.")
    page.get_by_role("button", name="Save the ruling").click()
    page.wait_for_url("**/desk/rulings/")
    page.goto(f"{address}{EVENT}desk/programs/")
    page.get_by_label("Address", exact=True).fill("https://hooks.example.org/run")
    page.get_by_role("button", name="Add the webhook").click()
    page.wait_for_load_state()
    page.goto(f"{address}/me/tokens/")
    page.get_by_label("Name").fill("A bot")
    page.get_by_role("button", name="Make a token").click()
    page.locator("#token").wait_for()
    page.context.close()


def complaints(page: Page, address: str, paths: list[str]) -> list[str]:
    """What axe, the ruler, the console and the measure of layout shift say, a line each."""
    found, said = [], []
    page.add_init_script(WATCH_SHIFTS)
    page.on("console", lambda message: said.append(message.text))
    for path in paths:
        said.clear()
        answer = page.goto(f"{address}{path}")
        assert answer.ok or answer.status == REFUSED, path
        for violation in Axe().run(page, options=RULES).response["violations"]:
            where = violation["nodes"][0]["html"][:120]
            found.append(f"{path}: {violation['id']}: {violation['help']}: {where}")
        # Of a page that says why not, the browser itself notes the status.
        found += [f"{path}: console: {text}" for text in said if answer.ok]
        wide, room = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide > room:
            found.append(f"{path}: {wide} pixels wide, {room} there are")
        if (shift := page.evaluate("window.shift")) > MOST_SHIFT:
            found.append(f"{path}: layout shift {shift:.3f}")
    return found


def log_in(page: Page, address: str, username: str, password: str) -> None:
    page.goto(f"{address}/account/login/")
    page.locator("[name=login]").fill(username)
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{address}/me/")


def claim_link(page: Page, address: str) -> str:
    """A fresh personal link of the player."""
    page.goto(f"{address}{EVENT}roster/{PLAYER_NUMBER}/link/")
    page.get_by_role("button", name="Make a link").click()
    return page.locator("#claim-link").inner_text().strip()


def invitation_link(page: Page, address: str) -> str:
    """Somebody is asked to help."""
    page.goto(f"{address}{EVENT}desk/staff/")
    page.get_by_role("button", name="Make a link").click()
    return page.locator("#invitation-link").inner_text().strip()


def led_to(page: Page, address: str) -> list[str]:
    """The addresses behind LED_TO; each must be the page it is meant to be."""
    paths = []
    for name, (start, link) in LED_TO.items():
        page.goto(f"{address}{start}")
        links = page.locator(link).evaluate_all("all => all.map(one => one.getAttribute('href'))")
        paths.append(next(href for href in links if resolve(href).url_name == name))
    return paths


def test_every_page_of_an_event_is_looked_at() -> None:
    wanted = {name for name, row in EXPECTED.items() if "GET" in row.methods}
    paths = [path.partition("?")[0] for path in (*PUBLIC, *STAFF, *MINE, *KEEPER)]
    seen = {resolve(path).url_name for path in paths}

    wanted = {name for name in wanted if not name.startswith("export_")}
    assert wanted - seen == FILES | PARTS | LED_TO.keys() | ELSEWHERE.keys()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_every_page(
    demo: tuple[str, dict[str, str]], browser: Browser, width: int, scheme: str
) -> None:
    address, logins = demo

    def new_page() -> Page:
        size = {"width": width, "height": 800}
        return browser.new_context(viewport=size, color_scheme=scheme).new_page()  # type: ignore[arg-type]

    stranger, staff, judge, player, keeper = (new_page() for _ in range(5))
    log_in(staff, address, "organiser", logins["organiser"])
    stranger.goto(invitation_link(staff, address))
    log_in(judge, address, "judge", logins["judge"])
    organiser.log_in_keeper(keeper, address)
    phone.claim(player, claim_link(staff, address), PLAYER)

    found = complaints(stranger, address, PUBLIC)
    found += complaints(staff, address, [*STAFF, *led_to(staff, address)])
    found += complaints(judge, address, JUDGE)
    found += complaints(player, address, MINE)
    found += complaints(keeper, address, KEEPER)
    for page in (stranger, staff, judge, player, keeper):
        page.context.close()

    assert not found, "\n".join(found)


@pytest.mark.slow
def test_a_draft_warns_before_a_swap_and_everybody_can_read_it(
    demo: tuple[str, dict[str, str]], browser: Browser
) -> None:
    address, logins = demo
    context = browser.new_context(viewport={"width": 320, "height": 800}, color_scheme="dark")
    page = context.new_page()
    log_in(page, address, "organiser", logins["organiser"])
    force_round_four(page, address)

    found = complaints(
        page, address, [f"{EVENT}rounds/4/draft/by-hand/", f"{EVENT}rounds/4/draft/"]
    )
    boxes = page.locator("input[name=player][form=swap]")
    boxes.nth(0).check()
    page.get_by_text("One player is selected").wait_for()
    boxes.nth(3).check()
    page.locator("#swap-bar input[name=confirmed]").wait_for(state="attached")
    words = page.locator("#swap-bar").inner_text()
    context.close()

    assert not found, "\n".join(found)
    assert words.startswith("Swap ")


def force_round_four(page: Page, address: str) -> None:
    """Pair it although tables of round 3 have no result."""
    page.goto(f"{address}{EVENT}rounds/4/without-results/")
    page.locator("main [name=reason]").fill("The shop closes")
    page.locator("main [name=reason]").press("Enter")
    page.wait_for_url("**/draft/")
