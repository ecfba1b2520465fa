from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, client
from tests.factories import tournaments as make
from tournaments.models import Tournament

LOG = f"{EVENT}log/"


@pytest.fixture
def decided(playing: Tournament) -> Tournament:
    """Table 1 of round 1 has a result."""
    table = make.table(make.get_round(playing, 1), 1)
    make.enter_result(table, make.games_for(table))
    return playing


def entries(api: APIClient, query: str = "") -> list[Any]:
    found: list[Any] = api.get(f"{LOG}{query}").json()["results"]
    return found


def test_the_log_is_read_and_looked_through(decided: Tournament):
    desk = client(decided, "judge")

    everything = entries(desk)
    of_results = entries(desk, "?kind=results")
    about_three = entries(desk, "?player=3")

    assert everything[0]["action"] == "role given"
    assert [one["action"] for one in of_results] == ["result entered"]
    assert of_results[0]["by"]
    assert 0 < len(about_three) < len(everything)
    assert desk.get(f"{LOG}?kind=dragons").status_code == 400
    assert desk.get(f"{LOG}?colour=red").status_code == 400
    assert APIClient().get(LOG).status_code == 401


def test_a_change_is_taken_back_with_the_ability_of_the_change(decided: Tournament):
    desk, judge = client(decided, "scorekeeper"), client(decided, "judge")
    (entry,) = entries(desk, "?kind=results")
    path = f"{LOG}{entry['id']}/undo/"

    plan = desk.get(path).json()
    refused = judge.post(path).status_code
    done = desk.post(path, {"reason": "The wrong table."}, format="json")
    again = desk.post(path)

    assert (entry["can_undo"], plan["impact"]) == (True, None)
    assert refused == 403
    assert done.json()["line"]["undoes"] == entry["id"]
    assert done.json()["line"]["reason"] == "The wrong table."
    assert (again.status_code, desk.get(path).status_code) == (409, 409)
    assert APIClient().get(f"{EVENT}rounds/1/tables/1/").json()["is_settled"] is False


def test_a_draft_stands_in_the_log_of_those_who_run_the_event_alone(four: Tournament):
    make.draft_round(four)
    owner, judge = client(four), client(four, "judge")
    (drafted,) = [one for one in entries(owner) if one["action"] == "round drafted"]

    assert owner.get(f"{LOG}{drafted['id']}/").json()["tables"]
    assert judge.get(f"{LOG}{drafted['id']}/").json()["tables"] == []
    assert [one["round"] for one in owner.get(f"{EVENT}versions/").json()["rounds"]] == [1]
    assert judge.get(f"{EVENT}versions/").json()["rounds"] == []
