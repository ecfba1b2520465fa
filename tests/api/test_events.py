"""Events and standings over the API: contents, ETags and visibility."""

from datetime import date
from fractions import Fraction

import pytest
from rest_framework.test import APIClient

from players import services as players
from tests.api.clients import account, client
from tests.api.routes import ADDRESSES
from tests.factories import tournaments as make
from tournaments.models import StaffRole, Tournament
from tournaments.settings import services as settings_services


def names(api: APIClient, query: str = "") -> list[str]:
    return [event["name"] for event in api.get(f"/api/v1/events/{query}").json()["results"]]


def test_list_has_public_events_only(api: APIClient):
    for visibility in ("public", "unlisted", "private"):
        make.make_event(0, name=visibility.title(), visibility=visibility)

    assert names(api) == ["Public"]


def test_events_are_filtered(api: APIClient):
    for month in (4, 5, 6):
        make.make_event(0, name=f"Run {month}", starts_on=date(2026, month, 1))
    over = make.make_event(2, name="Over", starts_on=date(2026, 5, 9))
    make.play_round(over)
    settings_services.finish_event(over, make.owner_of(over))

    assert names(api, "?starts_on_after=2026-05-01") == ["Run 6", "Over", "Run 5"]
    assert names(api, "?starts_on_after=2026-05-01&starts_on_before=2026-05-08") == ["Run 5"]
    assert names(api, "?finished=true") == ["Over"]
    assert names(api, "?finished=false&ordering=-name") == ["Run 6", "Run 5", "Run 4"]
    assert names(api, "?game=anr") == []


def test_event_shows_its_rules(api: APIClient, event: Tournament):
    body = api.get("/api/v1/events/spring-run/").json()

    assert body["name"] == "Spring Run"
    assert body["player_count"] == 7
    assert body["current_round"] == 2
    assert body["scoring_rule"] == "onr_runner_only"
    assert [breaker["id"] for breaker in body["tie_breakers"]] == [
        "match_points",
        "manual_seed",
        "strength_of_schedule",
        "extended_strength_of_schedule",
        "lot",
    ]
    assert body["system"] == event.stages.get().system
    assert body["deck_rules"]["runner_minimum"] == 45
    assert "join_code" not in body
    assert "seed" not in body


def test_current_round_is_null_while_round_1_is_a_draft(api: APIClient):
    tournament = make.make_event(4, name="Autumn Run")
    make.draft_round(tournament)

    assert api.get("/api/v1/events/autumn-run/").json()["current_round"] is None


def test_players_are_listed_by_number(api: APIClient, event: Tournament):
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


def test_standings_of_an_earlier_round_can_be_read(api: APIClient, event: Tournament):
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


def test_no_standings_exist_before_round_1(api: APIClient):
    make.make_event(4, name="Autumn Run")

    empty = api.get("/api/v1/events/autumn-run/standings/").json()
    assert empty["results"] == []
    assert empty["why_empty"].startswith("No round is published yet.")
    refused = api.get("/api/v1/events/autumn-run/standings/?round=1").json()
    assert refused["errors"]["round"] == ["There are no standings yet: no round is closed."]


def test_empty_standings_say_that_round_1_is_open(api: APIClient):
    make.start_round(make.make_event(4, name="Autumn Run"))

    why = api.get("/api/v1/events/autumn-run/standings/").json()["why_empty"]

    assert why == "Round 1 is not closed yet. The first standings appear when it is."


def test_filled_standings_give_no_reason_for_being_empty(api: APIClient, event: Tournament):
    assert api.get("/api/v1/events/spring-run/standings/").json()["why_empty"] is None


def test_unchanged_response_is_a_304(api: APIClient, event: Tournament, library: None):
    for address in ADDRESSES:
        first = api.get(address)
        repeated = api.get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])

        assert first.status_code == 200, address
        assert "no-cache" in first.headers["Cache-Control"], address
        assert (repeated.status_code, repeated.content) == (304, b""), address
        assert repeated.headers["ETag"] == first.headers["ETag"]


def test_each_page_of_a_list_has_its_own_etag(api: APIClient, event: Tournament):
    address = "/api/v1/events/spring-run/players/?page_size=3"
    etags = {api.get(f"{address}&page={page}").headers["ETag"] for page in (1, 2, 3)}

    assert len(etags) == 3


BELOW_EVENTS = [address for address in ADDRESSES if address.startswith("/api/v1/events/spring")]


def hide(event: Tournament, visibility: str) -> None:
    Tournament.objects.filter(pk=event.pk).update(visibility=visibility)


@pytest.mark.check(1)
def test_private_event_is_visible_to_staff_and_players_only(api: APIClient, event: Tournament):
    stranger, judge = client(event, ""), client(event, StaffRole.JUDGE)
    player = account(make.player_number(event, 1))

    for address in BELOW_EVENTS:
        hide(event, "unlisted")
        assert api.get(address).status_code == 200, address
        hide(event, "private")
        answers = [reader.get(address) for reader in (api, stranger, judge, player)]
        assert [answer.status_code for answer in answers] == [404, 404, 200, 200], address
        assert all("private" in answer.headers["Cache-Control"] for answer in answers[2:])


@pytest.mark.check(1)
def test_guest_reads_a_private_event_with_the_session(api: APIClient, event: Tournament):
    hide(event, "private")
    secret = players.issue_claim(make.player_number(event, 1).player)
    assert api.get("/api/v1/events/spring-run/").status_code == 404

    api.get(f"/claim/{secret}/")
    api.post("/claim/")

    assert api.get("/api/v1/events/spring-run/").status_code == 200


@pytest.mark.check(1)
def test_etag_does_not_open_a_private_event(api: APIClient, event: Tournament):
    etag = api.get("/api/v1/events/spring-run/").headers["ETag"]
    hide(event, "private")

    assert api.get("/api/v1/events/spring-run/", HTTP_IF_NONE_MATCH=etag).status_code == 404
