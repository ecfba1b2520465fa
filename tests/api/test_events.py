from datetime import date
from fractions import Fraction

import pytest
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tournaments.models import Tournament
from tournaments.services import events


def names(api: APIClient, query: str = "") -> list[str]:
    return [event["name"] for event in api.get(f"/api/v1/events/{query}").json()["results"]]


def test_the_list_holds_public_events_only(api: APIClient):
    for visibility in ("public", "unlisted", "private"):
        make.make_event(0, name=visibility.title(), visibility=visibility)

    assert names(api) == ["Public"]


def test_events_are_narrowed_by_day_and_by_being_over(api: APIClient):
    for month in (4, 5, 6):
        make.make_event(0, name=f"Run {month}", starts_on=date(2026, month, 1))
    over = make.make_event(2, name="Over", starts_on=date(2026, 5, 9))
    make.play_round(over)
    events.finish(over, make.owner_of(over))

    assert names(api, "?starts_on_after=2026-05-01") == ["Run 6", "Over", "Run 5"]
    assert names(api, "?starts_on_after=2026-05-01&starts_on_before=2026-05-08") == ["Run 5"]
    assert names(api, "?finished=true") == ["Over"]
    assert names(api, "?finished=false&ordering=-name") == ["Run 6", "Run 5", "Run 4"]
    assert names(api, "?game=anr") == []


def test_an_event_tells_its_rules(api: APIClient, event: Tournament):
    told = api.get("/api/v1/events/spring-run/").json()

    assert told["name"] == "Spring Run"
    assert told["player_count"] == 7
    assert told["current_round"] == 2
    assert told["scoring_rule"] == "onr_runner_only"
    assert [breaker["id"] for breaker in told["tie_breakers"]] == [
        "match_points",
        "manual_seed",
        "strength_of_schedule",
        "extended_strength_of_schedule",
        "lot",
    ]
    assert "join_code" not in told
    assert "seed" not in told


def test_the_current_round_is_none_while_the_first_is_a_draft(api: APIClient):
    tournament = make.make_event(4, name="Autumn Run")
    make.draft_round(tournament)

    assert api.get("/api/v1/events/autumn-run/").json()["current_round"] is None


def test_players_go_by_their_number(api: APIClient, event: Tournament):
    players = api.get("/api/v1/events/spring-run/players/").json()["results"]

    assert [player["number"] for player in players] == [1, 2, 3, 4, 5, 6, 7]
    assert players[0] == {
        "number": 1,
        "name": "Ada",
        "pronouns": "",
        "state": "checked_in",
        "joined_in_round": 1,
    }


def test_standings_are_exact_and_have_nine_digits(api: APIClient, event: Tournament):
    rows = api.get("/api/v1/events/spring-run/standings/").json()["results"]

    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert {row["after_round"] for row in rows} == {1}
    for row in rows:
        assert row["tie_breakers"]["manual_seed"] is None
        points = row["tie_breakers"]["match_points"]
        assert points == {
            "exact": f"{row['match_points']}/1",
            "decimal": f"{row['match_points']}.000000000",
        }
        strength = row["tie_breakers"]["strength_of_schedule"]
        difference = Fraction(strength["exact"]) - Fraction(strength["decimal"])
        assert abs(difference) <= Fraction(1, 2 * 10**9)


def test_standings_of_a_round_can_be_read_again(api: APIClient, event: Tournament):
    first = api.get("/api/v1/events/spring-run/standings/?round=1").json()
    round_ = make.get_round(event, 2)
    for pairing in make.tables_of(round_)[1:]:
        make.enter_result(pairing, make.games_for(pairing))
    make.close_round(round_)

    assert api.get("/api/v1/events/spring-run/standings/?round=1").json() == first
    last = api.get("/api/v1/events/spring-run/standings/").json()["results"]
    assert {row["after_round"] for row in last} == {2}


@pytest.mark.parametrize("typed", ["2", "0", "-1", "one", "", "999999999999999999999"])
def test_standings_of_a_round_that_is_not_closed_are_refused(
    api: APIClient, event: Tournament, typed: str
):
    answer = api.get("/api/v1/events/spring-run/standings/", {"round": typed})

    assert answer.status_code == 400
    assert answer.json()["errors"]["round"] == ["There are standings after these rounds: 1."]


def test_before_the_first_round_there_are_no_standings(api: APIClient):
    make.make_event(4, name="Autumn Run")

    assert api.get("/api/v1/events/autumn-run/standings/").json()["results"] == []
    refused = api.get("/api/v1/events/autumn-run/standings/?round=1").json()
    assert refused["errors"]["round"] == ["There are no standings yet: no round is closed."]
