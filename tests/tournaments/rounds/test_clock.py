"""Changes of the clock of a round: late, repeated and concurrent."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from tests.factories.tournaments import (
    draft_round,
    finish_round,
    get_round,
    make_event,
    owner_of,
    start_round,
    table,
)
from tournaments.event.permissions import Actor
from tournaments.models import RoundState, Tournament
from tournaments.rounds import services
from tournaments.rounds.drafting import clear_pairings

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
BERLIN, SYDNEY = "Europe/Berlin", "Australia/Sydney"
MoveClock = Callable[[float], None]


@pytest.fixture
def move_clock() -> Iterator[MoveClock]:
    """Freeze the time at this number of minutes after noon."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield lambda minutes: traveller.move_to(NOON + timedelta(minutes=minutes))


@pytest.fixture
def event(move_clock: MoveClock) -> Tournament:
    return make_event(players=4, round_minutes=65)


@pytest.fixture
def owner(event: Tournament) -> Actor:
    return owner_of(event)


def minutes_left(event: Tournament) -> float:
    left = get_round(event, 1).clock().left(datetime.now(UTC))
    return left.total_seconds() / 60


def actions(event: Tournament) -> list[str]:
    """Return the logged changes of the clock, oldest first."""
    of_the_clock = ("clock paused", "clock resumed", "minutes added", "minutes taken")
    return list(
        event.log.filter(action__in=(*of_the_clock, "table given time"))
        .order_by("pk")
        .values_list("action", flat=True)
    )


def test_pause_does_not_shorten_the_round(event, round_, owner, move_clock):
    move_clock(10)
    services.pause_clock(round_, owner)
    move_clock(25)
    assert minutes_left(event) == 55
    services.resume_clock(round_, owner)
    move_clock(30)

    assert minutes_left(event) == 50
    assert actions(event) == ["clock paused", "clock resumed"]


def test_repeated_pause_and_resume_count_once(event, round_, owner, move_clock):
    for minutes, step in (
        (10, services.pause_clock),
        (11, services.pause_clock),
        (25, services.resume_clock),
    ):
        move_clock(minutes)
        step(round_, owner)
    move_clock(26)
    services.resume_clock(round_, owner)

    assert minutes_left(event) == 54
    assert actions(event) == ["clock paused", "clock resumed"]


def test_outdated_page_does_not_end_a_later_pause(event, round_, owner, move_clock):
    services.pause_clock(round_, owner)
    seen = get_round(event, 1).pause_mark
    move_clock(5)
    services.resume_clock(round_, owner)
    move_clock(10)
    services.pause_clock(round_, owner)

    with pytest.raises(services.ClockMoved):
        services.resume_clock(round_, owner, seen)

    assert get_round(event, 1).paused_at is not None


def test_repeated_minutes_for_all_tables_count_once(event, round_, owner):
    services.add_minutes(round_, 5, owner, seen=0)
    services.add_minutes(round_, 5, owner, seen=0)

    with pytest.raises(services.ClockMoved, match="The time has changed"):
        services.add_minutes(round_, 3, owner, seen=0)

    assert minutes_left(event) == 70
    assert actions(event) == ["minutes added"]


def test_round_lasts_at_least_a_minute(event, round_, owner):
    services.add_minutes(round_, -60, owner)

    with pytest.raises(services.OutOfMeasure, match="would last 0 minutes"):
        services.add_minutes(round_, -5, owner)

    assert minutes_left(event) == 5
    assert event.log.get(action="minutes taken").after == {"extra_minutes": -60}


def test_time_for_a_table_is_logged_with_its_reason(event, round_, owner):
    pairing = table(round_, 2)
    services.add_table_minutes(pairing, 3, owner, reason="Judge call")
    services.add_table_minutes(pairing, 2, owner)

    entry = event.log.filter(action="table given time").last()
    assert table(get_round(event, 1), 2).extra_minutes == 5
    assert minutes_left(event) == 65
    assert (entry.pairing, entry.round, entry.reason) == (pairing, round_, "Judge call")


