"""Typed lists and text exports of Android: Netrunner (INTEROP 7)."""

import pytest

from decks.formats import plain_text
from decks.formats.deck_text import LineKind
from decks.legality import deck_lines
from tests.decks.lists import resolved
from tests.factories.decks import shipped_table

TABLE = shipped_table("anr")


def copies(text: str) -> dict[str, int]:
    deck, lines = resolved(text)
    assert list(deck_lines.reading_breaches(deck, lines)) == []
    return {line.card.title: line.line.quantity for line in lines if line.card}


NETRUNNERDB = """hedge-fund\r
Kate "Mac" McCaffrey: Digital Tinker (Core Set)\r
Warning: a card is not legal in this format.\r
\r
Event (8)\r
3x Sure Gamble (Core Set)\r
3x Déjà Vu (Core Set) ••••• •\r
2x Account Siphon (Core Set) 🌟 ••••• •••\r
\r
Hardware (3)\r
3x AirbladeX (JSRF Ed.) (Kitara) ♘ •••\r
\r
Icebreaker (1)\r
1x Gordian Blade (23 Seconds)\r
\r
Barrier (1)\r
1x Ice Wall (Core Set) •\r
\r
15 influence spent (max 15, available 0)\r
20 agenda points (between 20 and 21)\r
49 cards (min 45)\r
Cards up to Opening Moves"""


def test_text_export_of_netrunnerdb_is_read():
    deck, lines = resolved(NETRUNNERDB)

    assert copies(NETRUNNERDB) == {
        'Kate "Mac" McCaffrey: Digital Tinker': 1,
        "Sure Gamble": 3,
        "Déjà Vu": 3,
        "Account Siphon": 2,
        "AirbladeX (JSRF Ed.)": 3,
        "Gordian Blade": 1,
        "Ice Wall": 1,
    }
    assert deck_lines.deck_name(deck, lines) == "hedge-fund"
    assert lines[0].line.kind == LineKind.NAME


JINTEKI = """;; title: Gamble
;; identity: Noise: Hacker Extraordinaire
;; identity-code: 01001
;; notes: First
;; notes:
;; notes:   second

1 Noise: Hacker Extraordinaire
3 Sure Gamble [id: 01050, art: 0]
2 Diesel [id: 99999]
10 Crypsis
"""


def test_export_of_jinteki_is_read():
    deck, lines = resolved(JINTEKI)

    assert copies(JINTEKI) == {
        "Noise: Hacker Extraordinaire": 1,
        "Sure Gamble": 3,
        "Diesel": 2,
        "Crypsis": 10,
    }
    assert (deck.name, deck.notes) == ("Gamble", "First\n\n  second")
    identity = deck_lines.listed_identity(lines)
    assert (identity.line.number, identity.line.printing) == (3, "01001")
    assert [slot.printing for slot in deck_lines.card_slots(lines)] == ["01050", "", ""]


@pytest.mark.parametrize(
    "metadata",
    [
        ";; identity: Noise: Hacker Extraordinaire",
        ";;identity-code:01001",
        ";; identity-code: 99999\n;; identity: Noise: Hacker Extraordinaire",
        "Identity: Noise: Hacker Extraordinaire",
        "ID: noise - hacker extraordinaire",
    ],
)
def test_identity_in_metadata_or_after_a_label(metadata):
    _, lines = resolved(f"{metadata}\n3 Sure Gamble")

    assert deck_lines.listed_identity(lines).card.title == "Noise: Hacker Extraordinaire"
    assert list(deck_lines.identity_breaches(lines)) == []


def test_list_for_aesops_tables_is_read():
    text = """Noise: Hacker Extraordinaire (Core Set)

Events (6)
3 Sure Gamble ●●●
• 3 Diesel •••

Identity (1)
Hardware:
3x Grimoire (Core Set) ●● ●
"""
    assert copies(text) == {
        "Noise: Hacker Extraordinaire": 1,
        "Sure Gamble": 3,
        "Diesel": 3,
        "Grimoire": 3,
    }


