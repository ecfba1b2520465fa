"""A player with a bad connection: stored pages, queued reports, and sending them once."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage
from tests.browser.gate import Gate
from tests.browser.test_accessible import RULES
from tests.serving import serving

pytestmark = pytest.mark.browser

PLAYERS = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jan"]
PHONE = {"width": 320, "height": 700}
KEPT = """async () => {
  const pages = await (await caches.open("datafort-pages")).keys();
  return pages.map((page) => new URL(page.url).pathname);
}"""

KEPT_TEXT = """async (path) => {
  const pages = await caches.open("datafort-pages");
  return (await pages.match(new URL(path, location))).text();
}"""


@dataclass(frozen=True)
class RunningEvent:
    """An event with round 1 running; `tables` are the names at each table, Corp first.

    Phones use `address` through `line`; the desk uses its own connection.
    """

    desk: Page
    desk_address: str
    line: Gate
    address: str
    tables: list[tuple[str, str]]

    def claim(self, page: Page, name: str, address: str = "") -> None:
        """Claim the player on this phone; `address` overrides the phones' address."""
        link = organiser.claim_link(self.desk, self.desk_address, name)
        path = link.removeprefix(site_of(self.desk_address))
        phone.claim(page, f"{site_of(address or self.address)}{path}", name)

    def phone_of(self, new_page: NewPage, name: str, **options: object) -> Page:
        """A phone whose page of the event is under the control of the service worker."""
        page = new_page(**{"viewport": PHONE, "has_touch": True, **options})
        self.claim(page, name)
        page.goto(f"{self.address}me/")
        phone.reload_under_worker(page)
        return page

    def log(self, action: str) -> int:
        """Count the entries of the event's log with this action."""
        self.desk.goto(f"{self.desk_address}desk/log/")
        return self.desk.locator(".log__entry", has_text=action).count()

    def lose_signal(self, page: Page) -> None:
        """Disconnect the phone and drop every request it still sends."""
        self.line.is_cut = True
        phone.lose_signal(page)

    def find_signal(self, page: Page) -> None:
        self.line.is_cut = False
        page.context.set_offline(False)


@pytest.fixture(scope="module")
def event(site: str, browser: Browser) -> Iterator[RunningEvent]:
    with serving(Gate(site)) as line:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        desk = context.new_page()
        organiser.sign_up(desk, site, "signalkeeper")
        path = organiser.create_event(desk, site, "No Signal Open")
        organiser.paste_names(desk, PLAYERS)
        organiser.check_in_all(desk, f"{site}{path}", len(PLAYERS))
        organiser.publish_and_start(desk, f"{site}{path}", 1)
        tables = organiser.tables_of(desk, f"{site}{path}", 1)
        yield RunningEvent(desk, f"{site}{path}", line, f"{line.address}{path}", tables)
        context.close()


@pytest.fixture(autouse=True)
def restored_line(event: RunningEvent) -> Iterator[None]:
    yield
    event.line.is_cut = False


def site_of(address: str) -> str:
    return address.split("/events/")[0]


def wait_until_stored(page: Page, script: str) -> None:
    """Wait until the script is true for the `paths` stored on the phone."""
    phone.until(page, f"({KEPT})().then((paths) => {script})")


def sweep(page: Page, loser: str, stolen: int = 3) -> None:
    """Report a win of both games with two taps and one number."""
    page.get_by_role("link", name="You won both").click()
    page.get_by_label(f"Agenda points of {loser}").filter(visible=True).fill(str(stolen))
    page.get_by_role("button", name="Report the result").click()


def fill_in(page: Page, table: tuple[str, str], stolen: int = 3) -> None:
    """Fill in the form: the first player wins both games."""
    winner, loser = table
    for number in (1, 2):
        section = page.get_by_role("region", name=f"Game {number}")
        section.get_by_label(winner, exact=True).check()
        section.get_by_label(f"Agenda points of {loser}").fill(str(stolen))


def complaints(page: Page) -> list[str]:
    violations = [
        violation["id"] for violation in Axe().run(page, options=RULES).response["violations"]
    ]
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*violations, "wider than the phone"] if wide else violations


@pytest.mark.slow
def test_site_can_be_installed_on_a_home_screen(event: RunningEvent, new_page: NewPage) -> None:
    page = event.phone_of(new_page, "Ada")

    address = page.locator("link[rel=manifest]").get_attribute("href")
    about = page.evaluate("(address) => fetch(address).then((answer) => answer.json())", address)
    scope = page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")

    assert about["display"] == "standalone"
    assert page.goto(f"{scope.rstrip('/')}{about['start_url']}").ok
    for icon in about["icons"]:
        assert page.request.get(f"{scope.rstrip('/')}{icon['src']}").ok


