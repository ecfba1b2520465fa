"""JSON decks of NetrunnerDB v2 and v3 and of Meteor (INTEROP 4, 5, 7)."""

import json

import pytest

from decks.formats import readers
from decks.formats.deck_text import DeckTextFormat

V2 = {
    "id": 12345,
    "uuid": "b2f6c2a0-0000-4000-8000-000000000000",
    "date_creation": "2025-01-01T00:00:00+00:00",
    "name": "Gamble &amp; run",
    "description": "<p>First &amp; best.</p>\n<ul><li>3 &lt; 4</li></ul><script>alert(1)</script>",
    "user_name": "somebody",
    "tournament_badge": False,
    "cards": {"01001": 1, "01050": 3},
    "mwl_code": None,
}
V3 = {
    "user_id": "somebody",
    "follows_basic_deckbuilding_rules": True,
    "identity_card_id": "noise_hacker_extraordinaire",
    "name": "Gamble",
    "notes": "# Run\n\n3 < 4",
    "tags": None,
    "card_slots": {"noise_hacker_extraordinaire": 1, "sure_gamble": 3},
    "num_cards": 3,
}
RESOURCE = {"id": "b2f6", "type": "decklists", "attributes": V3, "relationships": {}, "links": {}}
NOISE = "noise-hacker-extraordinaire"
METEOR = {"name": "Gamble", "identity": NOISE, "entries": {"sure-gamble": 3}}


def read(document):
    return readers.read_deck(json.dumps(document, indent=1))


@pytest.mark.parametrize(
    "document",
    [
        {"data": [V2], "total": 1, "success": True, "version_number": "2.0"},
        {"data": V2, "success": True},
        [V2],
        V2,
    ],
)
def test_decklist_of_the_second_api_names_printings(document):
    deck = read(document)

    assert (deck.form, deck.problem) == (DeckTextFormat.NETRUNNERDB_V2, None)
    assert [(line.printing, line.quantity) for line in deck.cards] == [("01001", 1), ("01050", 3)]
    assert not any(line.title or line.card_id or line.is_identity for line in deck.cards)


def test_description_becomes_plain_text():
    assert read(V2).notes == "First & best.\n\n3 < 4"
    assert read(V2).name == "Gamble &amp; run"


def test_markdown_of_a_private_deck_is_unchanged():
    assert read({**V2, "description": "  * one\n\n\n  * 2 < 3"}).notes == "* one\n\n\n  * 2 < 3"


@pytest.mark.parametrize("document", [{"data": RESOURCE}, {"data": [RESOURCE]}, RESOURCE, V3])
def test_decklist_of_the_third_api_names_cards_by_id(document):
    deck = read(document)

    assert (deck.form, deck.problem) == (DeckTextFormat.NETRUNNERDB_V3, None)
    entries = [(line.card_id, line.quantity, line.is_identity) for line in deck.cards]
    assert entries == [("noise_hacker_extraordinaire", 1, True), ("sure_gamble", 3, False)]
    assert (deck.name, deck.notes) == ("Gamble", "# Run\n\n3 < 4")


def test_request_to_the_validator_is_a_decklist():
    body = {"identity_card_id": "noise", "side_id": "runner", "cards": {"sure_gamble": 3}}
    deck = read({"data": {"attributes": body}})

    assert (deck.form, [line.card_id for line in deck.cards]) == (
        DeckTextFormat.NETRUNNERDB_V3,
        ["noise", "sure_gamble"],
    )


def test_deck_without_an_identity_is_read():
    deck = read({**V3, "identity_card_id": None})

    assert not any(line.is_identity for line in deck.cards)
    assert len(deck.cards) == 2


@pytest.mark.parametrize("document", [{"decks": [METEOR]}, METEOR])
def test_meteor_names_cards_by_id(document):
    deck = read(document)

    assert (deck.form, deck.name) == (DeckTextFormat.METEOR, "Gamble")
    entries = [(line.card_id, line.quantity, line.is_identity) for line in deck.cards]
    assert entries == [(NOISE, 1, True), ("sure-gamble", 3, False)]


def test_entry_has_the_number_of_its_line():
    source = '\n{"name": "x\\ny",\n "cards":\n {"01001":\n 1, "01050": 3}}'

    assert [line.number for line in readers.read_deck(source).lines] == [4, 5]
    assert [line.text for line in readers.read_deck(source).lines] == ['"01001":\n 1', '"01050": 3']


@pytest.mark.parametrize(
    ("html", "text_"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<b>a</b> <i>b", "a b"),
        ("<style>p {}</style>a<script>x<b>y</b></script>b", "ab"),
        ("a<script>b", "a"),
        ("<!-- a -->b", "b"),
        ("a &lt;b&gt; &amp;amp;", "a <b> &amp;"),
        (f"&#{'1' * 5000};", "\ufffd"),
        (f"<p>&#x{'f' * 5000};", "\ufffd"),
        ("a < b > c", "a < b > c"),
    ],
)
def test_html_becomes_plain_text(html, text_):
    assert read({**V2, "description": html}).notes == text_
