"""Printouts and result slips."""

from datetime import time
from typing import TypeVar

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from decks.models import Side
from tests.elements import Elements
from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.queries import queries_of
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import url
from tournaments import tasks
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
def test_every_printout_of_an_empty_event(name: str):
    assert "paper" in printout(make_event(players=0), name)


def test_list_of_printouts_follows_the_event(event: Tournament):
    before = printout(event, "paper")
    play_round(event)
    start_round(event)
    after = printout(event, "paper")

    assert "once a round is published" in before
    assert url("slips", event, 2) in after
    assert url("print_pairings", event, 1) in after
    assert url("print_standings", event) in after


def test_pairings_by_name_by_table_or_both(client: Client, event: Tournament):
    start_round(event)
    address = url("print_pairings", event, 1)

    by_name, by_table = "Pairings of round 1 by name", "Pairings of round 1 by table"
    assert by_name in client.get(address).text
    assert by_table in client.get(address).text
    assert by_table not in client.get(f"{address}?by=name").text
    assert by_name not in client.get(f"{address}?by=table").text


@pytest.mark.parametrize("name", ["print_pairings", "slips"])
def test_printout_has_event_round_and_time(name: str):
    event = make_event(players=4, time_zone="Asia/Tokyo")
    start_round(event)

    page = printout(event, name, 1)

    assert "Round 1" in page
    assert "<bdi>Spring Run</bdi>" in page
    assert 'data-printed="Asia/Tokyo"' in page


def test_check_in_list_without_dropped_players():
    event = make_event(players=3)
    registration_services.undo_check_in(player_number(event, 2), owner_of(event))
    registration_services.drop_player(player_number(event, 3), owner_of(event))

    page = printout(event, "print_roster")

    assert page.count("paper-box--ticked") == 1
    assert [f"<bdi>{name}</bdi>" in page for name in ("Ada", "Bo", "Cy")] == [True, True, False]


def test_meeting_seats_by_name_and_by_table():
    event = make_event(players=3)
    registration_services.seat_meeting(event, owner_of(event), seats=2)

    page = printout(event, "meeting_paper")

    assert "Seats before round 1 by name" in page
    assert page.count("<bdi>Ada</bdi>") == 2


class TestPoster:
    def test_name_date_time_place_and_code(self):
        event = make_event(players=0, start_time=time(18, 30), location="Games Café")

        page = printout(event, "poster")

        (code,) = Elements(page).all("img", "poster__code")
        assert code["src"] == url("qr", event)
        for text in ("Spring Run", "Saturday 2 May 2026, 18:30", "Games Café", event.join_code):
            assert text in page
        assert "<strong>testserver/join</strong>" in page

    def test_finished_event_shows_its_page_instead_of_the_join_code(self):
        event = make_event(players=0)
        Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

        page = printout(event, "poster")

        (code,) = Elements(page).all("img", "poster__code")
        assert code["src"] == f"{url('qr', event)}?to=event"
        assert f"http://testserver{event.get_absolute_url()}" in page
        assert event.join_code not in page

    def test_no_code_that_phones_cannot_open(self):
        event = make_event(players=0)
        desk = desk_of(event)

        page = desk.get(url("poster", event), headers={"host": "127.0.0.1:8000"}).text

        assert not Elements(page).all("img", "poster__code")
        assert "No QR code" not in page
        assert "<strong>127.0.0.1:8000/join</strong>" in page
        assert f"<code>{event.join_code}</code>" in page


def test_blank_slips_have_lines_instead_of_names():
    page = printout(make_event(players=2), "blank_slips")

    assert page.count("Name and signature") == 2 * 4
    assert page.count('class="slip"') == 4
    assert "Ada" not in page
    pods = make_event(players=0, game="free_radicals")
    assert printout(pods, "blank_slips").count("Signature") == 5 * 4


def test_open_tables_with_the_next_table_of_each_player(event: Tournament):
    play_round(event, tables=[1])
    (before,) = open_results(fresh(event), with_drafts=True)
    assert (before.round_title, before.table) == ("Round 1", 2)
    assert all(following is None for _, following in before.seats)

    job = draft_changes.request_pairing(event, 2, owner_of(event), force_reason="They play on")
    tasks.pair_round(job.pk)

    (open_table,) = open_results(fresh(event), with_drafts=True)
    (hidden,) = open_results(fresh(event), with_drafts=False)

    nexts = [following for _, following in open_table.seats]
    assert all(row is not None and row.round_number == 2 and row.is_draft for row in nexts)
    assert all(following is None for _, following in hidden.seats)
    assert "(draft)" in printout(event, "print_open")


def test_printouts_name_the_rounds_of_a_cut():
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])
    start_round(event)

    assert "Pairings of the semifinals" in printout(event, "paper")
    (final,) = open_results(fresh(event), with_drafts=True)
    assert final.round_title == "Final"
    assert "Final" in printout(event, "print_open")


def test_open_tables_of_a_cut_take_a_constant_number_of_queries():
    two_tables, four_tables = (event_with_cut(size, system="single_elimination") for size in (4, 8))
    start_round(two_tables)
    start_round(four_tables)

    counts = [
        queries_of(open_results, fresh(event), with_drafts=True)
        for event in (two_tables, four_tables)
    ]

    assert counts[0] == counts[1]


def stack_piles(pages: list[Item | None]) -> list[Item]:
    # Order after cutting the stack and placing the piles on each other.
    return [
        slip
        for pile in range(SLIPS_PER_PAGE)
        for slip in pages[pile::SLIPS_PER_PAGE]
        if slip is not None
    ]


@given(st.integers(0, 60))
def test_piles_of_a_cut_stack_are_in_order(count: int):
    items = list(range(count))

    pages = cutting_order(items)

    assert stack_piles(pages) == items
    assert pages[-1:] != [None]


def test_ten_slips_are_three_pages():
    assert cutting_order(range(1, 11))[:4] == [1, 4, 7, 10]


@pytest.mark.django_db
def test_slip_has_the_seals_of_all_decks():
    load_cards()
    event = make_event(players=2)
    ada = player_number(event, 1)
    deck = submit_deck(ada, Side.CORP, legal_corp_list(), Actor(player=ada.player))
    round_ = start_round(event)

    (slip,) = result_slips(round_)

    seals = {seat.line.number: dict(seat.seals) for seat in slip.seats}
    assert seals == {
        1: {"Corp": deck.version.seal[:8], "Runner": ""},
        2: {"Corp": "", "Runner": ""},
    }
    page = printout(event, "slips", 1)
    assert deck.version.seal[:8] in page
    assert deck.version.seal not in page
    assert page.count("no list") == 3


@pytest.mark.django_db
def test_slip_without_submitted_decks_has_no_seals():
    round_ = start_round(make_event(players=2, decks_required=False))

    (slip,) = result_slips(round_)

    assert [seat.seals for seat in slip.seats] == [(), ()]
