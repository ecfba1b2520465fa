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


def offered(known: CardCompleter, typed: str, side: str = "") -> list[str]:
    return [one.title for one in known.matching(typed, side=side)]


def test_title_prefixes_rank_before_word_prefixes_and_substrings():
    known = completer("Big Data", "Database", "Metadata", "Data Raven", "Raven")

    assert offered(known, "data") == ["Database", "Data Raven", "Big Data", "Metadata"]


def test_each_word_must_be_there_in_any_order():
    known = completer("Sure Gamble", "Gamble", "Sure Thing")

    assert offered(known, "gam sure") == ["Sure Gamble"]
    assert offered(known, "sure x") == []


@pytest.mark.parametrize("typed", ["deja", "DÉJÀ", "déjà v", "deja vu", "“déjà"])
def test_accents_case_and_marks_are_compared_away(typed: str):
    assert offered(completer("Déjà Vu", "Vue"), typed) == ["Déjà Vu"]


@pytest.mark.parametrize("typed", ["", " ", "...", "\u200b"])
def test_empty_input_finds_no_card(typed: str):
    assert offered(completer("Data"), typed) == []


def test_ten_are_offered_at_most():
    assert len(offered(completer(*(f"Data {number}" for number in range(30))), "data")) == 10


def test_completions_of_one_side():
    known = completer("Data Mine")

    assert offered(known, "data", side="runner") == []
    assert offered(known, "data", side="corp") == ["Data Mine"]


def test_another_spelling_finds_the_card():
    known = CardCompleter(
        [(CardCompletion("The Deck", "runner", "prep", "", "/"), ["The Deck", "Deck, The"])]
    )

    assert offered(known, "deck the") == ["The Deck"]
    assert offered(known, "deck") == ["The Deck"]


@pytest.mark.usefixtures("anr_cards")
class TestAddress:
    def test_a_card_is_offered_with_what_distinguishes_it(self, client):
        answer = client.get(COMPLETE, {"game": "anr", "q": "sure g"})

        option = '<option value="Sure Gamble">Neutral Runner, event</option>'
        assert answer.content.decode().strip() == option

    def test_a_form_uses_the_name_of_its_own_field(self, client):
        asked = {"game": "anr", "of": "subject", "subject": "sure g"}

        assert titles(client.get(COMPLETE, asked)) == ["Sure Gamble"]

    def test_ten_at_most_and_of_one_side(self, client):
        everything = titles(client.get(COMPLETE, {"game": "anr", "q": "a"}))
        corp = titles(client.get(COMPLETE, {"game": "anr", "q": "a", "side": "corp"}))

        assert len(everything) == len(corp) == 10
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
        again = client.get(
            COMPLETE, {"game": "anr", "q": "data"}, headers={"If-None-Match": first.headers["ETag"]}
        )

        assert first.headers["Cache-Control"] == "public, max-age=300"
        assert first.headers.get("Vary", "") in ("", "Accept-Encoding")
        assert (again.status_code, again.content) == (304, b"")

    @pytest.mark.parametrize(
        "asked", [{"game": "chess"}, {"game": "free_radicals"}, {"game": "anr", "side": "both"}]
    )
    def test_unknown_parameters_are_refused_with_the_known_values(self, client, asked):
        answer = client.get(COMPLETE, asked)

        assert answer.status_code == 400
        assert "game: onr, anr; side: corp, runner" in answer.content.decode()

    def test_only_reading_is_allowed(self, client):
        assert client.post(COMPLETE).status_code == 405

    def test_an_import_is_seen_at_once(self, client):
        assert titles(client.get(COMPLETE, {"game": "anr", "q": "brand new"})) == []
        Card.objects.create(
            game="anr", title="Brand New Card", slug="brand-new-card", side="corp", type="ice"
        )
        Catalogue.objects.filter(game="anr").update(stamp="0" * 32)

        found = titles(client.get(COMPLETE, {"game": "anr", "q": "brand new"}))
        assert found == ["Brand New Card"]


@pytest.mark.usefixtures("cards")
def test_the_game_of_1996_is_the_default_and_knows_other_spellings(client):
    assert titles(client.get(COMPLETE, {"q": "portosta"})) == ["Zetatech Portastation"]


@pytest.mark.django_db
def test_without_cards_nothing_is_offered():
    assert services.complete_titles("free_radicals", "data") == []
    assert services.nearest_cards("free_radicals", "data") == []
