"""Actions of the organiser, click by click."""

import re
import secrets
import time

from playwright.sync_api import Locator, Page, expect

from tests.browser.table_talk import PlayedGame
from tests.live_site import Site, manage

PASSWORD = "correct horse battery staple"
KEEPER = "keeper"
"""Administers the site after `make_keeper`."""
KEEPERS_APP = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
"""Secret of the keeper's authenticator app."""


def sign_up(page: Page, site: str, name: str) -> None:
    """Sign up a new account.

    A retried test finds its name taken, so each name has a random suffix.
    """
    page.goto(f"{site}/account/signup/")
    page.get_by_label("Username").fill(f"{name}-{secrets.token_hex(3)}")
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("main form button[type=submit], main form button:not([type])").last.click()
    page.wait_for_url(f"{site}/me/")


def make_keeper(site: Site) -> None:
    """Create a site administrator, which sign-up cannot do."""
    manage(
        site,
        "createsuperuser",
        "--noinput",
        DJANGO_SUPERUSER_USERNAME=KEEPER,
        DJANGO_SUPERUSER_EMAIL="keeper@example.org",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    activate = (
        "from allauth.mfa.totp.internal.auth import TOTP; from players.models import User; "
        f"TOTP.activate(User.objects.get(username={KEEPER!r}), {KEEPERS_APP!r})"
    )
    manage(site, "shell", "-c", activate)


def log_in_keeper(page: Page, site: str) -> None:
    """Log in with the password and the current code of the app."""
    # Imported here: it needs settings, which tools/screenshots.py does not have.
    from allauth.mfa.totp.internal import auth as totp

    page.goto(f"{site}/account/login/")
    page.locator("[name=login]").fill(KEEPER)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    code = page.locator("[name=code]")
    code.wait_for()
    code.fill(totp.format_hotp_value(totp.hotp_value(KEEPERS_APP, int(time.time() // 30))))
    code.press("Enter")
    page.wait_for_url(f"{site}/me/")


def create_event(page: Page, site: str, name: str) -> str:
    """Create an event and return its path."""
    page.goto(f"{site}/events/new/")
    page.get_by_label("Name", exact=True).fill(name)
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    expect(page.locator("[name=time_zone]")).to_have_value(zone)
    return submit_new_event(page).removeprefix(site)


def submit_new_event(page: Page) -> str:
    """Create the event as typed, open its desk and return the address of the event."""
    page.get_by_role("button", name="Create event").click()
    page.wait_for_url("**/desk/created/")
    page.get_by_role("link", name="Go to the desk").click()
    page.wait_for_url(re.compile(r"/desk/$"))
    return page.url.removesuffix("desk/")


def paste_names(page: Page, names: list[str]) -> None:
    """Add players to an empty event from its desk, where the next step opens the roster."""
    page.get_by_role("link", name="Add players", exact=True).click()
    page.locator(".roster-bar").get_by_role("link", name="Import", exact=True).click()
    page.locator("textarea").first.fill("\n".join(names))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Add ticked players").click()
    for name in names:
        expect(roster_row(page, name)).to_be_visible()


def roster_row(page: Page, name: str) -> Locator:
    return page.locator("#roster-rows tr").filter(has=page.get_by_text(name, exact=True))


def check_in_all(page: Page, address: str, count: int) -> None:
    page.goto(f"{address}roster/")
    page.locator(".roster-bar summary").click()
    page.get_by_role("button", name="Check in everyone").click()
    pressed = page.locator("table.roster").locator(".badge--toggle.badge--checked_in")
    expect(pressed).to_have_count(count)


def claim_link(page: Page, address: str, name: str) -> str:
    """A new personal link of a player."""
    page.goto(f"{address}roster/")
    roster_row(page, name).get_by_role("link", name="Menu").click()
    page.get_by_role("dialog").get_by_role("link", name="Personal link").click()
    page.get_by_role("button", name="Make a link").click()
    return page.locator("#claim-link").inner_text().strip()


def next_step(page: Page, address: str, button: str) -> None:
    """Press the next-step button of the desk, which must have this label."""
    page.goto(f"{address}desk/")
    step = page.locator(".big-step")
    offered = step.get_by_text(button, exact=True).filter(visible=True)
    expect(offered.first).to_be_visible(timeout=20_000)
    step.locator(".button", has_text=button).first.click()
    page.wait_for_load_state()


def close_round(page: Page, address: str, number: int) -> None:
    """Close a round with all results, without pairing the next round."""
    page.goto(f"{address}desk/")
    step = page.locator(".big-step")
    alone = step.get_by_role("button", name=f"Only close round {number}")
    close = step.get_by_role("button", name=f"Close round {number}", exact=True)
    expect(alone.or_(close)).to_be_visible(timeout=20_000)
    alone.or_(close).click()
    page.wait_for_load_state()


def publish_and_start(page: Page, address: str, number: int) -> None:
    next_step(page, address, f"Pair round {number}")
    next_step(page, address, "Review the draft")
    page.get_by_role("button", name="Publish").first.click()
    next_step(page, address, "Start the clock")


def tables_of(page: Page, address: str, number: int) -> list[tuple[str, str]]:
    """Corp and Runner of game 1 at each table, from the public page."""
    page.goto(f"{address}rounds/{number}/?by=table")
    tables = []
    for table in page.locator("main table tbody tr").all():
        first, second = (seat.inner_text().strip() for seat in table.locator("bdi").all()[:2])
        tables.append((first, second))
    return tables


def enter_result(
    page: Page, address: str, number: int, table: int, games: tuple[PlayedGame, PlayedGame]
) -> None:
    """Choose the result at its table and type the points that it requires."""
    page.goto(f"{address}rounds/{number}/results/")
    card = page.locator(f"#table-{table}")
    players = card.locator("li bdi").all_inner_texts()
    seats = [players.index(game.winner) + 1 for game in games]
    code = {(1, 1): "1", (2, 2): "2", (1, 2): "3", (2, 1): "4"}[seats[0], seats[1]]
    card.locator(f"label:has([value='{code}'])").click()
    for game in games:
        loser = players.index(game.loser) + 1
        points = card.locator(f"[name$=game_{game.number}_points_{loser}]")
        if points.count():
            points.fill(str(game.stolen))
    card.get_by_role("button", name="Save").click()
    expect(page.locator(f"#table-{table}[data-settled]")).to_be_visible()
