"""Accounts and links in a real browser, which emulates passkeys (CDP)."""

import pytest
from playwright.sync_api import CDPSession, Page, Request, expect

from tests.browser import organiser
from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser
PASSWORD = "correct horse battery"


def key_for(page: Page) -> CDPSession:
    """Add a virtual authenticator that always confirms; it belongs to this page."""
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


def csp_refusals(page: Page) -> list[str]:
    """Collect violations of the content security policy from now on."""
    refusals: list[str] = []
    page.on(
        "console",
        lambda line: refusals.append(line.text) if "Content Security Policy" in line.text else None,
    )
    return refusals


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


def guess_password(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/account/login/")
    page.get_by_label("Username or email").fill(name)
    page.get_by_label("Password", exact=True).fill("a wrong guess")
    with page.expect_response("**/account/login/"):
        page.get_by_role("button", name="Log in", exact=True).click()


@pytest.mark.check(20, 22)
def test_new_passkey_logs_in_without_a_password(site: str, new_page: NewPage) -> None:
    # A passkey is bound to a host name; for localhost, browsers allow plain HTTP.
    site = site.replace("127.0.0.1", "localhost")
    page = new_page(viewport={"width": 390, "height": 800})
    forbidden = csp_refusals(page)
    key_for(page)
    sign_up(page, site, "keykeeper")

    page.goto(f"{site}/account/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Log in without a password").check()
    page.get_by_role("button", name="Add passkey", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()

    log_out(page, site)
    # Guessing the password does not lock the passkey out.
    for _ in range(6):
        guess_password(page, site, "keykeeper")
    expect(page.get_by_text("Too many failed login attempts")).to_be_visible()
    page.goto(f"{site}/account/login/?next=/account/2fa/webauthn/")
    page.get_by_role("button", name="Log in with a passkey").click()

    page.wait_for_url("**/account/2fa/webauthn/")
    expect(page.get_by_role("link", name="Rename My passkey")).to_be_visible()
    expect(page.get_by_text("Logging in without a password")).to_be_visible()
    assert forbidden == []


def test_security_key_is_required_after_the_password(site: str, new_page: NewPage) -> None:
    site = site.replace("127.0.0.1", "localhost")
    page = new_page()
    forbidden = csp_refusals(page)
    key_for(page)
    sign_up(page, site, "keysecond")
    page.goto(f"{site}/account/2fa/webauthn/add/")
    page.get_by_role("button", name="Add passkey", exact=True).click()
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
def test_page_explains_when_passkeys_cannot_work(site: str, new_page: NewPage) -> None:
    page = new_page()
    sign_up(page, site, "keynowhere")

    page.goto(f"{site}/account/2fa/webauthn/add/")

    expect(page.get_by_text("Passkeys do not work here")).to_be_visible()
    expect(page.get_by_role("button", name="Add passkey", exact=True)).to_be_hidden()
    page.get_by_role("link", name="authenticator app").click()
    expect(page.get_by_alt_text("QR code for the authenticator app")).to_be_visible()


@pytest.mark.slow
def test_current_tab_is_visible_on_a_narrow_phone(site: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 700})
    organiser.sign_up(page, site, "narrow")

    for path, tab in (
        ("/account/sessions/", "Sessions"),
        ("/account/2fa/", "Two-factor authentication"),
    ):
        page.goto(f"{site}{path}")
        expect(page.get_by_label("My account").get_by_role("link", name=tab)).to_be_in_viewport(
            ratio=1
        )


@pytest.mark.slow
def test_long_email_address_fits_a_narrow_phone(site: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 320, "height": 700})
    organiser.sign_up(page, site, "mailed")
    page.goto(f"{site}/account/email/")
    page.get_by_label("Email", exact=True).fill("an.address.that.is.long@shop.example.net")
    page.get_by_role("button", name="Add address").click()

    expect(page.get_by_role("radio")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_claim_succeeds_without_leaking_its_secret(site: str, new_page: NewPage) -> None:
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
def test_claim_link_works_once(site: str, new_page: NewPage) -> None:
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
