"""Passkeys in a real browser, with a key that the browser itself plays (CDP WebAuthn)."""

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser
PASSWORD = "correct horse battery"


def key_for(page: Page) -> CDPSession:
    """A key within the device that always says yes; it belongs to this page."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools


def told_by_csp(page: Page) -> list[str]:
    """What the browser says it was forbidden, from now on."""
    told: list[str] = []
    page.on(
        "console",
        lambda line: told.append(line.text) if "Content Security Policy" in line.text else None,
    )
    return told


def sign_up(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/account/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/me/")


def log_out(page: Page, site: str) -> None:
    page.goto(f"{site}/account/logout/")
    page.locator("main").get_by_role("button", name="Log out").click()
    page.wait_for_url(f"{site}/")


@pytest.mark.check(20, 22)
def test_a_passkey_is_added_and_opens_the_account_without_a_password(
    site: str, new_page: NewPage
) -> None:
    # A passkey is bound to a name, and this one is as good as https.
    site = site.replace("127.0.0.1", "localhost")
    page = new_page(viewport={"width": 390, "height": 800})
    forbidden = told_by_csp(page)
    key_for(page)
    sign_up(page, site, "keykeeper")

    page.goto(f"{site}/account/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Log in with it alone").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()

    log_out(page, site)
    page.goto(f"{site}/account/login/?next=/account/2fa/webauthn/")
    page.get_by_role("button", name="Log in with a passkey").click()

    page.wait_for_url("**/account/2fa/webauthn/")
    expect(page.get_by_role("link", name="Rename My passkey")).to_be_visible()
    expect(page.get_by_text("Logging in without a password")).to_be_visible()
    assert forbidden == []


def test_a_security_key_is_asked_for_after_the_password(site: str, new_page: NewPage) -> None:
    site = site.replace("127.0.0.1", "localhost")
    page = new_page()
    forbidden = told_by_csp(page)
    key_for(page)
    sign_up(page, site, "keysecond")
    page.goto(f"{site}/account/2fa/webauthn/add/")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    log_out(page, site)

    page.goto(f"{site}/account/login/")
    page.get_by_label("Username or email").fill("keysecond")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("button", name="Use a passkey").click()

    page.wait_for_url("**/me/")
    assert forbidden == []


@pytest.mark.slow
def test_where_passkeys_cannot_work_the_page_says_so(site: str, new_page: NewPage) -> None:
    page = new_page()
    sign_up(page, site, "keynowhere")

    page.goto(f"{site}/account/2fa/webauthn/add/")

    expect(page.get_by_text("No passkeys in this browser, at this address")).to_be_visible()
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_hidden()
    page.get_by_role("link", name="authenticator app").click()
    expect(page.get_by_alt_text("QR code for the authenticator app")).to_be_visible()
