from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.play.conftest import EVENT, account, client, guest, seated
from tests.factories import cuts as make_cuts
from tests.factories import tournaments as make
from tests.factories.pods import make_pods
from tournaments.models import Tournament

TABLE = f"{EVENT}rounds/1/tables/1/"


def post(api: APIClient, action: str, path: str = TABLE, **body: Any) -> Any:
    return api.post(f"{path}{action}/", body, format="json")


def missed(answer: Any) -> list[int]:
    players = answer.json()["players"]
    return [one["player"]["number"] for one in players if one["is_missed"]]


def test_an_opponent_is_missed_and_comes(playing: Tournament):
    one, two = seated(playing)
    phone = guest(one)

    gone = post(phone, "missing", player=two.number)
    here = post(account(two), "came", player=two.number)

    assert missed(gone) == [two.number]
    assert missed(here) == []
    assert missed(client(playing, "judge").get(f"{TABLE}absences/")) == []


def test_who_does_not_come_loses_the_table(playing: Tournament):
    one, two = seated(playing)
    desk = client(playing, "scorekeeper")

    early = post(desk, "no-show")
    post(desk, "missing", player=two.number)
    decided = post(desk, "no-show")

    assert (early.status_code, early.json()["code"]) == (409, "not_missed")
    assert decided.json()["is_told"] is True
    assert make.player_number(playing, two.number).state == "dropped"
    assert one.number in [
        seat["player"]["number"] for seat in APIClient().get(TABLE).json()["seats"]
    ]


def test_others_say_nothing_about_a_table(playing: Tournament):
    one, _ = seated(playing)
    bystander = guest(seated(playing, table=2)[0])

    assert post(bystander, "missing", player=one.number).status_code == 403
    assert post(APIClient(), "missing", player=one.number).status_code == 401
    assert post(client(playing), "missing", player=99).status_code == 400
    assert post(client(playing, "judge"), "no-show").status_code == 403


@pytest.mark.django_db
def test_players_of_a_pod_take_factions_in_turn():
    pods = make_pods(3)
    make.start_round(pods)
    places = {place.number: place for place in seated(pods)}
    opened = APIClient().get(f"{TABLE}factions/").json()
    first, second, _ = (pick["player"]["number"] for pick in opened["picks"])
    faction = opened["offered"][0]["id"]

    early = post(guest(places[second]), "factions", faction=faction)
    taken = post(guest(places[first]), "factions", faction=faction)

    assert opened["is_open"] is True
    assert (early.status_code, early.json()["code"]) == (409, "not_your_turn")
    assert taken.json()["picks"][0]["faction"]["id"] == faction
    assert faction not in [one["id"] for one in taken.json()["offered"]]


@pytest.mark.django_db
def test_the_staff_set_factions_in_any_order():
    pods = make_pods(3)
    make.start_round(pods)
    places = seated(pods)
    desk = client(pods, "scorekeeper")
    chosen = {"player": places[2].number, "faction": "farmers"}

    done = desk.put(f"{TABLE}factions/", {"factions": [chosen]}, format="json")
    unknown = desk.put(
        f"{TABLE}factions/", {"factions": [{**chosen, "faction": "dragons"}]}, format="json"
    )

    picked = {one["player"]["number"]: one["faction"] for one in done.json()["picks"]}
    assert picked[places[2].number]["id"] == "farmers"
    assert unknown.status_code == 400


def test_a_table_without_factions_has_none_to_choose(playing: Tournament):
    one, _ = seated(playing)

    assert APIClient().get(f"{TABLE}factions/").json()["is_open"] is False
    assert post(guest(one), "factions", faction="farmers").json()["code"] == "no_factions_now"


@pytest.mark.django_db
def test_the_higher_seed_chooses_who_begins_as_corp():
    event = make_cuts.event_with_cut(2, players=4, system="single_elimination")
    make.start_round(event)
    path = f"{EVENT}rounds/2/tables/1/"
    role = APIClient().get(f"{path}role/").json()
    chooser = make.player_number(event, role["chooser"]["number"])
    other = next(one for one in seated(event, 2) if one.pk != chooser.pk)

    refused = post(guest(other), "role", path, corp=other.number)
    chosen = post(guest(chooser), "role", path, corp=other.number, seen=None)
    again = post(client(event), "role", path, corp=chooser.number, seen=None)

    assert role["corp"] is None
    assert refused.status_code == 403
    assert chosen.json()["corp"]["number"] == other.number
    assert (again.status_code, again.json()["code"]) == (409, "nothing_to_say")


@pytest.mark.django_db
def test_the_staff_say_who_goes_on_from_a_level_match():
    event = make_cuts.event_with_cut(2, players=4, system="single_elimination")
    round_ = make.start_round(event)
    path = f"{EVENT}rounds/2/tables/1/"
    one, _ = seated(event, 2)
    desk = client(event, "scorekeeper")

    early = post(desk, "advance", path, player=one.number)
    make.enter_result(make.table(round_, 1), make_cuts.LEVEL)
    said = post(desk, "advance", path, player=one.number)

    assert (early.status_code, early.json()["code"]) == (409, "nothing_to_say")
    assert said.json()["goes_on"]["number"] == one.number
    assert post(desk, "advance", path, player=77).status_code == 400
