"""Printouts and result slips: what stands on them, for whom, at how many queries."""

from typing import TypeVar

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from decks.models import Side
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import url
from tournaments import tasks
from tournaments.decklists import services as decklists_services
from tournaments.displays.pages import SLIPS_PER_PAGE, cutting_order, result_slips
from tournaments.event.permissions import Actor
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.results.pages import open_results
from tournaments.rounds import draft_changes

STAFF_PRINTOUTS = (
    "paper",
    "print_roster",
    "print_open",
    "print_decks",
    "blank_slips",
    "meeting_paper",
)
Item = TypeVar("Item")


def printout(event: Tournament, name: str, *args: object, query: str = "") -> str:
    answer = desk_of(event).get(url(name, event, *args) + query)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("name", STAFF_PRINTOUTS)
def test_every_printout_is_there_for_an_event_without_anybody(name: str):
    assert "paper" in printout(make_event(players=0), name)


def test_the_list_of_printouts_offers_what_there_is(event: Tournament):
    before = printout(event, "paper")
    play_round(event)
    start_round(event)
    after = printout(event, "paper")

    assert "once a round is published" in before
    assert url("slips", event, 2) in after
    assert url("print_pairings", event, 1) in after
    assert url("print_standings", event) in after


def test_pairings_are_printed_by_name_or_by_table_or_both(client: Client, event: Tournament):
    start_round(event)
    address = url("print_pairings", event, 1)

    by_name, by_table = "Pairings of round 1 by name", "Pairings of round 1 by table"
    assert by_name in client.get(address).text
    assert by_table in client.get(address).text
    assert by_table not in client.get(f"{address}?by=name").text
    assert by_name not in client.get(f"{address}?by=table").text


@pytest.mark.parametrize("name", ["print_pairings", "slips"])
def test_a_printout_says_event_round_and_time_of_printing(name: str):
    event = make_event(players=4, time_zone="Asia/Tokyo")
    start_round(event)

    page = printout(event, name, 1)

    assert "Round 1" in page
    assert "<bdi>Spring Run</bdi>" in page
    assert 'data-printed="Asia/Tokyo"' in page


def test_the_check_in_list_ticks_who_is_here_and_leaves_out_who_has_left():
    event = make_event(players=3)
    registration_services.undo_check_in(player_number(event, 2), owner_of(event))
    registration_services.drop_player(player_number(event, 3), owner_of(event))

    page = printout(event, "print_roster")

    assert page.count("paper-box--ticked") == 1
    assert [f"<bdi>{name}</bdi>" in page for name in ("Ada", "Bo", "Cy")] == [True, True, False]


def test_the_seats_of_the_meeting_are_printed_by_name_and_by_table():
    event = make_event(players=3)
    registration_services.seat_meeting(event, owner_of(event), seats=2)

    page = printout(event, "meeting_paper")

    assert "Player meeting by name" in page
    assert page.count("<bdi>Ada</bdi>") == 2


def test_an_empty_slip_has_lines_instead_of_names():
    event = make_event(players=2)

    page = printout(event, "blank_slips")

    assert page.count("Name and signature") == 2 * 4
    assert page.count('class="slip"') == 4
    assert "Ada" not in page


def test_an_empty_slip_of_a_pod_has_a_line_for_five():
    event = make_event(players=0, game="free_radicals")

    assert printout(event, "blank_slips").count("Signature") == 5 * 4


def test_open_tables_are_printed_with_lines_to_write_on():
    event = make_event(players=6)
    play_round(event, tables=[1])

    tables = open_results(event, with_drafts=True)

    assert [(one.round_number, one.table) for one in tables] == [(1, 2), (1, 3)]
    assert all(following is None for one in tables for _, following in one.seats)


def test_below_an_open_result_stands_the_next_table_of_its_players(event: Tournament):
    play_round(event, tables=[1])
    job = draft_changes.request_pairing(event, 2, owner_of(event), force_reason="They play on")
    tasks.pair_round(job.pk)

    (open_table,) = open_results(fresh(event), with_drafts=True)
    (hidden,) = open_results(fresh(event), with_drafts=False)

    nexts = [following for _, following in open_table.seats]
    assert all(one is not None and one.round_number == 2 and one.is_draft for one in nexts)
    assert all(following is None for _, following in hidden.seats)
    assert "(draft)" in printout(event, "print_open")


def piled(pages: list[Item | None]) -> list[Item]:
    """What lies on the table once the stack is cut and the piles are on each other."""
    return [
        slip
        for pile in range(SLIPS_PER_PAGE)
        for slip in pages[pile::SLIPS_PER_PAGE]
        if slip is not None
    ]


@given(st.integers(0, 60))
def test_the_piles_of_a_cut_stack_are_in_order(count: int):
    items = list(range(count))

    pages = cutting_order(items)

    assert piled(pages) == items
    assert pages[-1:] != [None]


def test_ten_slips_are_three_pages():
    assert cutting_order(range(1, 11))[:4] == [1, 4, 7, 10]


@pytest.mark.django_db
def test_a_slip_has_the_seals_of_both_decks_of_both_players(client: Client):
    load_cards()
    event = make_event(players=2)
    ada = player_number(event, 1)
    deck = decklists_services.hand_in_deck(
        ada, Side.CORP, legal_corp_list(), Actor(player=ada.player)
    )
    round_ = start_round(event)

    (slip,) = result_slips(round_)

    seals = {seat.line.number: dict(seat.seals) for seat in slip.seats}
    assert seals == {
        1: {"Corp": deck.version.seal[:8], "Runner": ""},
        2: {"Corp": "", "Runner": ""},
    }
    owner = owner_of(event).user
    assert owner is not None
    client.force_login(owner)
    page = client.get(url("slips", event, 1)).text
    assert deck.version.seal[:8] in page
    assert deck.version.seal not in page
    assert page.count("no list") == 3


@pytest.mark.django_db
def test_where_nobody_hands_in_decks_a_slip_has_no_seals():
    round_ = start_round(make_event(players=2, decks_required=False))

    (slip,) = result_slips(round_)

    assert [seat.seals for seat in slip.seats] == [(), ()]
