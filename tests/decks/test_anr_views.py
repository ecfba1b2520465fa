"""Pages of the cards of Android: Netrunner."""

import datetime
import re

import pytest
from django.db.models import Count

from decks import queries, services
from decks.models import Card, Catalogue, Restriction

pytestmark = pytest.mark.usefixtures("anr_cards")
CARDS = "/cards/"
DAY = datetime.date(2025, 9, 17)


@pytest.fixture(autouse=True)
def day_of_the_data(time_machine):
    time_machine.move_to(datetime.datetime(2025, 9, 17, 12, tzinfo=datetime.UTC), tick=False)


def titles(client, **query):
    response = client.get(CARDS, {"game": "anr", **query})
    return [card.title for card in response.context["page_obj"].paginator.object_list]


def text_of(response):
    """Visible text with normalised spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def test_each_game_has_a_list_that_links_to_the_other_game(client):
    page = client.get(CARDS, {"game": "anr"})

    assert page.context["page_obj"].paginator.count == 1988
    assert 'href="/cards/?game=onr"' in page.content.decode()
    assert "Card data as of 17 Sep 2025." in text_of(page)
    assert client.get(CARDS).context["page_obj"].paginator.count == 0


@pytest.mark.parametrize(
    ("texts", "titles_found"),
    [
        ("déjà vu", ["Déjà Vu"]),
        ("DEJA", ["Déjà Vu"]),
        ("ampere", ["Ampère: Cybernetics For Anyone"]),
        ("gamble sure", ["Sure Gamble"]),
        ("sifr", ["Şifr"]),
        ('"smoke"', ['Ele "Smoke" Scovak: Cynosure of the Net']),
    ],
)
def test_card_is_found_by_every_word_without_accents(client, texts, titles_found):
    assert titles(client, q=texts) == titles_found


@pytest.mark.parametrize(
    ("query", "expected_titles"),
    [
        ({"side": "corp"}, {"side": "corp"}),
        ({"type": "identity"}, {"type": "identity"}),
        ({"faction": "adam"}, {"faction": "adam"}),
        ({"set": "system_gateway"}, {"printings__card_set__set_id": "system_gateway"}),
        (
            {"side": "runner", "type": "program", "faction": "shaper", "set": "core_set"},
            {
                "side": "runner",
                "type": "program",
                "faction": "shaper",
                "printings__card_set__set_id": "core_set",
            },
        ),
    ],
)
def test_filters_narrow_the_list(client, query, expected_titles):
    expected = set(
        Card.objects.filter(game="anr", **expected_titles).values_list("title", flat=True)
    )

    assert expected
    assert set(titles(client, **query)) == expected


def test_set_name_and_set_id_both_find_reprints():
    by_id = set(queries.find_cards(game="anr", set_="core_set"))
    by_name = set(queries.find_cards(game="anr", set_="Core Set"))

    assert "Sure Gamble" in {card.title for card in by_name}
    assert by_name == by_id


def test_list_can_be_limited_to_cards_legal_today(client):
    legal = set(titles(client, legal="standard"))
    banned = set(
        Restriction.objects.get(restriction_id="standard_ban_list_25_08")
        .entries.filter(kind="banned")
        .values_list("card__title", flat=True)
    )

    assert {"Sure Gamble", "Hedge Fund"} <= legal
    assert not legal & (banned | {"Film Critic", "The Catalyst: Convention Breaker"})
    assert len(legal) < 547
    assert titles(client, legal="standard", q="sure gamble") == ["Sure Gamble"]


def test_new_ban_list_changes_the_legal_cards(client, time_machine):
    before = set(titles(client, legal="standard"))
    time_machine.move_to(datetime.datetime(2025, 10, 3, 12, tzinfo=datetime.UTC))
    after = set(titles(client, legal="standard"))

    assert before != after


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ({"game": "chess"}, "chess is not one of the available choices"),
        ({"game": "anr", "faction": "rebels"}, "rebels is not one of the available choices"),
        ({"game": "anr", "legal": "modern"}, "modern is not one of the available choices"),
        ({"game": "anr", "type": "prep"}, "prep is not one of the available choices"),
    ],
)
def test_unknown_filter_is_named(client, query, texts):
    response = client.get(CARDS, query)

    assert response.status_code == 200
    assert texts in text_of(response)


@pytest.mark.parametrize(
    ("typed", "expected_title"),
    [("sur gambel", "Sure Gamble"), ("hegde fnud", "Hedge Fund"), ("corrodder", "Corroder")],
)
def test_misspelled_title_is_answered_with_the_nearest(client, typed, expected_title):
    page = text_of(client.get(CARDS, {"game": "anr", "q": typed}))

    assert "No cards found." in page
    assert "Did you mean" in page
    assert expected_title in page


@pytest.mark.parametrize("typed", ["", "???", "\u200b", "%", "a" * 120])
def test_odd_search_words_are_accepted(client, typed):
    assert client.get(CARDS, {"game": "anr", "q": typed, "page": "x"}).status_code == 200


@pytest.mark.parametrize(
    ("query", "queries"),
    [
        # Sets, factions and formats to choose from, the count, the page, the line of the data.
        ({}, 6),
        ({"q": "data", "set": "core_set"}, 6),
        # And the stamp of the catalogue.
        ({"legal": "standard"}, 7),
        # No page then, but a stamp and the nearest cards.
        ({"q": "sur gambel"}, 7),
    ],
)
def test_card_list_needs_few_queries(client, query, queries, django_assert_num_queries):
    client.get(CARDS, {"game": "anr", **query})
    with django_assert_num_queries(queries):
        client.get(CARDS, {"game": "anr", **query})


@pytest.mark.parametrize(
    ("slug", "texts"),
    [
        ("film-critic", "Android: Netrunner: resource, Connection"),
        ("film-critic", "Runner Shaper"),
        ("film-critic", "Cost 1 Influence 1 ●"),
        ("film-critic", "Copies in a deck up to 3"),
        (
            "custom-biotics-engineered-for-success",
            "Minimum deck size 45 Influence limit 22",
        ),
        ("ampere-cybernetics-for-anyone", "Influence limit none"),
        ("government-takeover", "Agenda points 6 Advancement requirement 9"),
        ("psychographics", "Cost X"),
        ("rebirth", "Copies in a deck 1"),
        ("blood-in-the-water", "Advancement requirement X"),
    ],
)
def test_card_shows_its_details(client, slug, texts):
    assert texts in text_of(client.get(f"/cards/anr/{slug}/"))


def test_identity_has_no_copies_in_a_deck(client):
    page = client.get("/cards/anr/custom-biotics-engineered-for-success/").text

    assert "Copies in a deck" not in page


def test_card_shows_its_status_and_history_in_each_format(client):
    page = text_of(client.get("/cards/anr/film-critic/"))

    assert "Standard Not in the card pool Since 9 Apr 2021" in page
    assert "Eternal Legal, costs 1 point Since 12 Nov 2021" in page
    assert "Snapshot Legal, restricted to one card of the list Since 16 Nov 2018" in page
    assert "Standard 6 Aug 2015 30 Sep 2017 Legal -" in page
    assert (
        "Standard 26 Jun 2020 8 Apr 2021 Banned Standard Ban List 20.06 to Standard Ban List 20.09"
        in page
    )


def test_card_shows_announced_changes(client):
    coming = Restriction.objects.get(restriction_id="standard_ban_list_25_10")
    current = Restriction.objects.get(restriction_id="standard_ban_list_25_08")
    banned_cards = current.entries.filter(kind="banned").values("card")
    fresh = coming.entries.filter(kind="banned").exclude(card__in=banned_cards)[0].card

    page = text_of(client.get(fresh.get_absolute_url()))
    assert "Standard Legal Since" in page
    assert "From 3 Oct 2025: Banned" in page


def test_card_shows_its_printings_by_date_with_sets_and_cycles(client):
    page = text_of(client.get("/cards/anr/sure-gamble/"))
    codes = re.findall(r"\b\d{5}\b", page)

    assert "Core Set Core Set 6 Sep 2012 01050 3" in page
    assert codes[0] == "01050"
    assert len(codes) == Card.objects.get(slug="sure-gamble").printings.count() > 3
    printings = client.get("/cards/anr/sure-gamble/").context["printings"]
    dates = [printing.card_set.released_on for printing in printings]
    assert dates == sorted(dates)


def test_card_links_to_its_rulings_and_to_its_text_on_netrunnerdb(client):
    page = client.get("/cards/anr/sure-gamble/").text
    code = Card.objects.get(slug="sure-gamble").printings.last().code

    assert f'href="https://netrunnerdb.com/en/card/{code}"' in page
    assert 'href="/rulings/anr/card/sure-gamble/">Rulings on this card' in page
    assert "No ruling on this card" in client.get("/rulings/anr/card/sure-gamble/").text


@pytest.mark.parametrize(
    "path",
    [
        "/cards/anr/no-such-card/",
        "/cards/onr/sure-gamble/",
        "/cards/free_radicals/sure-gamble/",
        "/cards/anr/",
        "/cards/chess/sure-gamble/",
        "/cards/anr/Sure%20Gamble/",
    ],
)
def test_unknown_cards_have_no_page(client, path):
    assert client.get(path).status_code == 404


def test_card_page_needs_few_queries(client, django_assert_num_queries):
    by_printings = Card.objects.annotate(times=Count("printings")).order_by("times")
    client.get("/cards/anr/sure-gamble/")
    # The card, spellings, printings, factions, the stamp and the line of the data.
    for card in (by_printings[0], by_printings.reverse()[0]):
        with django_assert_num_queries(6):
            client.get(card.get_absolute_url())


def test_undated_data_shows_the_day_of_its_import(client):
    Catalogue.objects.filter(game="anr").update(
        source_date=None, imported_at=datetime.datetime(2025, 1, 2, tzinfo=datetime.UTC)
    )

    assert "Card data loaded on 2 Jan 2025." in text_of(client.get("/cards/anr/sure-gamble/"))


def test_each_format_of_the_catalogue_can_be_selected():
    for format_id in ("standard", "startup", "eternal", "snapshot", "ram", "system_gateway"):
        assert services.legal_card_ids("anr", format_id, DAY)
    assert services.legal_card_ids("anr", "modern", DAY) is None
    assert services.legal_card_ids("onr", "standard", DAY) is None
