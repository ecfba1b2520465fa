"""The round clock on a phone with a wrong clock, after sleep, and after changes."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage

pytestmark = pytest.mark.browser

SCRIPTS = Path(__file__).resolve().parents[2] / "static" / "js"
SITE = "http://clock.test"
PAGE = """<!DOCTYPE html><title>Clock</title><body>
<p class="clock" data-clock="running" data-clock-end="{end}" data-clock-overtime="{overtime}"
  data-clock-of="round 3"><span class="clock__word">Round 3 ends at</span>
<span class="clock__time">14:05</span>
<span data-clock-label hidden><span data-clock-words>left in</span> round 3</span>
<button type="button" data-clock-sound data-turn-on="Turn sound on" data-turn-off="Turn sound off"
  hidden></button></p>
{scripts}"""
START = datetime(2026, 5, 2, 12, tzinfo=UTC)


class ClockPage:
    """A page with one clock, served without a site: the test plays the server and its time."""

    def __init__(self, page: Page, minutes: float, *, overtime: int = 0) -> None:
        self.page, self.server = page, START
        self.end = START + timedelta(minutes=minutes)
        self.overtime = overtime
        self.answers = True
        page.route(f"{SITE}/**", self._answer)

    def _answer(self, route: Route) -> None:
        address = route.request.url.removeprefix(SITE)
        if address.endswith(".js"):
            script = SCRIPTS / address.removeprefix("/static/js/")
            route.fulfill(body=script.read_text(), content_type="text/javascript")
        elif address == "/time/" and self.answers:
            route.fulfill(status=204, headers={"Datafort-Now": str(milliseconds(self.server))})
        elif address == "/time/":
            route.abort()
        else:
            body = PAGE.format(
                end=milliseconds(self.end),
                overtime=self.overtime,
                scripts=render_to_string("components/clock_scripts.html"),
            )
            route.fulfill(body=body, content_type="text/html")

    def open(self, phone: datetime) -> None:
        """Open the page on a phone whose clock shows this time."""
        # The phone's time only moves when the test moves it.
        self.page.clock.install(time=phone - timedelta(minutes=1))
        self.page.clock.pause_at(phone)
        self.page.goto(f"{SITE}/")
        self.wait_for_time()

    def wait_for_time(self) -> None:
        """Wait until the page has its response and the clock shows it."""
        self.page.wait_for_function("window.datafort.time.isKnown()")
        self.pass_time(milliseconds=500)

    def pass_time(self, **span: float) -> None:
        """Let the same time pass on the phone and on the server."""
        self.server += timedelta(**span)
        self.page.clock.run_for(round(timedelta(**span).total_seconds() * 1000))

    def shown_minutes(self) -> float:
        minutes, seconds = self.page.locator(".clock__time").inner_text().lstrip("+").split(":")
        return int(minutes) + int(seconds) / 60

    def left(self) -> float:
        return (self.end - self.server).total_seconds() / 60

    def announcement(self) -> str:
        return self.page.locator("[data-clock-says]").inner_text()


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


@pytest.fixture
def phone_with_clock(new_page: NewPage) -> Callable[..., ClockPage]:
    return lambda minutes, **options: ClockPage(new_page(), minutes, **options)


SECOND = 1.01 / 60


@pytest.mark.parametrize(
    "wrong", [-10, *(pytest.param(more, marks=pytest.mark.slow) for more in (0, 10, 60 * 24 * 400))]
)
@pytest.mark.check(39)
def test_phone_with_a_wrong_clock_shows_the_right_time(phone_with_clock, wrong: int):
    phone = phone_with_clock(30)
    phone.open(START + timedelta(minutes=wrong))
    expect(phone.page.locator("[data-clock-words]")).to_have_text("left in")

    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=SECOND)
    phone.pass_time(minutes=3)
    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=SECOND)


@pytest.mark.check(39)
def test_time_is_requested_again_after_sleep(phone_with_clock):
    phone = phone_with_clock(40)
    phone.open(START)
    # The phone slept for half an hour, and its clock stopped.
    phone.server += timedelta(minutes=30)

    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_time()

    expect(phone.page.locator(".clock__time")).to_have_text(re.compile("^9:5"))
    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=SECOND)


@pytest.mark.slow
def test_page_restored_by_the_back_button_shows_the_right_time(phone_with_clock):
    phone = phone_with_clock(40)
    phone.open(START)
    phone.server += timedelta(minutes=5)

    phone.page.evaluate(
        "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    )
    phone.wait_for_time()

    expect(phone.page.locator(".clock__time")).to_have_text(re.compile("^34:5"))


@pytest.mark.slow
def test_poll_corrects_the_time_unless_its_response_is_slow(phone_with_clock):
    phone = phone_with_clock(40)
    phone.open(START)
    # A round trip of two seconds may be a second off, so the earlier quick response is better.
    answer(phone, milliseconds(phone.server) - 900, "performance.now() - 2000")
    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=SECOND)

    phone.server += timedelta(minutes=2)
    answer(phone, milliseconds(phone.server), "performance.now()")
    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=SECOND)


def answer(phone: ClockPage, server_time: int, sent: str) -> None:
    """Simulate a poll response."""
    detail = f"{{ now: '{server_time}', sent: {sent} }}"
    phone.page.evaluate(
        f"document.dispatchEvent(new CustomEvent('datafort:answer', {{ detail: {detail} }}))"
    )
    phone.page.clock.run_for(300)


@pytest.mark.slow
def test_device_clock_is_used_without_a_response(phone_with_clock):
    phone = phone_with_clock(30)
    phone.answers = False
    phone.open(START)

    expect(phone.page.locator("[data-clock-words]")).to_have_text("left in")
    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=SECOND)


@pytest.mark.slow
def test_known_time_survives_a_reload_without_a_signal(phone_with_clock):
    phone = phone_with_clock(30)
    phone.open(START + timedelta(minutes=10))
    phone.answers = False
    phone.page.reload()
    phone.wait_for_time()

    assert phone.shown_minutes() == pytest.approx(phone.left(), abs=0.1)


def test_warnings_are_announced_once_and_again_after_an_extension(phone_with_clock):
    phone = phone_with_clock(20.2)
    phone.open(START)
    assert phone.announcement() == ""

    phone.pass_time(seconds=20)
    assert phone.announcement() == "20 minutes left in round 3."
    phone.page.evaluate("document.querySelector('[data-clock-says]').textContent = ''")
    phone.pass_time(seconds=20)
    assert phone.announcement() == ""
    phone.pass_time(minutes=15)
    assert phone.announcement() == "5 minutes left in round 3."
    move_end(phone, minutes=4)
    assert phone.announcement() == "The clock was changed: 9 minutes left in round 3."
    phone.pass_time(minutes=4)
    assert phone.announcement() == "5 minutes left in round 3."
    phone.pass_time(minutes=4)
    assert phone.announcement() == "1 minute left in round 3."
    phone.pass_time(minutes=1)
    assert phone.announcement() == "Time is up, round 3."


def move_end(phone: ClockPage, minutes: float) -> None:
    """Simulate a poll that extends the round."""
    phone.end += timedelta(minutes=minutes)
    clock = phone.page.locator("[data-clock]")
    clock.evaluate("(clock, end) => { clock.dataset.clockEnd = end; }", milliseconds(phone.end))
    phone.page.clock.run_for(300)


@pytest.mark.slow
def test_warnings_before_loading_are_not_announced(phone_with_clock):
    phone = phone_with_clock(3)
    phone.open(START)
    phone.pass_time(seconds=20)

    assert phone.announcement() == ""
    assert phone.page.locator("[data-clock]").get_attribute("data-clock-phase") == "soon"


@pytest.mark.slow
def test_overtime_follows_the_round_and_then_ends(phone_with_clock):
    phone = phone_with_clock(1, overtime=300)
    phone.open(START)
    phone.pass_time(seconds=68)
    expect(phone.page.locator(".clock__word")).to_have_text("Overtime")
    assert phone.shown_minutes() == pytest.approx(phone.left() + 5, abs=SECOND)
    assert phone.announcement() == "Time is up. Overtime begins: 5 minutes, round 3."

    phone.pass_time(minutes=5)
    expect(phone.page.locator(".clock__word")).to_have_text("Time is up")
    assert phone.page.locator(".clock__time").inner_text().startswith("+0:")
    assert phone.announcement() == "Overtime is over, round 3."


@pytest.mark.slow
def test_pause_is_announced_and_stops_the_clock(phone_with_clock):
    phone = phone_with_clock(30)
    phone.open(START)
    phone.page.locator("[data-clock]").evaluate(
        """clock => {
          clock.dataset.clock = "paused";
          clock.querySelector(".clock__time").textContent = "29:10";
        }"""
    )
    phone.pass_time(minutes=5)

    assert phone.announcement() == "The clock is paused, round 3."
    expect(phone.page.locator(".clock__time")).to_have_text("29:10")


@pytest.mark.slow
def test_sound_is_off_by_default_and_the_choice_is_remembered(phone_with_clock):
    phone = phone_with_clock(30)
    phone.open(START)
    button = phone.page.locator("[data-clock-sound]")
    expect(button).to_have_text("Turn sound on")

    button.click()
    expect(button).to_have_text("Turn sound off")
    phone.page.reload()

    expect(button).to_have_text("Turn sound off")


@pytest.mark.slow
def test_warning_plays_a_tone_if_sound_is_on(phone_with_clock):
    phone = phone_with_clock(20.2)
    phone.page.add_init_script(
        """window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...at) {
          window.tones += 1;
          start.apply(this, at);
        };
        """
    )
    phone.open(START)
    phone.page.locator("[data-clock-sound]").click()
    before = phone.page.evaluate("window.tones")
    phone.pass_time(seconds=20)

    assert phone.page.evaluate("window.tones") == before + 2