def test_minutes_of_a_table_are_added_once_per_click_and_removed(event, round_, owner):
    pairing = table(round_, 1)
    services.add_table_minutes(pairing, 3, owner, seen=0)
    services.add_table_minutes(pairing, 3, owner, seen=0)
    assert table(round_, 1).extra_minutes == 3

    services.add_table_minutes(pairing, -3, owner, seen=3)
    assert table(round_, 1).extra_minutes == 0
    with pytest.raises(services.OutOfMeasure):
        services.add_table_minutes(pairing, -1, owner)


def test_re_paired_table_gets_no_time(event, round_, owner):
    pairing = table(round_, 1)
    clear_pairings([pairing])

    with pytest.raises(services.WrongState, match="re-paired"):
        services.add_table_minutes(pairing, 5, owner)


def test_draft_and_closed_round_have_no_clock(event, owner):
    draft = draft_round(event)
    with pytest.raises(services.WrongState, match="a draft"):
        services.add_minutes(draft, 5, owner)
    services.publish_round(draft, owner)
    with pytest.raises(services.WrongState, match="not running"):
        services.pause_clock(draft, owner)
    services.start_round(draft, owner)
    finish_round(draft)

    for change in (services.pause_clock, services.resume_clock):
        with pytest.raises(services.WrongState):
            change(draft, owner)
    with pytest.raises(services.WrongState, match="closed"):
        services.add_table_minutes(table(draft, 1), 5, owner)


def test_unpublished_round_resets_its_clock(event, round_, owner, move_clock):
    move_clock(5)
    services.pause_clock(round_, owner)
    services.add_minutes(round_, 5, owner)
    services.add_table_minutes(table(round_, 1), 3, owner)
    services.unpublish_round(round_, owner, "Wrong pairings")
    move_clock(20)
    services.publish_round(round_, owner)
    services.start_round(round_, owner)

    assert minutes_left(event) == 65
    assert table(round_, 1).extra_minutes == 0


def test_reopened_round_has_the_time_left_at_its_close(event, round_, owner, move_clock):
    move_clock(50)
    finish_round(round_)
    move_clock(80)
    services.reopen_round(round_, owner, "A result was wrong")
    assert minutes_left(event) == 15
    move_clock(85)

    assert minutes_left(event) == 10


def test_round_closed_during_a_pause_reopens_paused(event, round_, owner, move_clock):
    move_clock(50)
    services.pause_clock(round_, owner)
    finish_round(round_)
    move_clock(80)
    services.reopen_round(round_, owner, "A result was wrong")
    move_clock(90)

    assert minutes_left(event) == 15
    services.resume_clock(round_, owner)
    assert minutes_left(event) == 15


def test_reopened_round_without_a_clock_can_be_started(event, owner):
    draft = draft_round(event)
    services.publish_round(draft, owner)
    finish_round(draft)
    services.reopen_round(draft, owner, "A result was wrong")
    assert get_round(event, 1).state == RoundState.PUBLISHED

    services.start_round(draft, owner)

    assert minutes_left(event) == 65


@pytest.mark.check(39)
@pytest.mark.parametrize(
    ("zone", "begins"),
    [
        # Clocks change at 2:00 or 3:00 while the round is in progress.
        (BERLIN, "2026-03-29T01:30"),
        (BERLIN, "2026-10-25T02:30"),
        (SYDNEY, "2026-04-05T02:30"),
        (BERLIN, "2026-12-31T23:30"),
        (BERLIN, "2028-02-28T23:30"),
        (BERLIN, "2028-02-29T23:30"),
    ],
)
def test_round_has_the_same_length_over_midnight_leap_days_and_clock_changes(
    zone: str, begins: str, settings
):
    begin = datetime.fromisoformat(begins).replace(tzinfo=ZoneInfo(zone))
    settings.TIME_ZONE = zone
    with time_machine.travel(begin, tick=False) as traveller:
        event = make_event(4, round_minutes=65, time_zone=zone)
        start_round(event)
        for minutes in (0, 29, 31, 64, 66):
            traveller.move_to(begin.astimezone(UTC) + timedelta(minutes=minutes))
            assert minutes_left(event) == 65 - minutes
