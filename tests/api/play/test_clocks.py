from typing import Any

from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, client
from tournaments.models import Tournament

CLOCK = f"{EVENT}rounds/1/clock/"


def post(api: APIClient, path: str, **body: Any) -> Any:
    return api.post(f"{EVENT}rounds/1/{path}", body, format="json")


def test_everybody_reads_when_the_clock_ends(playing: Tournament):
    clock = APIClient().get(CLOCK).json()

    assert clock["clock"]["state"] == "running"
    assert clock["clock"]["ends_at"]
    assert clock["clock"]["left_seconds"] is None
    assert clock["minutes"] == playing.round_minutes


def test_minutes_asked_for_twice_with_what_was_seen_count_once(playing: Tournament):
    desk = client(playing)

    told = [post(desk, "clock/add/", minutes=5, seen=0).json() for _ in range(2)]
    nothing = post(desk, "clock/add/", minutes=0)
    too_many = post(desk, "clock/add/", minutes=61)

    assert [one["extra_minutes"] for one in told] == [5, 5]
    assert nothing.status_code == too_many.status_code == 400
