"""Autocomplete for card titles."""

import re

import pytest
from django.http import HttpResponse

from decks import services
from decks.legality.card_tables import CardCompleter, CardCompletion
from decks.models import Card, Catalogue

COMPLETE = "/cards/complete/"


def titles(answer: HttpResponse) -> list[str]:
    return re.findall(r'<option value="([^"]*)">', answer.content.decode())


def completer(*titles: str, side: str = "corp") -> CardCompleter:
    return CardCompleter((CardCompletion(title, side, "ice", "", "/"), [title]) for title in titles)


def suggestions(completer_: CardCompleter, typed: str, side: str = "") -> list[str]:
    return [card.title for card in completer_.matching(typed, side=side)]


def test_title_prefixes_rank_before_word_prefixes_and_substrings():
    cards = completer("Big Data", "Database", "Metadata", "Data Raven", "Raven")

    assert suggestions(cards, "data") == ["Database", "Data Raven", "Big Data", "Metadata"]


def test_each_word_must_be_there_in_any_order():
    cards = completer("Sure Gamble", "Gamble", "Sure Thing")

    assert suggestions(cards, "gam sure") == ["Sure Gamble"]
    assert suggestions(cards, "sure x") == []


@pytest.mark.parametrize("typed", ["deja", "DÉJÀ", "déjà v", "deja vu", "“déjà"])
def test_accents_case_and_punctuation_are_ignored(typed: str):
    assert suggestions(completer("Déjà Vu", "Vue"), typed) == ["Déjà Vu"]


@pytest.mark.parametrize("typed", ["", " ", "...", "\u200b"])
def test_empty_input_finds_no_card(typed: str):
    assert suggestions(completer("Data"), typed) == []


def test_ten_cards_are_suggested_at_most():
    assert len(suggestions(completer(*(f"Data {number}" for number in range(30))), "data")) == 10


def test_suggestions_can_be_limited_to_a_side():
    cards = completer("Data Mine")

    assert suggestions(cards, "data", side="runner") == []
    assert suggestions(cards, "data", side="corp") == ["Data Mine"]


def test_alternative_spelling_finds_the_card():
    cards = CardCompleter(
        [(CardCompletion("The Deck", "runner", "prep", "", "/"), ["The Deck", "Deck, The"])]
    )

    assert suggestions(cards, "deck the") == ["The Deck"]
    assert suggestions(cards, "deck") == ["The Deck"]


@pytest.mark.usefixtures("anr_cards")
class TestAddress:
    def test_suggestion_has_distinguishing_details(self, client):
        answer = client.get(COMPLETE, {"game": "anr", "q": "sure g"})

        option = '<option value="Sure Gamble">Neutral Runner, event</option>'
        assert answer.content.decode().strip() == option

    def test_form_uses_the_name_of_its_own_field(self, client):
        query = {"game": "anr", "of": "subject", "subject": "sure g"}

        assert titles(client.get(COMPLETE, query)) == ["Sure Gamble"]

    def test_ten_suggestions_at_most_of_the_requested_side(self, client):
        all_titles = titles(client.get(COMPLETE, {"game": "anr", "q": "a"}))
        corp = titles(client.get(COMPLETE, {"game": "anr", "q": "a", "side": "corp"}))

        assert len(all_titles) == len(corp) == 10
        assert not Card.objects.filter(game="anr", title__in=corp).exclude(side="corp").exists()

    def test_completion_from_the_cached_table_costs_one_query(
        self, client, django_assert_num_queries
    ):
        client.get(COMPLETE, {"game": "anr", "q": "data"})

        for typed in ("data", "hedge", "zzz", "a" * 3000):
            with django_assert_num_queries(1):
                assert client.get(COMPLETE, {"game": "anr", "q": typed}).status_code == 200

    def test_completions_are_cacheable_and_revalidated(self, client):
        first = client.get(COMPLETE, {"game": "anr", "q": "data"})
        repeated = client.get(
            COMPLETE, {"game": "anr", "q": "data"}, headers={"If-None-Match": first.headers["ETag"]}
        )

        assert first.headers["Cache-Control"] == "public, max-age=300"
        assert first.headers.get("Vary", "") in ("", "Accept-Encoding")
        assert (repeated.status_code, repeated.content) == (304, b"")

    @pytest.mark.parametrize(
        "query", [{"game": "chess"}, {"game": "free_radicals"}, {"game": "anr", "side": "both"}]
    )
    def test_unknown_parameters_are_refused_with_the_known_values(self, client, query):
        answer = client.get(COMPLETE, query)

        assert answer.status_code == 400
        assert "game: onr, anr; side: corp, runner" in answer.content.decode()

    def test_only_reading_is_allowed(self, client):
        assert client.post(COMPLETE).status_code == 405

    def test_import_takes_effect_immediately(self, client):
        assert titles(client.get(COMPLETE, {"game": "anr", "q": "brand new"})) == []
        Card.objects.create(
            game="anr", title="Brand New Card", slug="brand-new-card", side="corp", type="ice"
        )
        Catalogue.objects.filter(game="anr").update(stamp="0" * 32)

        titles_found = titles(client.get(COMPLETE, {"game": "anr", "q": "brand new"}))
        assert titles_found == ["Brand New Card"]


@pytest.mark.usefixtures("cards")
def test_game_of_1996_is_the_default_and_knows_other_spellings(client):
    assert titles(client.get(COMPLETE, {"q": "portosta"})) == ["Zetatech Portastation"]


@pytest.mark.django_db
def test_without_cards_nothing_is_suggested():
    assert services.complete_titles("free_radicals", "data") == []
    assert services.nearest_cards("free_radicals", "data") == []
