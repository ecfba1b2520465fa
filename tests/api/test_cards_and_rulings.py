import pytest
from rest_framework.test import APIClient

from decks.models import Card
from rulings.models import Ruling

library = pytest.mark.usefixtures("library")


def slugs(api: APIClient, query: str) -> list[str]:
    return [card["slug"] for card in api.get(f"/api/v1/cards/{query}").json()["results"]]


@library
def test_all_cards_can_be_read_page_by_page(api: APIClient):
    found, address = [], "/api/v1/cards/?page_size=250"
    while address:
        page = api.get(address).json()
        found += [card["slug"] for card in page["results"]]
        address = page["next"]

    assert page["count"] == 580
    assert len(set(found)) == 580


@library
def test_cards_are_found_by_title_whatever_its_marks(api: APIClient):
    assert slugs(api, "?search=ice%20PICK%20willie") == ["ice-pick-willie"]
    assert slugs(api, "?search=n.e.t.o.") == slugs(api, "?search=neto")
    assert slugs(api, "?search=nothing-of-that-name") == []


@library
def test_cards_are_narrowed_by_side_type_and_set(api: APIClient):
    query = "?side=corp&type=agenda&set=v1.0&page_size=500"
    found = api.get(f"/api/v1/cards/{query}").json()["results"]

    wanted = Card.objects.filter(side="corp", type="agenda", set_name="v1.0")
    assert {card["slug"] for card in found} == set(wanted.values_list("slug", flat=True))


@library
@pytest.mark.parametrize(
    ("query", "name", "allowed"),
    [
        ("?side=both", "side", "corp, runner"),
        ("?game=chess", "game", "onr, anr, free_radicals"),
        ("?type=Ice%20cream", "type", "agenda"),
        ("?set=v9", "set", "v1.0"),
        ("?titel=x", "titel", "search, game, side, type, set, page, page_size"),
        ("?page=0", "page", "from 1"),
        ("?page_size=501", "page_size", "1 to 500"),
        ("?search=a%00b", "search", "Null"),
    ],
)
def test_a_wrong_parameter_is_refused_with_what_is_allowed(
    api: APIClient, query: str, name: str, allowed: str
):
    answer = api.get(f"/api/v1/cards/{query}")

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert allowed in answer.json()["errors"][name][0]


@library
def test_a_card_tells_its_facts(api: APIClient):
    told = api.get("/api/v1/cards/ai-chief-financial-officer/").json()

    assert told["title"] == "AI Chief Financial Officer"
    assert (told["side"], told["type"], told["set"]) == ("corp", "agenda", "v1.0")
    assert (told["difficulty"], told["agenda_points"]) == ("5", 2)


@library
def test_rulings_are_narrowed_by_section_kind_subject_and_card(api: APIClient):
    everything = api.get("/api/v1/rulings/").json()
    assert everything["count"] == Ruling.objects.count()

    for ruling in everything["results"]:
        card = ruling["card"]["slug"] if ruling["card"] else None
        query = {"section": ruling["section"], "kind": ruling["kind"], "subject": ruling["subject"]}
        if card:
            query["card"] = card
        found = api.get("/api/v1/rulings/", query).json()["results"]
        assert ruling in found
        assert {one["subject_slug"] for one in found} == {ruling["subject_slug"]}


@pytest.mark.usefixtures("all_rulings")
def test_rulings_are_searched_best_first(api: APIClient):
    rulings = api.get("/api/v1/rulings/?search=lockjaw").json()["results"]

    assert rulings
    assert rulings[0]["subject"] == "Lockjaw"
    runner = api.get("/api/v1/rulings/?search=lockjaw&section=corp").json()["results"]
    assert {ruling["section"] for ruling in runner} <= {"corp"}
    assert [one for one in rulings if one["section"] == "corp"] == runner


@library
def test_a_ruling_tells_its_words_and_who_said_so(api: APIClient):
    code = Ruling.objects.filter(versions__citations__isnull=False).order_by("number")[0].code
    told = api.get(f"/api/v1/rulings/{code.upper()}/").json()

    assert told["code"] == code
    assert told["current"]["text"]
    assert told["current"]["citations"][0]["authority"]
    assert told["versions"][0] == told["current"]
