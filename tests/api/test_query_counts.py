"""The number of queries does not grow with the number of rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from decks.models import Card, Printing
from tests.api.routes import ADDRESSES
from tests.factories import tournaments as make
from tests.factories.formats import make_card, make_format, make_set

pytestmark = pytest.mark.django_db


def queries_for(api: APIClient, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert api.get(address).status_code == 200
    return len(asked)


def test_below_an_event(api: APIClient):
    small, large = make.make_event(8), make.make_event(40)
    for tournament in (small, large, large):
        make.play_round(tournament)

    for address in (one for one in ADDRESSES if "/events/spring-run/" in one):
        few = queries_for(api, address)
        many = queries_for(api, address.replace("spring-run", "spring-run-2"))
        assert few == many <= 12, address


def test_of_the_list_of_events(api: APIClient):
    make.make_event(1)
    few = queries_for(api, "/api/v1/events/")
    for _ in range(8):
        make.make_event(2)

    assert queries_for(api, "/api/v1/events/") == few


@pytest.mark.usefixtures("all_rulings")
@pytest.mark.parametrize("query", ["", "&search=card"])
def test_of_cards_and_rulings(api: APIClient, query: str):
    assert Card.objects.count() > 40
    for name in ("cards", "rulings"):
        few = queries_for(api, f"/api/v1/{name}/?page_size=200{query}")
        assert queries_for(api, f"/api/v1/{name}/?page_size=400{query}") == few


def test_of_cards_with_printings_and_formats_with_snapshots(api: APIClient):
    card = make_card("Sure Gamble")
    make_format(card)
    addresses = ["/api/v1/cards/?game=anr", "/api/v1/formats/", "/api/v1/cards/anr/sure-gamble/"]
    few = [queries_for(api, address) for address in addresses]
    for number in range(5):
        make_format(make_card(f"Card {number}"), f"format_{number}")
        Printing.objects.create(
            card=card, card_set=make_set(f"Box {number}"), code=f"9{number}", position=1, quantity=1
        )

    assert [queries_for(api, address) for address in addresses] == few
    assert max(few) <= 9
