"""Results, the clock and the event log over the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from players import services as players
from tests.api.clients import account, client, guest
from tests.api.play.conftest import EVENT, seats, sweep
from tests.factories import tournaments as make
from tournaments.models import Tournament

TABLE = f"{EVENT}rounds/1/tables/1/"


def put(api: APIClient, **body: Any) -> Any:
    return api.put(f"{TABLE}result/", body, format="json")


def post(api: APIClient, action: str, **body: Any) -> Any:
    return api.post(f"{TABLE}{action}/", body, format="json")


def test_report_is_confirmed_by_the_opponent(playing: Tournament):
    ada, bram = seats(playing)
    phone, opponent_phone = guest(ada), account(bram)

    reported = post(phone, "report", result=sweep(ada, bram))
    shown = opponent_phone.get(f"{TABLE}report/").json()
    answer = post(opponent_phone, "confirm", report=shown["reports"][0]["id"])

    assert (reported.status_code, reported.json()["state"]) == (200, "proposed")
    assert shown["reports"][0]["player"]["number"] == ada.number
    assert shown["reports"][0]["result"]["games"] == sweep(ada, bram)["games"]
    assert (answer.status_code, answer.json()["state"]) == (200, "confirmed")
    assert answer.json()["result"]["games"] == sweep(ada, bram)["games"]
    public = APIClient().get(TABLE).json()
    assert [seat["match_points"] for seat in public["seats"]] == [20, 3]


def test_repeated_key_of_a_guest_reports_once(playing: Tournament):
    ada, bram = seats(playing)
    phone, key = APIClient(), {"Idempotency-Key": "our-table"}
    phone.post("/api/v1/claims/", {"secret": players.issue_claim(ada.player)}, format="json")

    def report(api: APIClient) -> Any:
        body = {"result": sweep(ada, bram)}
        return api.post(f"{TABLE}report/", body, "json", headers=key)

    first, repeated, opponent_report = report(phone), report(phone), report(guest(bram))

    assert (first.status_code, first.json()["state"]) == (200, "proposed")
    assert (repeated.headers["Idempotency-Replayed"], repeated.json()) == ("true", first.json())
    # A key counts for its sender only.
    assert "Idempotency-Replayed" not in opponent_report.headers
    assert opponent_report.json()["state"] == "confirmed"


def test_staff_decide_a_disputed_report(playing: Tournament):
    ada, bram = seats(playing)
    report = post(guest(ada), "report", result=sweep(ada, bram)).json()["reports"][0]["id"]
    disputed = post(guest(bram), "dispute", report=report, note="I had 4.")
    desk = client(playing, "scorekeeper")
    shown = desk.get(f"{TABLE}result/").json()

    decided = put(desk, result=sweep(ada, bram, 4), version=shown["version"], note="Both agree.")
    stale = put(desk, result=sweep(ada, bram, 5), version=shown["version"])

    assert disputed.json()["state"] == shown["state"] == "disputed"
    assert shown["reports"][0]["note"] == "I had 4."
    assert (decided.status_code, decided.json()["state"]) == (200, "decided")
    assert decided.json()["told"] == decided.json()["result"]
    assert decided.json()["reports"][-1]["player"] is None
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_version")
    assert set(stale.json()["errors"]) == {"recorded", "entered"}


def test_different_reports_are_compared_by_field(playing: Tournament):
    ada, bram = seats(playing)
    post(guest(ada), "report", result=sweep(ada, bram))
    post(guest(bram), "report", result=sweep(ada, bram, 4))

    comparison = client(playing).get(f"{TABLE}result/").json()

    assert comparison["spoken"] == [ada.number, bram.number]
    differing = [
        (field["game"], field["values"]) for field in comparison["compared"] if field["differs"]
    ]
    assert differing == [(1, ["3", "4"]), (2, ["3", "4"])]


def test_change_of_a_closed_round_requires_its_impact(small_event: Tournament):
    make.play_round(small_event)
    ada, bram = seats(small_event)
    desk = client(small_event)
    version = desk.get(f"{TABLE}result/").json()["version"]
    changed = sweep(bram, ada)
    changed["games"] = [{**game, "corp": None} for game in changed["games"]]
    changed["games"][0]["winner"], changed["games"][1]["winner"] = "runner", "corp"
    for game in changed["games"]:
        points = {"corp": 3, "runner": 3, game["winner"]: 7}
        game.update({f"{role}_agenda_points": value for role, value in points.items()})

    first = put(desk, result=changed, version=version)
    wrong = put(desk, result=changed, version=version, impact_version="another")
    impact = first.json()["errors"]["impact"]
    body = {"result": changed, "version": version, "impact_version": impact["version"]}
    unexplained = put(desk, **body)
    changed_result = put(desk, **body, note="The slip says so.")

    assert (first.status_code, first.json()["code"]) == (409, "impact_not_seen")
    assert {moved["name"] for moved in impact["moved"]} >= {ada.player.name, bram.player.name}
    assert (wrong.status_code, wrong.json()["code"]) == (409, "impact_changed")
    assert (unexplained.status_code, unexplained.json()["code"]) == (409, "reason_missing")
    assert changed_result.status_code == 200
    assert changed_result.json()["result"]["games"][0]["winner"] == "runner"


@pytest.mark.parametrize(
    ("change", "part_name"),
    [
        ({"games": []}, "games"),
        ({"flags": ["two_for_one"]}, "flags"),
        ({"totals": [{"player": 1, "points": 10}, {"player": 2, "points": 10}]}, "totals"),
        ({"victory_points": [{"player": 99, "points": 1}]}, "victory_points"),
    ],
)
def test_invalid_part_of_a_result_is_named(playing: Tournament, change: Any, part_name: str):
    ada, bram = seats(playing)

    answer = put(client(playing), result={**sweep(ada, bram), **change}, version=1)

    assert answer.status_code == 400
    assert part_name in answer.json()["errors"]["result"]


def game(**changes: Any) -> dict[str, Any]:
    points = {"corp_agenda_points": 7, "runner_agenda_points": 3}
    return {"number": 1, "winner": "corp", **points, **changes}


ANR: dict[str, Any] = {"game": "anr", "scoring_rule": "anr_double"}
POINTS = [{"player": 1, "points": 3}, {"player": 1, "points": 100}]


@pytest.mark.parametrize(
    ("settings", "result", "wrong"),
    [
        (
            {},
            {"games": [game(runner_agenda_points=None)]},
            {
                "games": [
                    "Game 1: enter the agenda points of {bram}; 0 if there were none.",
                    "Game 2: choose who won, or Nobody.",
                ]
            },
        ),
        ({}, {"games": [game(), game()]}, {"games": ["Game 1 is listed twice."]}),
        (
            {},
            {"games": [game(end="not_told"), game(number=2)]},
            {
                "games": [
                    '"not_told" is not a valid choice. Choose one of: agenda, bad_publicity, '
                    "concession, decked, flatline, judge, no_show, time."
                ]
            },
        ),
        (
            ANR,
            {"games": [game(), game(number=2)]},
            {
                "games": [
                    f"Game {number}: agenda points do not count here. Remove them."
                    for number in (1, 2)
                ]
            },
        ),
        (ANR, {"totals": POINTS[:1]}, {"totals": ["Enter the match points of {bram} too."]}),
        (
            ANR,
            {"totals": POINTS},
            {
                "totals": [
                    "Player {number} is listed twice.",
                    "The match points of {ada} are a whole number from 0 to 99.",
                ]
            },
        ),
        (
            ANR,
            {"totals": [{"player": 1, "points": 5}, {"player": 2, "points": 5}]},
            {
                "totals": [
                    "5:5 is not a possible score. Possible scores: 6:0, 4:1, 2:2, 3:3, 1:4, 0:6. "
                    "Correct the totals, or enter the games."
                ]
            },
        ),
        (
            {"game": "free_radicals", "scoring_rule": "free_radicals", "system": "pods"},
            {"factions": [{"player": 1, "faction": "dragons"}], "games": [game()]},
            {
                "games": ["Game 1 is not played at this table. Remove it."],
                "factions": [
                    '"dragons" is not a valid choice. Choose one of: adventurers, artisans, '
                    "couriers, entertainers, executives, farmers, hoteliers, merchants, paladins, "
                    "underground."
                ],
            },
        ),
    ],
)
def test_errors_of_a_result_are_sentences(
    db: None, settings: Any, result: Any, wrong: dict[str, list[str]]
):
    event = make.make_event(players=4, **settings)
    make.start_round(event)
    ada, bram, *_ = seats(event)
    numbers = {1: ada.number, 2: bram.number}
    for part_name in ("totals", "factions"):
        for message in result.get(part_name, ()):
            message["player"] = numbers.get(message["player"], message["player"])

    answer = put(client(event), result=result, version=1)

    assert answer.status_code == 400
    names = {"ada": ada.player.name, "bram": bram.player.name, "number": ada.number}
    expected = {
        part_name: [line.format(**names) for line in lines] for part_name, lines in wrong.items()
    }
    assert answer.json()["errors"]["result"] == expected


def test_only_staff_can_swap_the_sides(playing: Tournament):
    ada, bram = seats(playing)
    swapped = sweep(bram, ada)

    refusal = post(guest(ada), "report", result=swapped)
    decided = put(client(playing), result=swapped, version=1)

    assert "the other way round" in refusal.json()["errors"]["result"]["games"][0]
    assert decided.status_code == 200
    assert decided.json()["result"]["games"][0]["corp"] == bram.number


CLOCK = f"{EVENT}rounds/1/clock/"


def test_clock_is_public(playing: Tournament):
    clock = APIClient().get(CLOCK).json()

    assert clock["clock"]["state"] == "running"
    assert clock["clock"]["ends_at"]
    assert clock["clock"]["left_seconds"] is None
    assert clock["minutes"] == playing.round_minutes


def test_repeated_minutes_count_once(playing: Tournament):
    desk = client(playing)

    bodies = [{"minutes": 5, "extra_minutes": 0}] * 2 + [{"minutes": 0}, {"minutes": 61}]
    *added, unchanged, too_many = (
        desk.post(f"{CLOCK}add/", body, format="json") for body in bodies
    )

    assert [answer.json()["extra_minutes"] for answer in added] == [5, 5]
    assert unchanged.status_code == too_many.status_code == 400


LOG = f"{EVENT}log/"


@pytest.fixture
def decided(playing: Tournament) -> Tournament:
    table = make.table(make.get_round(playing, 1), 1)
    make.enter_result(table, make.games_for(table))
    return playing


def entries(api: APIClient, query: str = "") -> list[Any]:
    results: list[Any] = api.get(f"{LOG}{query}").json()["results"]
    return results


def test_log_is_filtered(decided: Tournament):
    desk = client(decided, "judge")

    all_entries = entries(desk)
    of_results = entries(desk, "?kind=results")
    about_three = entries(desk, "?player=3")

    assert all_entries[0]["action"] == "role given"
    assert [entry["action"] for entry in of_results] == ["result entered"]
    assert of_results[0]["by"]
    assert 0 < len(about_three) < len(all_entries)
    assert desk.get(f"{LOG}?kind=dragons").status_code == 400
    assert desk.get(f"{LOG}?colour=red").status_code == 400
    assert APIClient().get(LOG).status_code == 401


def test_only_organisers_see_a_draft_in_the_log(small_event: Tournament):
    make.draft_round(small_event)
    owner, judge = client(small_event), client(small_event, "judge")
    (drafted,) = [entry for entry in entries(owner) if entry["action"] == "round drafted"]

    assert owner.get(f"{LOG}{drafted['id']}/").json()["tables"]
    assert judge.get(f"{LOG}{drafted['id']}/").json()["tables"] == []