@pytest.mark.slow
def test_service_worker_controls_the_first_page(event: RunningEvent, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(event.address)

    phone.until(page, "navigator.serviceWorker.controller !== null")


def test_own_page_of_a_first_visit_is_shown_offline(event: RunningEvent, new_page: NewPage) -> None:
    player = event.tables[3][0]
    page = new_page(viewport=PHONE, has_touch=True)
    event.claim(page, player)
    own_path = page.evaluate("location.pathname")
    wait_until_stored(page, f"paths.includes('{own_path}')")

    event.lose_signal(page)
    page.reload()

    expect(page.locator("#no-signal")).to_contain_text("No signal. Shown as of")
    expect(page.get_by_role("heading", name="No signal")).to_have_count(0)


def test_page_is_stored_on_the_first_visit(event: RunningEvent, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{event.address}pairings/")

    wait_until_stored(page, "paths.some((path) => path.endsWith('/pairings/'))")

    event.lose_signal(page)
    page.reload()
    expect(page.locator("#no-signal")).to_contain_text("No signal. Shown as of")


@pytest.mark.parametrize("hears_of_it", [True, False])
def test_offline_page_opens_the_requested_page_when_the_site_responds(
    event: RunningEvent, new_page: NewPage, hears_of_it: bool
) -> None:
    page = event.phone_of(new_page, event.tables[3][0])
    event.line.is_cut = True
    if hears_of_it:
        phone.lose_signal(page)
    page.goto(f"{event.address}standings/")
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    assert complaints(page) == []

    event.find_signal(page)

    expect(page.get_by_role("heading", name="Standings", exact=True)).to_be_visible()
    assert page.url == f"{event.address}standings/"


def test_report_without_a_signal_is_queued_and_sent_once(
    event: RunningEvent, new_page: NewPage
) -> None:
    player, opponent = event.tables[0]
    page = event.phone_of(new_page, player)
    before = event.log("reported")

    wait_until_stored(page, "paths.some((path) => path.endsWith('report/'))")
    event.lose_signal(page)
    sweep(page, opponent)

    queue = page.locator("#outbox")
    expect(queue).to_contain_text("Unsent: table 1, 2–0 (20–3)")
    assert complaints(page) == []
    # In a new tab, the queued report is still stored on the device.
    page.close()
    page = page.context.new_page()
    queue = page.locator("#outbox")
    page.goto(f"{event.address}me/")
    expect(queue).to_contain_text("Unsent: table 1, 2–0 (20–3)")
    expect(page.locator("#no-signal")).to_contain_text("No signal. Shown as of")
    assert event.log("reported") == before

    event.find_signal(page)
    expect(queue).to_contain_text("The staff will confirm it")
    expect(page.get_by_text("Waiting for the staff")).to_be_visible()
    expect(page.locator("#no-signal")).to_have_count(0)
    assert event.log("reported") == before + 1
    page.reload()
    expect(queue).to_contain_text("The staff will confirm it")
    page.clock.install(time=datetime.now(tz=UTC) + timedelta(minutes=11))
    page.reload()
    expect(queue).to_have_count(0)
    assert event.log("reported") == before + 1


@pytest.mark.slow
def test_open_page_keeps_the_form_over_plain_http(event: RunningEvent, new_page: NewPage) -> None:
    """Shops without HTTPS have no service worker."""
    player, opponent = event.tables[3]
    page = new_page(viewport=PHONE, has_touch=True, service_workers="block")
    event.claim(page, player)
    with page.expect_response(lambda answer: answer.url.endswith("/tables/4/report/")):
        page.goto(f"{event.address}me/")
    page.wait_for_load_state("networkidle")
    event.lose_signal(page)
    page.get_by_role("link", name="Another result").click()
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator(".sit__number")).to_be_visible()
    sweep(page, opponent)
    expect(page.locator("#outbox")).to_contain_text("Unsent: table 4, 2–0 (20–3)")
    expect(page.locator(".sit__number")).to_be_visible()

    event.find_signal(page)

    expect(page.locator("#outbox")).to_contain_text("The staff will confirm it")
    expect(page.get_by_text("Waiting for the staff")).to_be_visible()


def test_sent_report_is_no_longer_shown_after_confirmation(
    event: RunningEvent, new_page: NewPage
) -> None:
    player, opponent = event.tables[4]
    page = event.phone_of(new_page, player)
    wait_until_stored(page, "paths.some((path) => path.endsWith('tables/5/report/'))")
    event.lose_signal(page)
    sweep(page, opponent)
    event.find_signal(page)
    queue = page.locator("#outbox")
    expect(queue).to_contain_text("The staff will confirm it")
    page.goto(f"{event.address}me/")
    expect(page.get_by_text("Waiting for the staff")).to_be_visible()
    expect(queue).to_be_visible()

    phone.confirm(event.phone_of(new_page, opponent), event.address)

    expect(page.get_by_text("Result:").first).to_be_visible(timeout=15_000)
    expect(queue).to_have_count(0)


def test_refusal_of_a_queued_report_is_shown(event: RunningEvent, new_page: NewPage) -> None:
    player, opponent = event.tables[1]
    page = event.phone_of(new_page, player)
    page.goto(f"{event.address}rounds/1/tables/2/report/")
    event.lose_signal(page)
    fill_in(page, (player, opponent))
    page.get_by_role("button", name="Report the result").click()
    expect(page.locator("#outbox")).to_contain_text("Unsent: table 2")

    opponent_page = new_page(viewport=PHONE)
    event.claim(opponent_page, opponent, event.desk_address)
    opponent_page.goto(f"{event.desk_address}rounds/1/tables/2/report/")
    fill_in(opponent_page, (opponent, player), stolen=5)
    opponent_page.get_by_role("button", name="Report the result").click()
    expect(opponent_page.get_by_text(f"Waiting for {player}")).to_be_visible()
    event.find_signal(page)

    queue = page.locator("#outbox")
    expect(queue).to_contain_text("does not agree")
    queue.get_by_role("button", name="OK").click()
    page.reload()
    expect(queue).to_have_count(0)


@pytest.mark.slow
def test_queued_report_can_be_discarded(event: RunningEvent, new_page: NewPage) -> None:
    player, opponent = event.tables[2]
    page = event.phone_of(new_page, player)
    page.goto(f"{event.address}rounds/1/tables/3/report/")
    before = event.log("reported")
    event.lose_signal(page)
    fill_in(page, (player, opponent))
    page.get_by_role("button", name="Report the result").click()
    page.locator("#outbox").get_by_role("button", name="Discard").click()
    expect(page.locator("#outbox")).to_have_count(0)

    event.find_signal(page)
    page.goto(f"{event.address}me/")

    expect(page.get_by_role("link", name="Another result")).to_be_visible()
    assert event.log("reported") == before


def test_double_tap_sends_one_report(event: RunningEvent, new_page: NewPage) -> None:
    player, opponent = event.tables[2]
    page = event.phone_of(new_page, player)
    before = event.log("reported")
    page.goto(f"{event.address}rounds/1/tables/3/report/")
    fill_in(page, (player, opponent))
    page.get_by_role("button", name="Report the result").dblclick()

    expect(page.get_by_text("Recorded. The staff will confirm it.")).to_be_visible()
    expect(page.get_by_text("Waiting for the staff")).to_be_visible()
    assert event.log("reported") == before + 1


def test_next_player_on_the_device_sees_no_pages_of_the_previous_player(
    event: RunningEvent, new_page: NewPage
) -> None:
    player, opponent = event.tables[0]
    page = event.phone_of(new_page, player)
    page.goto(f"{event.address}standings/")
    own_path = page.evaluate("(address) => new URL(address).pathname", f"{event.address}me/")
    wait_until_stored(page, f"paths.includes('{own_path}')")

    event.claim(page, opponent)
    # The link opens the table of the logged-in player, so the stored page must be that player's.
    wait_until_stored(page, f"paths.includes('{own_path}')")
    assert f"<h1><bdi>{opponent}</bdi></h1>" in page.evaluate(KEPT_TEXT, own_path)
    page.goto(f"{site_of(event.address)}/me/")
    page.get_by_text("Not you, or not your device?").click()
    page.get_by_role("button", name="Forget").click()
    page.wait_for_load_state()

    assert own_path not in page.evaluate(KEPT)
    event.lose_signal(page)
    page.goto(f"{event.address}me/")
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()


@pytest.mark.slow
def test_stored_page_is_removed_after_losing_access(event: RunningEvent, new_page: NewPage) -> None:
    player = event.tables[2][0]
    page = event.phone_of(new_page, player)
    own_path = page.evaluate("(address) => new URL(address).pathname", f"{event.address}me/")
    page.goto(f"{event.address}me/")
    wait_until_stored(page, f"paths.includes('{own_path}')")

    # The phone is lost, and its owner gets a new link.
    organiser.claim_link(event.desk, event.desk_address, player)
    page.goto(f"{event.address}me/")

    wait_until_stored(page, f"!paths.includes('{own_path}')")


@pytest.mark.slow
def test_logging_out_removes_the_stored_pages(
    event: RunningEvent, site: str, new_page: NewPage
) -> None:
    page = new_page(viewport=PHONE)
    organiser.sign_up(page, site, "leaver")
    phone.reload_under_worker(page)
    page.goto(event.desk_address)
    wait_until_stored(page, "paths.some((path) => path.startsWith('/events/'))")

    page.goto(f"{site}/account/logout/")
    page.locator("main form button").first.click()
    page.wait_for_url(f"{site}/")

    assert [path for path in page.evaluate(KEPT) if path.startswith("/events/")] == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_of_a_player_fits_a_small_phone(
    event: RunningEvent, new_page: NewPage, scheme: str
) -> None:
    page = event.phone_of(new_page, event.tables[3][1], color_scheme=scheme)

    assert complaints(page) == []
    number = page.locator(".sit__number").bounding_box()
    assert number is not None
    assert number["height"] > 75
    page.get_by_text("Call a judge").first.click()
    assert complaints(page) == []
    page.get_by_role("link", name="Me", exact=True).click()
    page.get_by_text("Drop from the event", exact=True).click()
    assert complaints(page) == []


def watched_page(event: RunningEvent, new_page: NewPage) -> Page:
    """My page without a service worker, so that the test can intercept its requests."""
    page = new_page(viewport=PHONE, has_touch=True, service_workers="block")
    event.claim(page, event.tables[3][1])
    page.goto(f"{event.address}me/")
    return page


def renew(page: Page, body: str, status: int = 200) -> None:
    """Set the response to the next poll of My page, then poll."""

    def answer(route: Route) -> None:
        if "x-fragment" in route.request.headers:
            route.fulfill(status=status, body=body, content_type="text/html")
        else:
            route.continue_()

    page.unroute_all()
    page.route("**/me/", answer)
    page.evaluate("document.dispatchEvent(new CustomEvent('datafort:look'))")


@pytest.mark.slow
def test_typed_text_and_open_sections_survive_a_page_update(
    event: RunningEvent, new_page: NewPage
) -> None:
    page = watched_page(event, new_page)
    current = page.locator("[data-poll]").inner_html()
    page.locator("#call-a-judge > summary").click()
    page.locator("#call-about").press_sequentially("Missed trigger")
    page.locator("#why-paired > summary").click()

    renew(page, f"{current}<p>Renewed</p>")

    expect(page.get_by_text("Renewed")).to_be_visible()
    expect(page.locator("#call-about")).to_have_value("Missed trigger")
    expect(page.locator("#call-about")).to_be_visible()
    assert page.locator("#why-paired").evaluate("(why) => why.open")


@pytest.mark.slow
def test_refused_page_is_not_reported_as_a_missing_signal(
    event: RunningEvent, new_page: NewPage
) -> None:
    page = watched_page(event, new_page)

    renew(page, "Page not found", status=404)

    status = page.locator("[data-poll-status]")
    expect(status).to_have_text("You can't see this page any more. Reload it.")
    expect(page.locator("#no-signal")).to_contain_text(
        "You no longer have access to this page. Shown as of"
    )


@pytest.mark.slow
def test_refused_form_still_adds_up_the_points(event: RunningEvent, new_page: NewPage) -> None:
    page = watched_page(event, new_page)
    opponent = event.tables[3][0]
    # The page that the event reports as held may contain another form than the report's.
    page.evaluate(
        "const detail = {address: location.href};"
        "document.dispatchEvent(new CustomEvent('datafort:held', {detail}))"
    )
    page.get_by_role("link", name="You won both").click()
    points = page.get_by_label(f"Agenda points of {opponent}").filter(visible=True)
    form_page = page.content()
    page.route("**/report/", lambda route: route.fulfill(status=422, body=form_page))
    points.fill("3")
    expect(page.locator("[data-usual-total]")).to_contain_text("you 20")

    page.get_by_role("button", name="Report the result").click()
    expect(points).to_have_value("")
    points.fill("3")

    expect(page.locator("[data-usual-total]")).to_contain_text("you 20")