@pytest.mark.parametrize(
    ("line", "title", "quantity"),
    [
        ("15 Minutes", "15 Minutes", 1),
        ("1 15 Minutes", "15 Minutes", 1),
        ("15 Minutes x1", "15 Minutes", 1),
        ("3x 15 Minutes (Old Hollywood) •••", "15 Minutes", 3),
        ("419: Amoral Scammer", "419: Amoral Scammer", 1),
        ("419: Amoral Scammer (Downfall)", "419: Amoral Scammer", 1),
        ("24/7 News Cycle", "24/7 News Cycle", 1),
        ("2x 24/7 News Cycle", "24/7 News Cycle", 2),
        ("24/7 News Cycle x3", "24/7 News Cycle", 3),
        ("10 Crypsis", "Crypsis", 10),
        ("Crypsis x10", "Crypsis", 10),
        ("Sure Gamble 3", "Sure Gamble", 3),
        ("Sure Gamble (Core Set) x3", "Sure Gamble", 3),
        ("Sure Gamble ••• x3", "Sure Gamble", 3),
        ("SURE GAMBLE x 3", "Sure Gamble", 3),
        ("3 deja vu", "Déjà Vu", 3),
        ("3 De\u0301ja\u0300 Vu", "Déjà Vu", 3),
        ("1 \u201cClones are not People\u201d", '"Clones are not People"', 1),
        ("2 Director Haas\u2019 Pet Project", "Director Haas' Pet Project", 2),
        ("1 Ash 2X3ZB9CY", "Ash 2X3ZB9CY", 1),
        ("1 Unregistered S&W \u201935", "Unregistered S&W '35", 1),
        ("2 Alix T4LB07", "Alix T4LB07", 2),
        ("3 B\u20131001", "B-1001", 3),
        ("3 Deus X", "Deus X", 3),
        ("Deus X x3", "Deus X", 3),
        ("Deus X 3", "Deus X", 3),
        ("Deus X3", None, 0),
        ("2 TL;DR", "TL;DR", 2),
        ("1 Masterwork (v37)", "Masterwork (v37)", 1),
        ("1 Masterwork (v37) (Uprising)", "Masterwork (v37)", 1),
        ("2 Evidence Collection 2", "Evidence Collection 2", 2),
        ("NBN: The World is Yours*", "NBN: The World is Yours*", 1),
        ("Kate", None, 0),
        ("1 Noise", None, 0),
    ],
)
def test_odd_titles_and_quantities_are_read(line, title, quantity):
    _, (line_,) = resolved(line)

    if title is None:
        assert line_.fault.code in ("unknown_card", "unknown_identity")
    else:
        assert line_.fault is None
        assert line_.card is TABLE.find(title)
        assert line_.line.quantity == quantity


@pytest.mark.parametrize(
    "form", ["{}", "3 {}", "3x {}", "{} x3", "{} (3)", "3x {} (Core Set) ••••• •", "{} (Some Set)"]
)
def test_every_title_is_found_in_every_notation(form):
    for card in TABLE.cards:
        deck = plain_text.read_plain_text(form.format(card.title))
        (resolved_line,) = deck_lines.resolve_lines(deck, TABLE)
        if resolved_line.fault:
            # A title and a number may be another title: "Evidence Collection (3)".
            assert resolved_line.fault.code == "unreadable_line"
            assert card.title[-1].isdigit() or TABLE.find(f"{card.title} 3")
        else:
            quantity = 3 if "3" in form else 1
            assert (resolved_line.card, resolved_line.line.quantity) == (card, quantity), card.title


def test_line_with_two_meanings_is_a_fault():
    _, (lines,) = resolved("Evidence Collection 2")

    assert lines.fault.code == "unreadable_line"
    assert lines.fault.message.count("Evidence Collection") == 2
    assert "1 Evidence Collection 2" in lines.fault.remedy


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My fine deck\nNoise: Hacker Extraordinaire\n3 Diesel", "My fine deck"),
        ("My fine deck\n\n1x Noise: Hacker Extraordinaire\n3 Diesel", "My fine deck"),
        ("diesel\nNoise: Hacker Extraordinaire (Core Set)\n3 Diesel", "diesel"),
        ("3x\nNoise: Hacker Extraordinaire (Core Set)\n3 Diesel", "3x"),
        ("# My fine deck\nNoise: Hacker Extraordinaire", "My fine deck"),
        ("Deck: My fine deck\nNoise: Hacker Extraordinaire", "My fine deck"),
        ("2025 Worlds Deck\nNoise: Hacker Extraordinaire\n3 Sure Gamble", "2025 Worlds Deck"),
    ],
)
def test_first_line_may_be_the_name_of_the_deck(text, name):
    deck, lines = resolved(text)

    assert list(deck_lines.reading_breaches(deck, lines)) == []
    assert deck_lines.deck_name(deck, lines) == name
    assert deck_lines.listed_identity(lines).card.title == "Noise: Hacker Extraordinaire"


@pytest.mark.parametrize(
    "text",
    [
        "Sure Gambel\nNoise: Hacker Extraordinaire\n3 Diesel",
        "My fine deck\n3 Diesel\nNoise: Hacker Extraordinaire",
        "3 My fine deck\nNoise: Hacker Extraordinaire",
        "Noise: Hacker Extraordinaire\nMy fine deck",
    ],
)
def test_possible_card_is_no_deck_name(text):
    deck, lines = resolved(text)

    assert [breach.code for breach in deck_lines.reading_breaches(deck, lines)] == ["unknown_card"]
    assert deck_lines.deck_name(deck, lines) == ""


def test_card_above_the_identity_stays_a_card():
    _, lines = resolved("Diesel\nNoise: Hacker Extraordinaire\nSure Gamble")

    assert [slot.card.title for slot in deck_lines.card_slots(lines)] == ["Diesel", "Sure Gamble"]


@pytest.mark.parametrize("first", ["2025 Sure Gamble", "1500 Worlds Deck", "2025 \u202eskcolB"])
def test_impossible_quantities_are_reported(first):
    deck, lines = resolved(f"{first}\nNoise: Hacker Extraordinaire\n3 Sure Gamble")
    (breach,) = deck_lines.reading_breaches(deck, lines)

    assert (breach.code, breach.line) == ("unreadable_line", 1)
