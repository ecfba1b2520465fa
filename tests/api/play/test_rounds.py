from typing import Any

from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, client
from tests.factories import tournaments as make
from tournaments import queries, tasks
from tournaments.models import Job, Tournament
from tournaments.services import registrations

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


def test_a_pairing_sent_twice_is_one_job(four: Tournament):
    desk = client(four)

    first, again = (
        desk.post(ROUNDS, {}, format="json", headers={"Idempotency-Key": "pair-1"})
        for _ in range(2)
    )
    named = desk.post(ROUNDS, {"number": 1}, format="json")

    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert named.json()["job"]["id"] == first.json()["job"]["id"]
    assert Job.objects.filter(kind="pair_round").count() == 1


def test_a_round_without_players_is_refused(db: None):
    event = make.make_event(players=1)

    answer = pair(client(event))

    assert (answer.status_code, answer.json()["code"]) == (409, "not_enough_players")


def test_the_next_round_is_paired_without_results_for_a_reason(playing: Tournament):
    desk = client(playing)

    refused = pair(desk)
    forced = pair(desk, force_reason="The hall closes.")

    assert (refused.status_code, refused.json()["code"]) == (409, "round_still_open")
    assert (forced.status_code, forced.json()["number"]) == (202, 2)
    assert make.get_round(playing, 1).is_closed
    late = desk.get(f"{EVENT}desk/").json()["late_tables"]
    assert [one["table"] for one in late] == [1, 2]


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


def test_a_locked_table_stays_when_the_rest_is_paired_anew(four: Tournament):
    make.draft_round(four)
    desk = client(four)
    kept = seats_of(desk.get(DRAFT).json())[0]

    locked = post(desk, "1/draft/lock/", table=1, locked=True)
    asked = post(desk, "1/draft/rest/")
    tasks.pair_round(asked.json()["job"]["id"])

    assert [row["is_locked"] for row in locked.json()["tables"]] == [True, False]
    assert asked.status_code == 202
    assert seats_of(desk.get(DRAFT).json())[0] == kept
    both = post(desk, "1/draft/lock/", table=1, bye=1, locked=True)
    assert both.status_code == 400
    assert post(desk, "1/draft/lock/", table=9, locked=True).status_code == 400


def test_open_tables_of_a_published_round_are_paired_anew_for_a_reason(playing: Tournament):
    desk = client(playing)
    make.enter_result(
        make.table(make.get_round(playing, 1), 1),
        make.games_for(make.table(make.get_round(playing, 1), 1)),
    )
    make.add_players(playing, 1)

    silent = post(desk, "1/draft/rest/", keep_tables=[])
    unknown = post(desk, "1/draft/rest/", reason="Somebody came.", keep_tables=[7])
    asked = post(desk, "1/draft/rest/", reason="Somebody came.", keep_tables=[])

    assert (silent.status_code, silent.json()["code"]) == (409, "reason_missing")
    assert unknown.status_code == 400
    assert asked.status_code == 202


def test_a_round_is_paired_by_hand(four: Tournament):
    make.draft_round(four)
    desk = client(four)
    path = f"{DRAFT}by-hand/"
    tables = [{"table": 1, "seats": [4, 1]}, {"table": 2, "seats": [2, 3]}]

    lonely = desk.put(path, {"tables": [{"table": 1, "seats": [4, 1]}]}, format="json")
    stranger = desk.put(path, {"tables": [{"table": 1, "seats": [4, 77]}]}, format="json")
    twice = desk.put(
        path,
        {"tables": [{"table": 1, "seats": [1, 1]}, {"table": 1, "seats": [1, 2, 3]}]}
        | {"confirmed": True},
        format="json",
    )
    done = desk.put(path, {"tables": tables}, format="json")

    assert (lonely.status_code, lonely.json()["code"]) == (409, "wants_confirmation")
    assert lonely.json()["errors"]["warnings"]
    assert (stranger.status_code, set(stranger.json()["errors"])) == (400, {"tables"})
    assert (twice.status_code, twice.json()["code"]) == (409, "not_by_seats")
    assert seats_of(done.json()) == [[4, 1], [2, 3]]


def test_latecomers_keep_a_draft_from_being_published_unless_they_are_left_out(four: Tournament):
    make.draft_round(four)
    make.add_players(four, 1)
    desk = client(four)

    draft = desk.get(DRAFT).json()
    old = post(desk, "1/publish/", seen=draft["seen"])
    without = post(desk, "1/publish/", leave_out_latecomers=True)

    assert [one["number"] for one in draft["arrived"]] == [5]
    assert (old.status_code, old.json()["code"]) == (409, "draft_is_old")
    assert without.status_code == 200


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


def test_a_draft_is_thrown_away(four: Tournament):
    make.draft_round(four)
    desk = client(four)

    assert desk.delete(DRAFT).status_code == 204
    assert desk.get(DRAFT).status_code == desk.delete(DRAFT).status_code == 404
    assert not queries.rounds(four).exists()


def test_a_failed_job_says_why_and_is_tried_again(four: Tournament):
    job = Job.objects.get(pk=pair(client(four)).json()["job"]["id"])
    Job.objects.filter(pk=job.pk).update(state="failed", error="Out of luck.")
    path = f"{EVENT}jobs/{job.pk}/"

    told = client(four, "judge").get(path).json()
    why = client(four).get(path).json()["error"]
    listed = client(four, "judge").get(f"{EVENT}jobs/").json()["results"]
    refused = client(four, "scorekeeper").post(f"{path}retry/").status_code
    retried = client(four).post(f"{path}retry/").json()

    assert why == "Out of luck."
    assert (told["error"], told["round"]) == ("Whoever runs the event sees why.", None)
    assert job.pk in [one["id"] for one in listed]
    assert refused == 403
    assert retried["error"] == ""


def test_players_who_left_are_named_by_an_old_draft(four: Tournament):
    make.draft_round(four)
    registrations.drop(make.player_number(four, 4), make.owner_of(four))

    draft = client(four).get(DRAFT).json()

    assert [one["number"] for one in draft["gone"]] == [4]
    assert draft["can_be_published"] is False
