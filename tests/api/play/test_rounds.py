"""Rounds, drafts, cuts and brackets over the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from players.models import Player
from tests.api.clients import client
from tests.api.play.conftest import EVENT, seats
from tests.factories import cuts as make_cuts
from tests.factories import tournaments as make
from tournaments.models import Tournament

ROUNDS = f"{EVENT}rounds/"
DRAFT = f"{ROUNDS}1/draft/"


def post(api: APIClient, path: str, **body: Any) -> Any:
    return api.post(f"{ROUNDS}{path}", body, format="json")


def seats_of(draft: Any) -> list[list[int]]:
    return [[seat["player"]["number"] for seat in row["seats"]] for row in draft["tables"]]


def test_draft_shows_reasons_costs_and_its_certificate(small_event: Tournament):
    make.draft_round(small_event)

    draft = client(small_event, "organiser").get(DRAFT).json()

    assert sorted(number for row in seats_of(draft) for number in row) == [1, 2, 3, 4]
    row = draft["tables"][0]
    assert row["reasons"]
    assert set(row["parts"])
    assert [seat["role"] for seat in row["seats"]] == ["corp", "runner"]
    assert {fact["name"] for fact in draft["certificate"]} >= {"Seed", "Engine version"}
    assert draft["can_be_published"] is True
    keeper = client(small_event, "scorekeeper")
    assert keeper.get(DRAFT).status_code == 403
    assert keeper.get(f"{ROUNDS}1/tables/1/result/").status_code == 404


def test_swap_that_breaks_a_rule_requires_confirmation(small_event: Tournament):
    make.play_round(small_event)
    make.draft_round(small_event)
    desk = client(small_event)
    path = "2/draft/swap/"
    before = desk.get(f"{ROUNDS}2/draft/").json()
    paired = [seat["player"]["number"] for seat in _seats(small_event, 1)]
    (first, second) = paired
    partner = next(row for row in seats_of(before) if second in row)
    partner_opponent = next(number for number in partner if number != second)

    unconfirmed = post(desk, path, one=first, other=partner_opponent, version=before["version"])
    swapped = post(
        desk, path, one=first, other=partner_opponent, version=before["version"], confirmed=True
    )
    stale = post(
        desk, path, one=first, other=partner_opponent, version=before["version"], confirmed=True
    )

    assert (unconfirmed.status_code, unconfirmed.json()["code"]) == (409, "wants_confirmation")
    assert unconfirmed.json()["errors"]["broken"]
    assert swapped.status_code == 200
    assert any({first, second} == set(row) for row in seats_of(swapped.json()))
    assert any(row["made_by_hand"] and row["warnings"] for row in swapped.json()["tables"])
    assert (stale.status_code, stale.json()["code"]) == (409, "draft_has_changed")


def _seats(event: Tournament, number: int) -> Any:
    return APIClient().get(f"{ROUNDS}{number}/").json()["pairings"][0]["seats"]


SECOND = f"{EVENT}rounds/2/draft/"
ODD = "O'B <b>&amp;"


def give_odd_names(event: Tournament) -> None:
    for registration in event.registrations.all():
        Player.objects.filter(pk=registration.player_id).update(name=f"{ODD} {registration.number}")


def sentences(draft: Any) -> list[str]:
    rows = [*draft["tables"], *draft["byes"]]
    return [text for row in rows for text in (*row["reasons"], *row["warnings"])]


def partner_of(draft: Any, number: int) -> int:
    rows = [[seat["player"]["number"] for seat in row["seats"]] for row in draft["tables"]]
    table: list[int] = next(numbers for numbers in rows if number in numbers)
    return next(opponent_number for opponent_number in table if opponent_number != number)


def test_reasons_and_warnings_are_plain_text():
    event = make.make_event(players=5)
    give_odd_names(event)
    make.play_round(event)
    make.draft_round(event)
    desk, seated = client(event), [registration.number for registration in seats(event)]

    draft = desk.get(SECOND).json()
    by_hand = {"tables": [{"table": 1, "seats": seated}]}
    hand = desk.put(f"{SECOND}by-hand/", by_hand, format="json").json()["errors"]
    swap_body = {"one": seated[1], "other": partner_of(draft, seated[0])}
    swap = desk.post(f"{SECOND}swap/", swap_body, format="json").json()["errors"]

    for texts in (sentences(draft), hand["warnings"], swap["broken"]):
        assert any(ODD in text for text in texts)
        assert not set("<>&") & set("".join(texts).replace(ODD, ""))


CUT = f"{EVENT}cut/"


@pytest.fixture
def played(db: None) -> Tournament:
    """Eight players, one round closed."""
    event = make.make_event(players=8)
    make.play_round(event)
    return make.fresh(event)


def make_cut(api: APIClient, players: list[int], **body: Any) -> Any:
    body.setdefault("system", "single_elimination")
    return api.post(CUT, {"players": players, **body}, format="json")


def test_cut_is_made_declined_and_undone(played: Tournament):
    desk = client(played)
    candidates = desk.get(f"{CUT}candidates/").json()
    top_seeds = [player["number"] for player in candidates["players"]]

    cut_data = make_cut(desk, top_seeds[:4])
    declined = desk.post(f"{CUT}decline/", {"number": top_seeds[1], "reason": "Ill"}, format="json")

    assert candidates["usual_size"] == 4
    assert cut_data.status_code == 201
    assert [seed["player"]["number"] for seed in cut_data.json()["seeds"]] == top_seeds[:4]
    assert cut_data.json()["next_in"]["number"] == top_seeds[4]
    seeds = [seed["player"]["number"] for seed in declined.json()["seeds"]]
    assert seeds == [top_seeds[0], top_seeds[2], top_seeds[3], top_seeds[4]]
    assert APIClient().get(f"{EVENT}bracket/").json()["games"] == []
    assert desk.delete(CUT).status_code == 204
    assert desk.get(CUT).status_code == desk.delete(CUT).status_code == 404


def test_bracket_is_public_once_its_round_is_published(played: Tournament):
    make_cuts.make_cut(played, 4, system="single_elimination")
    make_cuts.play_cut_round(played, [1, 2])

    bracket = APIClient().get(f"{EVENT}bracket/").json()

    first, second, final = bracket["games"]
    assert [game["state"] for game in (first, second, final)] == ["over", "over", "ready"]
    assert (first["round"], final["round"]) == (2, None)
    assert [seat["has_won"] for seat in first["seats"]].count(True) == 1
    assert [line["rank"] for line in bracket["placings"]] == list(range(1, 9))
    public = client(played).post(f"{CUT}decline/", {"number": 1, "reason": "Ill"}, format="json")
    assert (public.status_code, public.json()["code"]) == (409, "cut_is_public")
