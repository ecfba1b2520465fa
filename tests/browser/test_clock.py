"""The clock on a phone whose own clock is wrong, that sleeps, and that hears of changes."""

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
    """A page with one clock, served without a site: the test is the server and its time."""

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
        """The phone believes it is this time."""
        # Its time goes by as the test lets it, not beside it.
        self.page.clock.install(time=phone - timedelta(minutes=1))
        self.page.clock.pause_at(phone)
        self.page.goto(f"{SITE}/")
        self.hear()

    def hear(self) -> None:
        """Wait for the answer to what the page asked, and for the clock to show it."""
        self.page.wait_for_function("window.datafort.time.isKnown()")
        self.pass_(milliseconds=500)

    def pass_(self, **span: float) -> None:
        """Time goes by at the phone and at the server alike."""
        self.server += timedelta(**span)
        self.page.clock.run_for(round(timedelta(**span).total_seconds() * 1000))

    def says(self) -> float:
        """Minutes that the clock shows."""
        minutes, seconds = self.page.locator(".clock__time").inner_text().lstrip("+").split(":")
        return int(minutes) + int(seconds) / 60

    def left(self) -> float:
        return (self.end - self.server).total_seconds() / 60

    def announced(self) -> str:
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
def test_a_phone_with_a_wrong_clock_shows_the_right_time(phone_with_clock, wrong: int):
    phone = phone_with_clock(30)
    phone.open(START + timedelta(minutes=wrong))
    expect(phone.page.locator("[data-clock-words]")).to_have_text("left in")

    assert phone.says() == pytest.approx(phone.left(), abs=SECOND)
    phone.pass_(minutes=3)
    assert phone.says() == pytest.approx(phone.left(), abs=SECOND)


@pytest.mark.check(39)
def test_after_sleep_the_time_is_asked_anew(phone_with_clock):
    phone = phone_with_clock(40)
    phone.open(START)
    # The phone slept for half an hour, and its clock with it.
    phone.server += timedelta(minutes=30)

    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.hear()

    expect(phone.page.locator(".clock__time")).to_have_text(re.compile("^9:5"))
    assert phone.says() == pytest.approx(phone.left(), abs=SECOND)


