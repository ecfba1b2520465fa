"""Rounds whose computer is set to another time while they run, and what time zones do to them."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from core.wall_clock import WallClock
from matches.models import ResultReport
from tests.factories.tournaments import get_round, make_event, owner_of, start_round, sweep, table
from tournaments import due, queries
from tournaments.actors import Actor
from tournaments.due import clock_set
from tournaments.models import Tournament
from tournaments.services import clock, results

pytestmark = [pytest.mark.django_db, pytest.mark.check(39)]

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTES = 65
Pass = Callable[..., None]


class Computer:
    """A computer whose clock can be set; the steady one in it cannot."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller
        self.now, self.steady = NOON, 1000.0

    def let_pass(self, span: timedelta) -> None:
        self.steady += span.total_seconds()
        self.set_clock(self.now + span)

    def set_clock(self, moment: datetime) -> None:
        self.now = moment
        self._traveller.move_to(moment)


@pytest.fixture
def computer(settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Computer]:
    """One that is the whole site, and looks at the time by itself."""
    settings.TICKS_IN_PROCESS = True
    with time_machine.travel(NOON, tick=False) as traveller:
        computer = Computer(traveller)
        monkeypatch.setattr(clock_set, "_wall", WallClock(lambda: computer.steady))
        yield computer


def left(event: Tournament) -> timedelta:
    return queries.clock_of(get_round(event, 1)).left(datetime.now(UTC))


@pytest.mark.parametrize("jump", [timedelta(hours=-1), timedelta(days=1), timedelta(seconds=3)])
def test_a_round_has_as_much_time_left_whatever_the_computer_is_set_to(
    computer: Computer, jump: timedelta
):
    event = make_event(4, round_minutes=MINUTES, confirm_after_minutes=10)
    start_round(event)
    computer.let_pass(timedelta(minutes=20))
    due.carry_out()
    report(event)

    computer.set_clock(computer.now + jump)
    computer.let_pass(timedelta(seconds=5))
    due.carry_out()

    assert abs(left(event) - timedelta(minutes=MINUTES - 20, seconds=-5)) < SECOND
    assert event.log.filter(action=clock_set.ACTION).count() == 1
    assert ResultReport.objects.get().state == "proposed"
    computer.let_pass(timedelta(minutes=10))
    due.carry_out()
    assert ResultReport.objects.get().state == "confirmed"


def report(event: Tournament) -> None:
    pairing = table(get_round(event, 1), 1)
    seat = pairing.match.seats.select_related("player").get(position=1)
    results.report(pairing, seat, sweep(1, 3), Actor(player=seat.player))


def test_a_paused_round_stays_as_it_is(computer: Computer):
    event = make_event(4, round_minutes=MINUTES)
    round_ = start_round(event)
    computer.let_pass(timedelta(minutes=20))
    clock.pause(round_, owner_of(event))

    computer.set_clock(computer.now - timedelta(hours=1))
    due.carry_out()
    computer.let_pass(timedelta(minutes=7))
    due.carry_out()

    assert left(event) == timedelta(minutes=MINUTES - 20)


def test_a_clock_that_is_right_is_left_alone(computer: Computer):
    event = make_event(4, round_minutes=MINUTES)
    start_round(event)
    for _ in range(3):
        computer.let_pass(timedelta(minutes=5))
        # As a clock is kept right, by a little at a time.
        computer.set_clock(computer.now + timedelta(milliseconds=200))
        due.carry_out()

    assert not event.log.filter(action=clock_set.ACTION).exists()


BERLIN, SYDNEY = "Europe/Berlin", "Australia/Sydney"


@pytest.mark.parametrize(
    ("zone", "begins"),
    [
        # Clocks go forward at 2:00 there, and back at 3:00; both while the round runs.
        (BERLIN, "2026-03-29T01:30"),
        (BERLIN, "2026-10-25T02:30"),
        (SYDNEY, "2026-04-05T02:30"),
        (BERLIN, "2026-12-31T23:30"),
        (BERLIN, "2028-02-28T23:30"),
        (BERLIN, "2028-02-29T23:30"),
    ],
)
def test_a_round_is_as_long_over_midnight_leap_days_and_changes_of_the_hour(
    zone: str, begins: str, settings
):
    begin = datetime.fromisoformat(begins).replace(tzinfo=ZoneInfo(zone))
    settings.TIME_ZONE = zone
    with time_machine.travel(begin, tick=False) as traveller:
        event = make_event(4, round_minutes=MINUTES, time_zone=zone)
        start_round(event)
        for minutes in (0, 29, 31, 64, 66):
            traveller.move_to(begin.astimezone(UTC) + timedelta(minutes=minutes))
            assert left(event) == timedelta(minutes=MINUTES - minutes), minutes


def test_a_site_that_is_started_again_knows_how_much_is_left(computer: Computer, monkeypatch):
    event = make_event(4, round_minutes=MINUTES)
    start_round(event)
    computer.let_pass(timedelta(minutes=12))
    # Nothing of the clock is in the process that ended.
    monkeypatch.setattr(clock_set, "_wall", WallClock(lambda: computer.steady))
    due.carry_out()

    assert left(event) == timedelta(minutes=MINUTES - 12)
    assert not event.log.filter(action=clock_set.ACTION).exists()
