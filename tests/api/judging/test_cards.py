"""What pages of cards and lists can do, over the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.judging.conftest import posted
from tests.factories.decks import legal_corp_list
from tests.factories.formats import make_card, make_format
from tests.factories.library import load_cards


@pytest.fixture(autouse=True)
def cards(db: None) -> None:
    load_cards()
    make_format(make_card("Sure Gamble"))


def test_titles_are_completed_as_on_pages():
    api = APIClient()
    answer = api.get("/api/v1/cards/complete/?q=ice+pick")

    assert answer.json()[0]["title"].startswith("Ice Pick")
    assert api.get("/api/v1/cards/complete/?game=chess").status_code == 400
    assert api.get("/api/v1/cards/complete/?word=x").status_code == 400


def test_cards_are_narrowed_to_a_format():
    def titles(query: str) -> Any:
        return APIClient().get(f"/api/v1/cards/?game=anr&{query}").json()

    assert [card["title"] for card in titles("legal=standard")["results"]] == ["Sure Gamble"]
    assert "standard" in str(titles("legal=other")["errors"]["legal"])


def test_a_list_is_written_in_another_form():
    body = {"text": legal_corp_list(), "game": "onr", "form": "plain_text", "title": "My deck"}
    file = posted(APIClient(), "/api/v1/decks/export/", body)
    other = posted(APIClient(), "/api/v1/decks/export/", {**body, "form": "netrunnerdb_v2"})

    assert file.json()["filename"] == "my-deck.txt"
    assert "My deck" in file.json()["text"]
    assert (other.status_code, other.json()["code"]) == (409, "form_not_offered")
