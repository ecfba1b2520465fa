"""Result slips: the seals on them, and the order that survives the cutter."""

from typing import TypeVar

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from decks.models import Side
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.tournaments import make_event, owner_of, player_number, start_round
from tests.tournaments.pages import url
from tournaments.decklists.services import decks
from tournaments.event.actors import Actor
from tournaments.screens.pages.slips import SLIPS_ON_A_PAGE, cutting_order, slips

Item = TypeVar("Item")


def piled(pages: list[Item | None]) -> list[Item]:
    """What lies on the table once the stack is cut and the piles are on each other."""
    return [
        slip
        for pile in range(SLIPS_ON_A_PAGE)
        for slip in pages[pile::SLIPS_ON_A_PAGE]
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
    deck = decks.hand_in(ada, Side.CORP, legal_corp_list(), Actor(player=ada.player))
    round_ = start_round(event)

    (slip,) = slips(round_)

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

    (slip,) = slips(round_)

    assert [seat.seals for seat in slip.seats] == [(), ()]
