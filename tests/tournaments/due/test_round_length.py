"""A round is as long as its minutes, whatever the clocks of a time zone do."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from tests.factories.tournaments import get_round, make_event, start_round
from tournaments import queries
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.check(39)]

MINUTES = 65
BERLIN, SYDNEY = "Europe/Berlin", "Australia/Sydney"


def left(event: Tournament) -> timedelta:
    return queries.clock_of(get_round(event, 1)).left(datetime.now(UTC))


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
