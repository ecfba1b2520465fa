import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from decks import queries, services
from decks.models import Card
from tests.tournaments.pages import text_of

pytestmark = pytest.mark.usefixtures("cards")
CARDS = "/cards/"


def titles(response):
    return [card.title for card in response.context["page_obj"]]


def test_all_cards_are_listed_page_by_page(client):
    response = client.get(CARDS)

    assert response.context["page_obj"].paginator.count == 580
    assert len(titles(response)) == 50
    assert "Page 1 of 12" in response.content.decode()
    assert client.get(CARDS, {"page": "12"}).context["page_obj"].number == 12


@pytest.mark.parametrize(
    ("query_words", "title"),
    [
        ("creche", "Bodyweight Data Cr\u00e8che"),
        ("CRECHE body", "Bodyweight Data Cr\u00e8che"),
        ("spinn (r) public", "Spinn Public Relations"),
        ("portostation", "Zetatech Portastation"),
        ("neto", "N.E.T.O."),
    ],
)
def test_card_is_searched_by_any_spelling(client, query_words, title):
    assert titles(client.get(CARDS, {"q": query_words})) == [title]


def test_titles_that_begin_with_the_words_come_first():
    cards_found = list(queries.find_cards("data"))

    starts_with_words = [card.folded_title.startswith("data") for card in cards_found]
    assert starts_with_words == sorted(starts_with_words, reverse=True)
    assert True in starts_with_words
    assert False in starts_with_words


def test_page_without_cards_explains_the_import(client):
    Card.objects.all().delete()

    assert "import_cards" in client.get(CARDS).content.decode()


@pytest.mark.parametrize("query", [{}, {"side": "corp"}, {"q": "a"}])
def test_card_list_needs_four_queries(client, query, django_assert_num_queries):
    with django_assert_num_queries(4):
        client.get(CARDS, query)


def test_card_page_shows_its_details(client, django_assert_num_queries):
    card = Card.objects.get(title="Tycho Extension")
    assert card.get_absolute_url() == "/cards/onr/tycho-extension/"
    # The card, its spellings and printings, the stamp of the catalogue and its line.
    client.get("/cards/onr/tycho-extension/")
    with django_assert_num_queries(5):
        page = client.get("/cards/onr/tycho-extension/").content.decode()

    assert "<dt>Agenda points</dt><dd>4</dd>" in page
    assert "<dt>Difficulty</dt><dd>4</dd>" in page
    rulings = reverse("rulings:card", args=[card.slug])
    assert f'href="{rulings}"' in page
    assert f'hx-get="{rulings}"' in page
    assert "Formats today" not in page


def test_card_shows_its_other_spellings(client):
    assert "Other spellings: <bdi>Deck, The</bdi>" in client.get("/cards/onr/the-deck/").text


def test_verdict_shows_figures_rules_and_lines():
    verdict = services.check_deck(
        "Ice (3)\n3 Fang\n1 <b>Fnag</b>\n2 Bodyweight Data Creche", side="corp"
    )
    page = render_to_string("decks/_verdict.html", {"verdict": verdict})

    assert "Illegal" in page
    assert "4 problems to fix" in page
    assert "Add 40 cards. A deck of 45 cards needs 18 agenda points." in page
    assert "Netrunner rulebook (1996), deck construction: at least 45 cards" in page
    for kind, line in [("note", 1), ("ok", 2), ("unknown", 3), ("breach", 4)]:
        assert f'class="verdict verdict--{kind}" value="{line}"' in page
    assert "<b>" not in page
    assert verdict.seal in page


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("3 Fang", "Cards 3 of at least 45 Agenda points 0 of at least 18 for 45 cards"),
        ("45 Fang", "Cards 45 of at least 45 Agenda points 0 of at least 18 To fix"),
        ("46 Fang", "Cards 46 of at least 45 Agenda points 0 of at least 20 To fix"),
    ],
)
def test_small_deck_shows_the_agenda_points_of_the_minimum_size(
    client: Client, text: str, figures: str
):
    page = client.post("/decks/check/", {"rules": "onr", "side": "corp", "text": text})

    # In the verdict, and above the cards of the deck.
    assert text_of(page).count(figures.removesuffix(" To fix")) == 2
    assert figures in text_of(page)


def test_nearest_title_is_a_button_that_fixes_its_line(client):
    sent = {"rules": "onr", "text": "3 Lock Jow\n2 Raptor"}
    html = client.post("/decks/check/", sent).content.decode()

    assert 'form="deck-form"' in html
    assert 'name="use" value="1:Lockjaw"' in html
    fixed = client.post("/decks/check/", {**sent, "use": "1:Lockjaw"})
    assert fixed.context["form"]["text"].value() == "3 Lockjaw\n2 Raptor"
    assert fixed.context["verdict"].lines[0].card == "Lockjaw"
