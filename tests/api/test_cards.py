"""Cards, formats and deck checks over the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from decks.models import Card, Printing, Snapshot
from tests.factories.decks import legal_corp_list
from tests.factories.formats import make_card, make_format, make_set
from tests.queries import queries_asked

library = pytest.mark.usefixtures("library")


def slugs(api: APIClient, query: str) -> list[str]:
    return [card["slug"] for card in api.get(f"/api/v1/cards/{query}").json()["results"]]


@library
def test_all_cards_can_be_read_page_by_page(api: APIClient):
    slugs_read, address = [], "/api/v1/cards/?page_size=250"
    while address:
        page = api.get(address).json()
        slugs_read += [card["slug"] for card in page["results"]]
        address = page["next"]

    assert page["count"] == 580
    assert len(set(slugs_read)) == 580


@library
def test_title_search_ignores_accents_and_case(api: APIClient):
    assert slugs(api, "?search=ice%20PICK%20willie") == ["ice-pick-willie"]
    assert slugs(api, "?search=n.e.t.o.") == slugs(api, "?search=neto")
    assert slugs(api, "?search=nothing-of-that-name") == []


@library
def test_cards_are_filtered_by_side_type_and_set(api: APIClient):
    query = "?side=corp&type=agenda&set=v1.0&page_size=500"
    results = api.get(f"/api/v1/cards/{query}").json()["results"]

    expected = Card.objects.filter(side="corp", type="agenda", set_name="v1.0")
    assert {card["slug"] for card in results} == set(expected.values_list("slug", flat=True))


@library
@pytest.mark.parametrize(
    ("query", "name", "allowed"),
    [
        ("?side=both", "side", "corp, runner"),
        ("?game=chess", "game", "onr, anr, free_radicals"),
        ("?type=Ice%20cream", "type", "agenda"),
        ("?set=v9", "set", "v1.0"),
        ("?faction=rebels", "faction", "neutral_runner"),
        ("?titel=x", "titel", "search, game, side, type, faction, set, legal, page, page_size"),
        ("?page=0", "page", "from 1"),
        ("?page_size=501", "page_size", "1 to 500"),
        ("?search=a%00b", "search", "Null"),
    ],
)
def test_invalid_parameter_is_a_400_with_the_choices(
    api: APIClient, query: str, name: str, allowed: str
):
    answer = api.get(f"/api/v1/cards/{query}")

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert allowed in answer.json()["errors"][name][0]


@library
def test_card_shows_its_details(api: APIClient):
    card = api.get("/api/v1/cards/onr/ai-chief-financial-officer/").json()

    assert card["title"] == "AI Chief Financial Officer"
    assert (card["side"], card["type"], card["set"]) == ("corp", "agenda", "v1.0")
    assert (card["difficulty"], card["agenda_points"]) == ("5", 2)


@library
def test_address_of_a_card_holds_its_game(api: APIClient):
    of_anr = api.get("/api/v1/cards/anr/sure-gamble/").json()

    assert api.get(of_anr["url"]).json() == of_anr
    assert (of_anr["game"], of_anr["card_id"]) == ("anr", "sure_gamble")
    assert (of_anr["faction"], of_anr["deck_limit"]) == ("neutral_runner", 3)
    assert of_anr["printings"] == [
        {
            "code": "00001",
            "set": "first_box",
            "set_name": "First Box",
            "released_on": "2020-01-01",
            "position": 1,
            "quantity": 3,
        }
    ]
    assert api.get("/api/v1/cards/onr/sure-gamble/").status_code == 404


@library
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?game=anr", ["sure-gamble", "tenma-line"]),
        ("?game=anr&faction=neutral_corp", ["tenma-line"]),
        ("?game=anr&set=first_box&side=runner", ["sure-gamble"]),
        ("?game=anr&set=First%20Box&search=line", ["tenma-line"]),
        ("?game=onr&set=first_box", []),
    ],
)
def test_cards_of_anr_are_filtered(api: APIClient, query: str, found: list[str]):
    make_card("Tenma Line", "corp", type="asset")

    assert slugs(api, query) == found


@library
def test_formats_list_their_snapshots(api: APIClient):
    body = api.get("/api/v1/formats/?game=anr").json()

    assert body["results"] == [
        {
            "game": "anr",
            "id": "standard",
            "name": "Standard",
            "snapshots": [
                {
                    "id": "standard_0",
                    "effective_from": "2020-01-01",
                    "pool": {"id": "standard_pool", "name": "The Pool", "sets": ["first_box"]},
                    "list": {
                        "id": "standard_list",
                        "name": "The List",
                        "effective_from": "2020-01-01",
                    },
                }
            ],
        }
    ]
    assert api.get("/api/v1/formats/?game=onr").json()["results"] == []
    assert "onr, anr" in api.get("/api/v1/formats/?game=go").json()["errors"]["game"][0]


@library
def test_format_without_a_ban_list_has_null(api: APIClient):
    Snapshot.objects.update(restriction=None)

    (format_,) = api.get("/api/v1/formats/").json()["results"]
    assert format_["snapshots"][0]["list"] is None


def queries_for(api: APIClient, address: str) -> int:
    with queries_asked() as queries:
        assert api.get(address).status_code == 200
    return len(queries)


@pytest.mark.usefixtures("all_rulings")
@pytest.mark.parametrize("query", ["", "&search=card"])
def test_longer_pages_need_no_more_queries(api: APIClient, query: str):
    assert Card.objects.count() > 40
    for name in ("cards", "rulings"):
        # The first search reads the names of all cards; the process caches them.
        queries_for(api, f"/api/v1/{name}/?page_size=1{query}")
        few_queries = queries_for(api, f"/api/v1/{name}/?page_size=200{query}")
        assert queries_for(api, f"/api/v1/{name}/?page_size=400{query}") == few_queries


def test_more_printings_and_snapshots_need_no_more_queries(api: APIClient):
    card = make_card("Sure Gamble")
    make_format(card)
    addresses = ["/api/v1/cards/?game=anr", "/api/v1/formats/", "/api/v1/cards/anr/sure-gamble/"]
    few_queries = [queries_for(api, address) for address in addresses]
    for number in range(5):
        make_format(make_card(f"Card {number}"), f"format_{number}")
        Printing.objects.create(
            card=card, card_set=make_set(f"Box {number}"), code=f"9{number}", position=1, quantity=1
        )

    assert [queries_for(api, address) for address in addresses] == few_queries
    assert max(few_queries) <= 9


DECK_CHECK = "/api/v1/decks/check/"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"text": "3 Fang", "text": "4 Fang", "game": "onr"}', "twice"),
        (b"[" * 5000 + b"]" * 5000, "deeper"),
        (b"\xff", "not UTF-8"),
        *((body, "") for body in (b"[]", b'"text"', b"null", b"3")),
    ],
)
def test_malformed_body_is_a_400(api: APIClient, body, message):
    answer = api.post(DECK_CHECK, body, content_type="application/json")

    assert answer.status_code == 400
    assert message in answer.json()["detail"]


def test_deck_check_without_cards_is_refused(api: APIClient):
    answer = api.post(DECK_CHECK, {"text": "3 Fang", "game": "onr"}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_cards")


@library
def test_cards_are_filtered_by_format(api: APIClient):
    def titles(query: str) -> Any:
        return api.get(f"/api/v1/cards/?game=anr&{query}").json()

    assert [card["title"] for card in titles("legal=standard")["results"]] == ["Sure Gamble"]
    assert "standard" in str(titles("legal=other")["errors"]["legal"])


@library
def test_decklist_is_exported_in_another_format(api: APIClient):
    body = {"text": legal_corp_list(), "game": "onr", "form": "plain_text", "title": "My deck"}
    file = api.post("/api/v1/decks/export/", body, "json")
    json_export = api.post("/api/v1/decks/export/", {**body, "form": "netrunnerdb_v2"}, "json")

    assert file.json()["filename"] == "my-deck.txt"
    assert "My deck" in file.json()["text"]
    assert (json_export.status_code, json_export.json()["code"]) == (409, "form_not_offered")
