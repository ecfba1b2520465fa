"""Notifications on a player's phone, with a fake push service."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage
from tests.browser.test_accessible import RULES
from tests.core.test_web_push import AUTH, RECEIVER_PUBLIC

pytestmark = pytest.mark.browser

NEWS = {"title": "Table 12 - round 3", "body": "You are Corp first, against Ada", "tag": "open"}
PUSH_SERVICE = """({ endpoint, p256dh, auth }) => {
  let key = null;
  const subscription = {
    endpoint,
    get options() { return { applicationServerKey: key }; },
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => true,
  };
  const proto = PushManager.prototype;
  proto.getSubscription = async () => (localStorage.subscribed ? subscription : null);
  proto.subscribe = async (asked) => {
    key = asked.applicationServerKey;
    localStorage.subscribed = key.length;
    return subscription;
  };
  Notification.requestPermission = async () => {
    localStorage.asked = Number(localStorage.asked || 0) + 1;
    return localStorage.answer || "granted";
  };
}"""


def with_push_service(page: Page) -> None:
    keys = {"endpoint": "https://push.example/x", "p256dh": RECEIVER_PUBLIC, "auth": AUTH}
    page.add_init_script(f"({PUSH_SERVICE})({json.dumps(keys)})")


@pytest.fixture
def page(site: str, new_page: NewPage) -> Page:
    """A player's notification page on a small phone."""
    desk = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(desk, site, "pocketkeeper")
    address = f"{site}{organiser.create_event(desk, site, 'Pocket Open')}"
    organiser.paste_names(desk, ["Ada", "Bo"])
    desk.goto(f"{address}desk/news/")
    desk.get_by_label("Let players get their table as a push notification").check()
    desk.get_by_role("button", name="Save notifications", exact=True).click()
    pushed = new_page(viewport={"width": 320, "height": 700}, permissions=["notifications"])
    with_push_service(pushed)
    phone.claim(pushed, organiser.claim_link(desk, address, "Ada"), "Ada")
    pushed.goto(f"{address}me/news/")
    return pushed


@pytest.mark.slow
def test_phone_subscribes_and_shows_notifications(page: Page):
    expect(page.get_by_text("This phone can show your table")).to_be_visible()
    assert page.evaluate("localStorage.asked") is None
    assert Axe().run(page, options=RULES).response["violations"] == []

    page.evaluate("localStorage.answer = 'denied'")
    page.get_by_role("button", name="Notify this phone").click()
    expect(page.get_by_text("Allow them in its settings")).to_be_visible()
    page.evaluate("localStorage.answer = 'granted'")
    page.get_by_role("button", name="Notify this phone").click()
    expect(page.get_by_text("this phone shows your table")).to_be_visible()
    assert page.evaluate("localStorage.subscribed") == "65"
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

    notifications = deliver(page, {**NEWS, "page": "/events/pocket-open/me/"})
    assert notifications == [[NEWS["title"], NEWS["body"], "/events/pocket-open/me/"]]

    page.get_by_role("button", name="Stop notifications", exact=True).click()
    expect(page.get_by_role("button", name="Notify this phone")).to_be_visible()


def deliver(page: Page, news: dict[str, str]) -> list[list[str]]:
    """Deliver a push message to the worker; return title, text and page of the notification."""
    registrations: list[str] = []
    browser = page.context.new_cdp_session(page)
    browser.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(
            registration["registrationId"] for registration in event["registrations"]
        ),
    )
    browser.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for _ in range(100):  # Chromium reports its workers with a delay.
        if not registrations:
            page.wait_for_timeout(100)
    origin = page.evaluate("location.origin")
    message = {"origin": origin, "registrationId": registrations[0], "data": json.dumps(news)}
    browser.send("ServiceWorker.deliverPushMessage", message)
    notifications: list[list[str]] = page.evaluate(
        """async () => {
          const worker = await navigator.serviceWorker.ready;
          for (let tries = 0; tries < 150; tries += 1) {
            const all = await worker.getNotifications();
            if (all.length) {
              return all.map((one) => [one.title, one.body, one.data]);
            }
            await new Promise((later) => setTimeout(later, 100));
          }
          return [];
        }"""
    )
    return notifications