@pytest.mark.slow
def test_a_page_shown_again_from_the_back_button_is_right(phone_with_clock):
    phone = phone_with_clock(40)
    phone.open(START)
    phone.server += timedelta(minutes=5)

    phone.page.evaluate(
        "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    )
    phone.hear()

    expect(phone.page.locator(".clock__time")).to_have_text(re.compile("^34:5"))


@pytest.mark.slow
def test_a_poll_corrects_the_time_but_a_slow_answer_does_not_spoil_it(phone_with_clock):
    phone = phone_with_clock(40)
    phone.open(START)
    # Two seconds on the way: what it says may be a second off, and the quick one was better.
    answer(phone, milliseconds(phone.server) - 900, "performance.now() - 2000")
    assert phone.says() == pytest.approx(phone.left(), abs=SECOND)

    phone.server += timedelta(minutes=2)
    answer(phone, milliseconds(phone.server), "performance.now()")
    assert phone.says() == pytest.approx(phone.left(), abs=SECOND)


def answer(phone: ClockPage, now: int, sent: str) -> None:
    """As when a poll was answered."""
    detail = f"{{ now: '{now}', sent: {sent} }}"
    phone.page.evaluate(
        f"document.dispatchEvent(new CustomEvent('datafort:answer', {{ detail: {detail} }}))"
    )
    phone.page.clock.run_for(300)


@pytest.mark.slow
def test_without_an_answer_the_device_has_to_do(phone_with_clock):
    phone = phone_with_clock(30)
    phone.answers = False
    phone.open(START)

    expect(phone.page.locator("[data-clock-words]")).to_have_text("left in")
    assert phone.says() == pytest.approx(phone.left(), abs=SECOND)


@pytest.mark.slow
def test_what_was_known_of_the_time_outlasts_a_reload_without_a_signal(phone_with_clock):
    phone = phone_with_clock(30)
    phone.open(START + timedelta(minutes=10))
    phone.answers = False
    phone.page.reload()
    phone.hear()

    assert phone.says() == pytest.approx(phone.left(), abs=0.1)


def test_warnings_are_announced_once_each_and_again_when_minutes_were_added(phone_with_clock):
    phone = phone_with_clock(20.2)
    phone.open(START)
    assert phone.announced() == ""

    phone.pass_(seconds=20)
    assert phone.announced() == "20 minutes left in round 3."
    phone.page.evaluate("document.querySelector('[data-clock-says]').textContent = ''")
    phone.pass_(seconds=20)
    assert phone.announced() == ""
    phone.pass_(minutes=15)
    assert phone.announced() == "5 minutes left in round 3."
    move_end(phone, minutes=4)
    assert phone.announced() == "The time was changed: 9 minutes left in round 3."
    phone.pass_(minutes=4)
    assert phone.announced() == "5 minutes left in round 3."
    phone.pass_(minutes=4)
    assert phone.announced() == "1 minute left in round 3."
    phone.pass_(minutes=1)
    assert phone.announced() == "Time is over, round 3."


def move_end(phone: ClockPage, minutes: float) -> None:
    """As when a poll brought the clock with more time."""
    phone.end += timedelta(minutes=minutes)
    clock = phone.page.locator("[data-clock]")
    clock.evaluate("(clock, end) => { clock.dataset.clockEnd = end; }", milliseconds(phone.end))
    phone.page.clock.run_for(300)


@pytest.mark.slow
def test_what_was_past_on_loading_is_not_announced(phone_with_clock):
    phone = phone_with_clock(3)
    phone.open(START)
    phone.pass_(seconds=20)

    assert phone.announced() == ""
    assert phone.page.locator("[data-clock]").get_attribute("data-clock-phase") == "soon"


@pytest.mark.slow
def test_after_zero_comes_overtime_and_then_the_end(phone_with_clock):
    phone = phone_with_clock(1, overtime=300)
    phone.open(START)
    phone.pass_(seconds=68)
    expect(phone.page.locator(".clock__word")).to_have_text("Overtime")
    assert phone.says() == pytest.approx(phone.left() + 5, abs=SECOND)
    assert phone.announced() == "Time. Overtime begins: 5 minutes, round 3."

    phone.pass_(minutes=5)
    expect(phone.page.locator(".clock__word")).to_have_text("Time is over")
    assert phone.page.locator(".clock__time").inner_text().startswith("+0:")
    assert phone.announced() == "Overtime is over, round 3."


@pytest.mark.slow
def test_a_pause_is_announced_and_the_clock_stands(phone_with_clock):
    phone = phone_with_clock(30)
    phone.open(START)
    phone.page.locator("[data-clock]").evaluate(
        """clock => {
          clock.dataset.clock = "paused";
          clock.querySelector(".clock__time").textContent = "29:10";
        }"""
    )
    phone.pass_(minutes=5)

    assert phone.announced() == "The clock is paused, round 3."
    expect(phone.page.locator(".clock__time")).to_have_text("29:10")


@pytest.mark.slow
def test_the_sound_is_off_until_wanted_and_remembered(phone_with_clock):
    phone = phone_with_clock(30)
    phone.open(START)
    button = phone.page.locator("[data-clock-sound]")
    expect(button).to_have_text("Turn sound on")

    button.click()
    expect(button).to_have_text("Turn sound off")
    phone.page.reload()

    expect(button).to_have_text("Turn sound off")


@pytest.mark.slow
def test_a_tone_is_played_at_a_warning_for_who_wants_one(phone_with_clock):
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
    phone.pass_(seconds=20)

    assert phone.page.evaluate("window.tones") == before + 2
