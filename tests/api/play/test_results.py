from typing import Any

import pytest
from rest_framework.test import APIClient

from players import services as players
from tests.api.play.conftest import EVENT, account, client, guest, seated, sweep
from tests.factories import tournaments as make
from tournaments.models import Tournament

TABLE = f"{EVENT}rounds/1/tables/1/"


def put(api: APIClient, **body: Any) -> Any:
    return api.put(f"{TABLE}result/", body, format="json")


def post(api: APIClient, action: str, **body: Any) -> Any:
    return api.post(f"{TABLE}{action}/", body, format="json")


def test_a_report_is_confirmed_by_the_other_player(playing: Tournament):
    one, two = seated(playing)
    mine, theirs = guest(one), account(two)

    told = post(mine, "report", result=sweep(one, two))
    seen = theirs.get(f"{TABLE}report/").json()
    answer = post(theirs, "confirm", report=seen["reports"][0]["id"])

    assert (told.status_code, told.json()["state"]) == (200, "proposed")
    assert seen["reports"][0]["player"]["number"] == one.number
    assert seen["reports"][0]["result"]["games"] == sweep(one, two)["games"]
    assert (answer.status_code, answer.json()["state"]) == (200, "confirmed")
    assert answer.json()["result"]["games"] == sweep(one, two)["games"]
    public = APIClient().get(TABLE).json()
    assert [seat["match_points"] for seat in public["seats"]] == [20, 3]


def test_a_guest_whose_report_is_sent_twice_under_a_key_has_reported_once(playing: Tournament):
    one, two = seated(playing)
    phone, key = APIClient(), {"Idempotency-Key": "our-table"}
    phone.post("/api/v1/claims/", {"secret": players.issue_claim(one.player)}, format="json")

    def told(api: APIClient) -> Any:
        body = {"result": sweep(one, two)}
        return api.post(f"{TABLE}report/", body, "json", headers=key)

    first, again, other = told(phone), told(phone), told(guest(two))

    assert (first.status_code, first.json()["state"]) == (200, "proposed")
    assert (again.headers["Idempotency-Replayed"], again.json()) == ("true", first.json())
    # The same key of somebody else is another one.
    assert "Idempotency-Replayed" not in other.headers
    assert other.json()["state"] == "confirmed"


def test_a_disputed_report_is_decided_by_the_staff(playing: Tournament):
    one, two = seated(playing)
    report = post(guest(one), "report", result=sweep(one, two)).json()["reports"][0]["id"]
    disputed = post(guest(two), "dispute", report=report, note="I had 4.")
    desk = client(playing, "scorekeeper")
    seen = desk.get(f"{TABLE}result/").json()

    decided = put(desk, result=sweep(one, two, 4), seen_version=seen["version"], note="Both agree.")

    assert disputed.json()["state"] == seen["state"] == "disputed"
    assert seen["reports"][0]["note"] == "I had 4."
    assert (decided.status_code, decided.json()["state"]) == (200, "decided")
    assert decided.json()["told"] == decided.json()["result"]
    assert decided.json()["reports"][-1]["player"] is None


def test_two_words_that_differ_are_told_field_by_field(playing: Tournament):
    one, two = seated(playing)
    post(guest(one), "report", result=sweep(one, two))
    post(guest(two), "report", result=sweep(one, two, 4))

    seen = client(playing).get(f"{TABLE}result/").json()

    assert seen["spoken"] == [one.number, two.number]
    differing = [(one["game"], one["values"]) for one in seen["compared"] if one["differs"]]
    assert differing == [(1, ["3", "4"]), (2, ["3", "4"])]


def test_a_decision_on_an_old_version_tells_both_results(playing: Tournament):
    one, two = seated(playing)
    desk = client(playing)
    assert put(desk, result=sweep(one, two), seen_version=1).status_code == 200

    stale = put(desk, result=sweep(one, two, 4), seen_version=1)

    assert (stale.status_code, stale.json()["code"]) == (409, "stale_version")
    assert set(stale.json()["errors"]) == {"recorded", "entered"}


def test_a_closed_round_is_changed_only_by_who_has_seen_what_that_touches(four: Tournament):
    make.play_round(four)
    one, two = seated(four)
    desk = client(four)
    version = desk.get(f"{TABLE}result/").json()["version"]
    changed = sweep(two, one)
    changed["games"] = [{**game, "corp": None} for game in changed["games"]]
    changed["games"][0]["winner"], changed["games"][1]["winner"] = "runner", "corp"
    for game in changed["games"]:
        points = {"corp": 3, "runner": 3, game["winner"]: 7}
        game.update({f"{role}_agenda_points": value for role, value in points.items()})

    first = put(desk, result=changed, seen_version=version)
    wrong = put(desk, result=changed, seen_version=version, seen_impact="another")
    impact = first.json()["errors"]["impact"]
    seen = {"result": changed, "seen_version": version, "seen_impact": impact["mark"]}
    unexplained = put(desk, **seen)
    done = put(desk, **seen, note="The slip says so.")

    assert (first.status_code, first.json()["code"]) == (409, "impact_not_seen")
    assert {moved["name"] for moved in impact["moved"]} >= {one.player.name, two.player.name}
    assert (wrong.status_code, wrong.json()["code"]) == (409, "impact_changed")
    assert (unexplained.status_code, unexplained.json()["code"]) == (409, "reason_missing")
    assert done.status_code == 200
    assert done.json()["result"]["games"][0]["winner"] == "runner"


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"games": []}, "games"),
        ({"flags": ["two_for_one"]}, "flags"),
        ({"totals": [{"player": 1, "points": 10}, {"player": 2, "points": 10}]}, "totals"),
        ({"victory_points": [{"player": 99, "points": 1}]}, "victory_points"),
    ],
)
def test_every_part_that_is_wrong_is_named(playing: Tournament, change: Any, part: str):
    one, two = seated(playing)

    answer = put(client(playing), result={**sweep(one, two), **change}, seen_version=1)

    assert answer.status_code == 400
    assert part in answer.json()["errors"]["result"]


def test_players_tell_roles_as_they_are_seated_and_the_staff_may_swap_them(playing: Tournament):
    one, two = seated(playing)
    swapped = sweep(two, one)

    told = post(guest(one), "report", result=swapped)
    decided = put(client(playing), result=swapped, seen_version=1)

    assert "the other way round" in told.json()["errors"]["result"]["games"][0]
    assert decided.status_code == 200
    assert decided.json()["result"]["games"][0]["corp"] == two.number
