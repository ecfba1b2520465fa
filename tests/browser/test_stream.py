"""The script of a page whose stream is refused or says nothing: it polls as without a stream."""

from collections import Counter
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import NewPage
from tests.live_site import ROOT

pytestmark = pytest.mark.browser

SITE = "http://localhost"
HTML = '<div data-poll="/fragment" data-poll-every="5"></div><script src="/poll.js"></script>'
SCRIPT = (ROOT / "static" / "js" / "poll.js").read_text()
LONGEST_REFUSAL = 300 * 1.5  # seconds


class StreamlessSite:
    """A page with a poll, and a stream that is refused or never answered; counts requests."""

    def __init__(self, page: Page, *, is_refused: bool) -> None:
        self.page, self.is_refused = page, is_refused
        self.requests: Counter[str] = Counter()
        page.clock.install()
        page.route(f"{SITE}/**", self._answer)
        page.goto(f"{SITE}/")

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        self.requests[path] += 1
        if path == "/poll.js":
            route.fulfill(body=SCRIPT, content_type="text/javascript")
        elif path == "/fragment":
            route.fulfill(body="<p>Round 1</p>", headers={"Datafort-Live": "/live/"})
        elif path == "/live/" and self.is_refused:
            route.fulfill(status=503)
        elif path != "/live/":
            route.fulfill(body=HTML, content_type="text/html")

    def poll(self, seconds: float = 6) -> None:
        """Let the time pass in which a page without a stream polls once."""
        with self.page.expect_response(f"{SITE}/fragment"):
            self.page.clock.run_for(round(seconds * 1000))


def test_a_refused_stream_is_requested_again_after_minutes_and_the_page_polls(new_page: NewPage):
    site = StreamlessSite(new_page(), is_refused=True)
    for _ in range(4):
        site.poll()
    assert site.requests["/live/"] == 1

    site.page.clock.fast_forward(round(LONGEST_REFUSAL * 1000))
    with site.page.expect_request(f"{SITE}/live/"):
        site.poll()


def test_a_stream_that_never_opens_is_given_up_and_the_page_polls(new_page: NewPage):
    site = StreamlessSite(new_page(), is_refused=False)
    with site.page.expect_event("requestfailed", lambda request: request.url == f"{SITE}/live/"):
        for _ in range(6):
            site.poll()

    assert site.requests["/live/"] == 1
    assert site.requests["/fragment"] >= 6
