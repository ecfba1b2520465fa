"""The number of queries does not grow with the number of rows."""

import pytest
from rest_framework.test import APIClient

from decks.models import Card, Printing
from tests.api.matrix.rows import ALL
from tests.api.matrix.table import DECLARED, EXPECTED
from tests.api.routes import ADDRESSES, address
from tests.api.tokens import make_token
from tests.factories import tournaments as make
from tests.factories.formats import make_card, make_format, make_set
from tests.queries import queries_asked

MOST = 25


def queries_for(api: APIClient, address: str) -> int:
    with queries_asked() as asked:
        assert api.get(address).status_code == 200
    return len(asked)


def test_below_an_event(api: APIClient):
    owner = make.make_user()
    small, large = (make.make_event(players, owner=owner) for players in (8, 40))
    for tournament in (small, large, large):
        make.play_round(tournament)
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {make_token(owner)}")
    for_staff = [address(operation) for operation in DECLARED if is_staff_read(operation)]
    asked = [(api, one) for one in ADDRESSES] + [(program, one) for one in for_staff]
    assert len(for_staff) > 20
    grown = []

    for client, one in asked:
        if "/events/spring-run/" in one and client.get(one).status_code == 200:
            larger = one.replace("spring-run", "spring-run-2")
            # What a version of an event says to all alike is kept from the first answer on.
            client.get(larger)
            few, many = queries_for(client, one), queries_for(client, larger)
            if few != many or many > MOST:
                grown.append(f"{one}: {few}, then {many}")

    assert not grown, "\n".join(grown)


def is_staff_read(operation: str) -> bool:
    """Read by the owner, at an address that names nothing but numbers."""
    row = EXPECTED[operation]
    plain = not any(callable(value) for value in row.ids.values())
    return operation.startswith("GET ") and plain and "owner" in row.may and row.may != ALL


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
