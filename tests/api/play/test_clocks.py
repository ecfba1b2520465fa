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


def test_the_clock_is_paused_and_goes_on(playing: Tournament):
    desk = client(playing)

    paused = post(desk, "clock/pause/").json()
    moved = post(desk, "clock/resume/", seen=paused["pause_mark"] - 1)
    on = post(desk, "clock/resume/", seen=paused["pause_mark"]).json()

    assert (paused["clock"]["state"], paused["clock"]["ends_at"]) == ("paused", None)
    assert paused["clock"]["left_seconds"] > 0
    assert (moved.status_code, moved.json()["code"]) == (409, "clock_moved")
    assert on["clock"]["state"] == "running"


def test_minutes_asked_for_twice_with_what_was_seen_count_once(playing: Tournament):
    desk = client(playing)

    told = [post(desk, "clock/add/", minutes=5, seen=0).json() for _ in range(2)]
    nothing = post(desk, "clock/add/", minutes=0)
    too_many = post(desk, "clock/add/", minutes=61)

    assert [one["extra_minutes"] for one in told] == [5, 5]
    assert nothing.status_code == too_many.status_code == 400


def test_a_judge_gives_a_table_time_and_not_the_room(playing: Tournament):
    judge = client(playing, "judge")

    told = post(judge, "tables/2/time/", minutes=3, reason="A deck check.").json()

    assert [(one["table"], one["extra_minutes"]) for one in told["tables"]] == [(2, 3)]
    assert post(judge, "clock/add/", minutes=3).status_code == 403
    assert post(client(playing, "scorekeeper"), "tables/2/time/", minutes=3).status_code == 403
    assert post(judge, "tables/9/time/", minutes=3).status_code == 404
