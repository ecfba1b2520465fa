"""Results sent from a page that was made for other seats."""

import re

import pytest
from django.test import Client

from players.models import User
from tests.factories.cuts import event_with_cut, make_cut, seed
from tests.factories.tournaments import make_event, owner_of, start_round, sweep, table
from tests.tournaments.services.draft_talk import redraw, seats
from tests.tournaments.views.pages import text_of, url
from tests.tournaments.views.staff.conftest import HTMX, path
from tests.tournaments.views.staff.telling import points, typed
from tournaments.actors import NOBODY
from tournaments.models import Tournament
from tournaments.services import cuts, results


@pytest.fixture
def event(owner: User) -> Tournament:
    return make_event(players=8, owner=owner)


def seated(answer, prefix: str = "") -> dict[str, str]:
    found = re.search(rf'name="{prefix}seated" value="([\d-]+)"', answer.content.decode())
    assert found is not None
    return {f"{prefix}seated": found[1]}


def test_a_row_typed_for_players_who_sit_elsewhere_now_is_not_recorded(
    desk: Client, event: Tournament
):
    round_ = start_round(event)
    page = desk.get(path(event, "rounds/1/results/"))
    before = seats(table(round_, 1))
    again = redraw(round_, reason="A player came late", keep=[])
    assert seats(table(again, 1)) != before

    row = {**typed(table(again, 1), "t1-"), **seated(page, "t1-")}
    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), row, headers=HTMX)

    assert answer.status_code == 422
    assert "seats of this table were changed" in text_of(answer)
    assert "t1-forced" not in answer.content.decode()
    assert points(table(again, 1)) == [None, None]
    desk.post(path(event, "rounds/1/tables/1/enter/"), {**row, **seated(answer, "t1-")})
    assert points(table(again, 1)) == [20, 3]


def test_a_decision_made_before_the_roles_were_chosen_is_not_recorded(
    desk: Client, event: Tournament
):
    make_cut(event, 4)
    round_ = start_round(event)
    pairing = table(round_, 1)
    place = path(event, f"rounds/{round_.number}/tables/1/decide/")
    page = desk.get(place)
    cuts.choose_corp(pairing, seed(event, 4), owner_of(event))

    answer = desk.post(place, {**typed(pairing), **seated(page)})

    assert answer.status_code == 422
    assert points(table(round_, 1)) == [None, None]


def test_a_player_is_asked_again_when_the_seats_were_swapped_meanwhile(phone_of):
    event = event_with_cut(4)
    round_ = start_round(event)
    phone = phone_of(seed(event, 1))
    place = url("report", event, round_.number, 1)
    page = phone.get(place)
    cuts.choose_corp(table(round_, 1), seed(event, 4), owner_of(event))

    told = {"game_1_winner": "1", "game_1_points_2": "3", "game_2_winner": "1"}
    answer = phone.post(place, {**told, "game_2_points_2": "0", **seated(page)})

    assert "seats of this table were changed" in text_of(answer)
    assert table(round_, 1).match.state == "open"


def test_a_result_for_a_table_that_is_gone_is_refused_in_words(event: Tournament):
    round_ = start_round(event)
    pairing = table(round_, 1)
    seat = pairing.match.seats.get(position=1)
    redraw(round_, reason="A player came late", keep=[])

    with pytest.raises(results.NotPlayable, match="made anew"):
        results.report(pairing, seat, sweep(1), NOBODY)
    with pytest.raises(results.NotPlayable, match="made anew"):
        results.decide(pairing, sweep(1), owner_of(event), seen_version=1)
