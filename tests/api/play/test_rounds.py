from typing import Any

from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, client
from tests.factories import tournaments as make
from tournaments import tasks
from tournaments.models import Tournament

ROUNDS = f"{EVENT}rounds/"
DRAFT = f"{ROUNDS}1/draft/"


def pair(api: APIClient, **body: Any) -> Any:
    """Ask for a round, and do the work of its job."""
    answer = api.post(ROUNDS, body, format="json")
    if answer.status_code == 202:
        tasks.pair_round(answer.json()["job"]["id"])
    return answer


def post(api: APIClient, path: str, **body: Any) -> Any:
    return api.post(f"{ROUNDS}{path}", body, format="json")


def seats_of(draft: Any) -> list[list[int]]:
    return [[seat["player"]["number"] for seat in row["seats"]] for row in draft["tables"]]


def test_a_round_goes_from_its_pairing_to_its_close(four: Tournament):
    desk = client(four)

    asked = pair(desk).json()
    job = desk.get(f"{EVENT}jobs/{asked['job']['id']}/").json()
    draft = desk.get(DRAFT).json()
    hidden = APIClient().get(f"{ROUNDS}1/").status_code
    published = post(desk, "1/publish/", seen=draft["seen"])
    running = post(desk, "1/start/")
    early = post(desk, "1/close/")
    for table in make.tables_of(make.get_round(four, 1)):
        make.enter_result(table, make.games_for(table))
    closed = post(desk, "1/close/")

    assert asked["number"] == 1
    assert (job["state"], job["round"]["state"]) == ("done", "draft")
    assert job["round"]["url"].endswith(DRAFT)
    assert hidden == 404
    assert [one.json()["state"] for one in (published, running, closed)] == [
        "published",
        "running",
        "closed",
    ]
    assert (early.status_code, early.json()["code"]) == (409, "results_missing")
    assert post(desk, "1/reopen/", reason="A wrong result.").json()["state"] == "running"


def test_a_draft_tells_reasons_costs_and_its_certificate(four: Tournament):
    make.draft_round(four)

    draft = client(four, "organiser").get(DRAFT).json()

    assert sorted(number for row in seats_of(draft) for number in row) == [1, 2, 3, 4]
    row = draft["tables"][0]
    assert row["reasons"]
    assert set(row["parts"])
    assert [seat["role"] for seat in row["seats"]] == ["corp", "runner"]
    assert {one["name"] for one in draft["certificate"]} >= {"Seed", "Engine version"}
    assert draft["can_be_published"] is True


def test_a_draft_is_for_those_who_run_the_event(four: Tournament):
    make.draft_round(four)

    assert APIClient().get(DRAFT).status_code == 401
    for role in ("judge", "scorekeeper", ""):
        assert client(four, role).get(DRAFT).status_code == 403
    assert client(four, "scorekeeper").get(f"{ROUNDS}1/tables/1/result/").status_code == 404


def test_a_swap_that_breaks_something_wants_a_second_yes(four: Tournament):
    make.play_round(four)
    make.draft_round(four)
    desk = client(four)
    path = "2/draft/swap/"
    before = desk.get(f"{ROUNDS}2/draft/").json()
    met = [seat["player"]["number"] for seat in _seats(four, 1)]
    (first, second) = met
    partner = next(row for row in seats_of(before) if second in row)
    other = next(number for number in partner if number != second)

    asked = post(desk, path, one=first, other=other, seen=before["seen"])
    done = post(desk, path, one=first, other=other, seen=before["seen"], confirmed=True)
    stale = post(desk, path, one=first, other=other, seen=before["seen"], confirmed=True)

    assert (asked.status_code, asked.json()["code"]) == (409, "wants_confirmation")
    assert asked.json()["errors"]["broken"]
    assert done.status_code == 200
    assert any({first, second} == set(row) for row in seats_of(done.json()))
    assert any(row["made_by_hand"] and row["warnings"] for row in done.json()["tables"])
    assert (stale.status_code, stale.json()["code"]) == (409, "draft_has_changed")


def _seats(event: Tournament, number: int) -> Any:
    return APIClient().get(f"{ROUNDS}{number}/").json()["pairings"][0]["seats"]


def test_a_published_round_is_taken_back_until_a_result_is_in(playing: Tournament):
    desk = client(playing)
    table = make.table(make.get_round(playing, 1), 1)

    missing = post(desk, "1/unpublish/")
    back = post(desk, "1/unpublish/", reason="Wrong room.")
    post(desk, "1/publish/")
    make.enter_result(table, make.games_for(table))
    refused = post(desk, "1/unpublish/", reason="Once more.")

    assert missing.status_code == 400
    assert back.json()["number"] == 1
    assert (refused.status_code, refused.json()["code"]) == (409, "results_are_in")
