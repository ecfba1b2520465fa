"""Polling of a page whose stream is refused, silent or busy."""

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


class StreamingSite:
    """A page with a poll and a stream, which counts requests.

    The stream is refused, never answered, or ends after `words`, in which a # becomes a number.
    """

    def __init__(self, page: Page, *, is_refused: bool = False, words: str = "") -> None:
        self.page, self.is_refused, self.words = page, is_refused, words
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
        elif path == "/live/" and self.words:
            body = self.words.replace("#", str(self.requests[path]))
            route.fulfill(body=body, content_type="text/event-stream")
        elif path != "/live/":
            route.fulfill(body=HTML, content_type="text/html")

    def poll(self, seconds: float = 6) -> None:
        """Let the time pass in which a page without a stream polls once."""
        with self.page.expect_response(f"{SITE}/fragment"):
            self.page.clock.run_for(round(seconds * 1000))


def test_page_polls_and_requests_a_refused_stream_again_after_minutes(new_page: NewPage):
    site = StreamingSite(new_page(), is_refused=True)
    for _ in range(4):
        site.poll()
    assert site.requests["/live/"] == 1

    with site.page.expect_request(f"{SITE}/live/"):
        site.page.clock.fast_forward(round(LONGEST_REFUSAL * 1000))
        site.poll()


def test_page_polls_after_giving_up_a_stream_that_never_opens(new_page: NewPage):
    site = StreamingSite(new_page())
    with site.page.expect_event("requestfailed", lambda request: request.url == f"{SITE}/live/"):
        for _ in range(6):
            site.poll()

    assert site.requests["/live/"] == 1
    assert site.requests["/fragment"] >= 6


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("retry: 100\n\n", id="breaks"),
        pytest.param("retry: 100\nevent: version\ndata: #\n\n", id="brings news"),
    ],
)
def test_broken_or_busy_stream_delays_no_poll(new_page: NewPage, words: str):
    site = StreamingSite(new_page(), words=words)
    site.poll()
    polls = site.requests["/fragment"]

    for _ in range(8):
        site.page.clock.run_for(1000)
        # The browser reopens the stream after 0.1 seconds of real time.
        site.page.wait_for_timeout(200)

    assert site.requests["/live/"] >= 4
    assert site.requests["/fragment"] > polls
