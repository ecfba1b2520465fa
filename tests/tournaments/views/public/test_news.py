"""What is new, for pages that are open: the header of their polled part."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories.tournaments import draft_round, make_event, owner_of, player_number
from tests.tournaments.views.cast import browser_of
from tournaments import queries
from tournaments.models import Tournament
from tournaments.services import rounds

PAGES = ("event", "pairings", "standings", "my_event")


def news(browser: Client, event: Tournament, page: str) -> str:
    address = reverse(f"tournaments:{page}", args=[event.slug])
    return browser.get(address, headers={"X-Fragment": "1"})["X-News"]


@pytest.mark.parametrize("page", PAGES)
def test_a_player_hears_of_the_round_and_the_own_table_on_every_page(page: str):
    event = make_event(players=5)
    phones = {
        number: browser_of("player", event, player_number(event, number)) for number in range(1, 6)
    }
    draft = draft_round(event)
    assert {news(phone, event, page) for phone in phones.values()} == {"0/-"}

    rounds.publish(draft, owner_of(event))

    for number, phone in phones.items():
        pairing = queries.pairing_of(draft, player_number(event, number).player)
        assert news(phone, event, page) == f"1/{pairing.table_number or 'bye'}"


@pytest.mark.parametrize("page", PAGES[:3])
def test_everybody_else_hears_of_the_round_alone(client, event: Tournament, page: str):
    rounds.publish(draft_round(event), owner_of(event))

    assert news(client, event, page) == "1/-"


def test_the_page_itself_begins_with_what_is_known(client, event):
    rounds.publish(draft_round(event), owner_of(event))

    page = client.get(reverse("tournaments:event", args=[event.slug])).text

    assert 'data-news="1/-"' in page
