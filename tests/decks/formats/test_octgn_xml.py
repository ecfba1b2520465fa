"""OCTGN decks (INTEROP 6)."""

import pytest

from decks.formats import readers
from decks.formats.deck_text import LineKind

GAME = "0f38e453-26df-4c04-9d67-6d43de939c77"
CARD = "bc0f047c-01b1-427f-a439-d451eda"
DECK = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<deck game="{GAME}">
  <section name="Identity">
    <card qty="1" id="{CARD}01001">Noise: Hacker Extraordinaire</card>
  </section>
  <section name="R&amp;D / Stack">
    <card qty="3" id="{CARD}01050">Sure Gamble</card>
    <card qty="2" id="{CARD}01050">Sure Gamble</card>
  </section>
  <notes><![CDATA[One ]]]]><![CDATA[> two
 & <b>three</b>]]></notes>
</deck>"""


def test_cards_have_code_title_and_line():
    deck = readers.read_deck(DECK)

    entries = [(line.number, line.quantity, line.printing, line.title) for line in deck.cards]
    assert entries == [
        (4, 1, "01001", "Noise: Hacker Extraordinaire"),
        (7, 3, "01050", "Sure Gamble"),
        (8, 2, "01050", "Sure Gamble"),
    ]
    assert [line.is_identity for line in deck.cards] == [True, False, False]
    assert deck.notes == "One ]]> two\n & <b>three</b>"


def test_cards_of_another_game_are_named_by_title():
    deck = readers.read_deck(
        DECK.replace(GAME, "11111111-1111-1111-1111-111111111111").replace(CARD, "x")
    )

    assert [line.printing for line in deck.cards] == ["", "", ""]
    assert [line.title for line in deck.cards][1] == "Sure Gamble"


@pytest.mark.parametrize(
    ("game", "codes"),
    [("", ["00000"]), (GAME.upper(), ["00000"]), (f" {GAME} ", ["00000"]), ("  ", [""])],
)
def test_codes_are_read_without_a_game_or_for_the_known_game(game, codes):
    deck = readers.read_deck(f'<deck game="{game}"><card qty="3" id="x00000">Fang</card></deck>')

    assert [line.printing for line in deck.cards] == codes


@pytest.mark.parametrize("name", ["Identity", "Main", "", "R&amp;D / Stack"])
def test_any_section_may_contain_cards(name):
    cards = f'<card qty="3" id="{CARD}01050">Sure Gamble</card><card qty="1" id="">Fang</card>'
    deck = readers.read_deck(f'<deck game="{GAME}"><section name="{name}">{cards}</section></deck>')

    assert [line.is_identity for line in deck.cards] == [False, False]


@pytest.mark.parametrize("quantity", ["", "x", "1.5", "99999999999", "\u00b2", "1000"])
def test_card_without_a_number_of_copies_is_unreadable(quantity):
    (line,) = readers.read_deck(f'<deck><card qty="{quantity}" id="">Fang</card></deck>').lines

    assert line.kind == LineKind.UNREADABLE
    assert "copies" in str(line.reason)


def test_declared_encoding_is_ignored():
    deck = readers.read_deck(
        '<?xml version="1.0" encoding="utf-16"?><deck><card qty="1">Déjà</card></deck>'
    )

    assert [line.title for line in deck.cards] == ["Déjà"]
