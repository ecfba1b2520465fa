"""Pasted exports of NetrunnerDB, jinteki.net and OCTGN."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.formats.deck_text import LineKind
from decks.legality import deck_lines
from decks.legality.records import CardFacts
from tests.decks.lists import resolved
from tests.factories.decks import card, shipped_table

TABLE = shipped_table("anr")
CARDS = [card for card in TABLE.cards if not card.is_identity]
IDENTITIES = [card for card in TABLE.cards if card.is_identity]
SLUG = "1cc34350-4dfe-4d61-a87b-c1f33da2827d/a-long-name-" + "of-a-deck-" * 20

PLAIN = """"In Love" by R.E. Genasis (1st @ SPb)

AU Co.: The Gold Standard in Clones

Agenda (3)
3x Hybrid Release

Asset (2)
2x Humanoid Resources ●●●●

15 influence spent (max 15, available 0)
20 agenda points (between 20 and 21)
49 cards (min 45)
Cards up to Elevation

Decklist published on https://netrunnerdb.com."""
MARKDOWN = f"""## "In Love" by R.E. Genasis (1st @ SPb)

[AU Co.: The Gold Standard in Clones](https://netrunnerdb.com/en/card/35046) _(Elevation)_

###Agenda (3)
* 3x [Hybrid Release](https://netrunnerdb.com/en/card/33105) _(Parhelion)_\x20

###Asset (2)
* 2x [Humanoid Resources](https://netrunnerdb.com/en/card/35039) _(Elevation)_ ●●●●

15 influence spent (max 15, available 0)\x20\x20
Cards up to Elevation\x20\x20

Decklist [published on NetrunnerDB](https://netrunnerdb.com/en/decklist/{SLUG})."""
BBCODE = f"""[b]"In Love" by R.E. Genasis (1st @ SPb)[/b]

[url=https://netrunnerdb.com/en/card/35046]AU Co.: The Gold Standard in Clones[/url] (Elevation)

[b]Agenda (3)[/b]
3x [url=https://netrunnerdb.com/en/card/33105]Hybrid Release[/url] [i](Parhelion)[/i]

[b]Asset (2)[/b]
2x [url=https://netrunnerdb.com/en/card/35039]Humanoid Resources[/url] [i](Elevation)[/i]\
 [color=#8A2BE2]●●●●[/color]
15 influence spent (max 15, available 0)
Cards up to Elevation

Decklist [url=https://netrunnerdb.com/en/decklist/{SLUG}]published on NetrunnerDB[/url]."""
OLD_BBCODE = """[b]"In Love" by R.E. Genasis (1st @ SPb)[/b]

[url=http://netrunnerdb.com/en/card/35046]AU Co.: The Gold Standard in Clones[/url] (Elevation)

[b]Agenda[/b] (3)
[list]
[*]3x [url=http://netrunnerdb.com/en/card/33105]Hybrid Release[/url] [i](Parhelion)[/i]
[/list]
[b]Asset[/b] (2)
[list]
[*]2x [url=http://netrunnerdb.com/en/card/35039]Humanoid Resources[/url] [i](Elevation)[/i]
[/list]
Deck built on [url=http://netrunnerdb.com]NetrunnerDB[/url]."""
OCTGN_AS_TEXT = """# "In Love" by R.E. Genasis (1st @ SPb)
Identity
1x AU Co.: The Gold Standard in Clones
R&D / Stack
3x Hybrid Release
2x Humanoid Resources"""


def slots(text: str) -> list[tuple[str, int, str]]:
    """Title, copies and printing of each line of a valid list."""
    deck, lines = resolved(text)
    assert [breach.message for breach in deck_lines.reading_breaches(deck, lines)] == []
    return [
        (slot.card.title, slot.quantity, slot.printing) for slot in deck_lines.card_slots(lines)
    ]


@pytest.mark.parametrize(
    ("text", "has_links"),
    [
        (PLAIN, False),
        (MARKDOWN, True),
        (BBCODE, True),
        (OLD_BBCODE, True),
        (OCTGN_AS_TEXT, False),
    ],
)
def test_export_is_read_with_its_name_identity_and_printings(text: str, has_links: bool):
    deck, lines = resolved(text)

    assert slots(text) == [
        ("Hybrid Release", 3, "33105" if has_links else ""),
        ("Humanoid Resources", 2, "35039" if has_links else ""),
    ]
    identity = deck_lines.listed_identity(lines)
    assert identity.card is TABLE.find("AU Co.: The Gold Standard in Clones")
    assert identity.line.printing == ("35046" if has_links else "")
    assert deck_lines.deck_name(deck, lines) == '"In Love" by R.E. Genasis (1st @ SPb)'


FOOTERS = [
    "Decklist published on https://netrunnerdb.com.",
    "Deck built on https://netrunnerdb.com.",
    "Decklist published on http://netrunnerdb.com.",
    "Decklist [published on NetrunnerDB](https://netrunnerdb.com/en/decklist/1/a).",
    "Deck built on [NetrunnerDB](https://netrunnerdb.com).",
    "Decklist [url=https://netrunnerdb.com/en/decklist/1/a]published on NetrunnerDB[/url].",
    "Deck built on [url=https://netrunnerdb.com]NetrunnerDB[/url].",
    "Deck exported from jinteki.net",
    "https://netrunnerdb.com/en/decklist/12345/a-name",
]
SUMMARIES = [
    "12 influence spent (max 15-3★=12, available 0)",
    "0 influence spent (max ∞, available Infinity)",
    "49 cards (min 45)",
    "Anarch: 0",
    "Neutral (12)",
    "Weyland Consortium: 3",
    "Adam: 0",
    "Points: 3/7",
    "R&D / Stack",
    "Agenda (5) Nodes (18) Operations (22)",
    "20 Commons/5 Vitals/2 Uncommons/18 Rares",
    "Commons: 20",
    "18 Rares",
]


@pytest.mark.parametrize("line", [*FOOTERS, *SUMMARIES])
@pytest.mark.parametrize("game", ["anr", "onr"])
def test_footers_and_totals_are_notes(line: str, game: str):
    _, (line_,) = resolved(line, game)

    assert (line_.card, line_.fault) == (None, None)
    assert line_.line.kind in (LineKind.COMMENT, LineKind.HEADING)


@pytest.mark.parametrize("name", ["Sure Gamble", "3 Sure Gamble", "Noise: Hacker Extraordinaire"])
@pytest.mark.parametrize("frame", ["{}", "[b]{}[/b]"])
def test_name_of_an_export_may_be_that_of_a_card(name: str, frame: str):
    text = "\n".join(
        [frame.format(name), "", "Noise: Hacker Extraordinaire", "3x Diesel", "", FOOTERS[0]]
    )
    deck, lines = resolved(text)

    assert slots(text) == [("Diesel", 3, "")]
    assert deck_lines.deck_name(deck, lines) == name
    assert list(deck_lines.identity_breaches(lines)) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("3x Diesel (01034)", ("Diesel", 3, "01034")),
        ("3 Diesel [01034]", ("Diesel", 3, "01034")),
        ("Diesel (01034) x3", ("Diesel", 3, "01034")),
        ("3x Diesel (99999)", ("Diesel", 3, "")),
        ("3x [Gazole](https://netrunnerdb.com/fr/card/01034)", ("Diesel", 3, "01034")),
        ("3x Diesel https://netrunnerdb.com/en/card/01034", ("Diesel", 3, "01034")),
        ("3x [Diesel](https://example.org/cards)", ("Diesel", 3, "")),
        ("3\tDiesel\tCore Set", ("Diesel", 3, "")),
        ("Diesel\tCore Set\t3", ("Diesel", 3, "")),
        ("3x\tDiesel\tCore Set (2012)\tEvent", ("Diesel", 3, "")),
        ("3\tDiesel\t01034", ("Diesel", 3, "01034")),
        ("3x Diesel( 34) 2 sets needed ●●●", ("Diesel", 3, "")),
        ("3x Slash & Burn Agriculture", ("Slash and Burn Agriculture", 3, "")),
        ("1 Nova Initiumia: Catalyst and Impetus", None),
    ],
)
def test_codes_columns_and_ampersands_are_read(line: str, expected: tuple[str, int, str] | None):
    assert slots(line) == ([expected] if expected else [])


@pytest.mark.parametrize("line", ["3x Diesel (01050)", "3 Diesel [id: 01050]"])
def test_code_of_another_card_is_a_fault(line: str):
    (breach,) = deck_lines.reading_breaches(*resolved(line))

    assert breach.code == "unreadable_line"
    assert breach.message == "The line names Diesel, but its code 01050 is Sure Gamble."


@pytest.mark.parametrize(
    "card_facts", [card for card in TABLE.cards if " and " in card.title.casefold()]
)
def test_title_with_and_is_found_with_an_ampersand(card_facts: CardFacts):
    assert (
        TABLE.find(card_facts.title.replace(" and ", " & ").replace(" And ", " & ")) is card_facts
    )


WAYS = [
    "{n} {title}",
    "{n}x {title} ({set})",
    "{title} x{n}",
    "- {n} {title} ●●",
    "{n}\t{title}\t{set}",
    "{title}\t{set}\t{n}",
    "{n}x {title} ({code})",
    "{n} {title} [id: {code}, art: 0]",
    "* {n}x [{title}](https://netrunnerdb.com/en/card/{code}) _({set})_ ●●",
    "{n}x [url=https://netrunnerdb.com/en/card/{code}]{title}[/url] [i]({set})[/i]",
]
NAMES = ["# My deck", "## My deck", "[b]My deck[/b]", "My best deck", ""]


@st.composite
def pasted_lists(draw: st.DrawFn) -> tuple[str, dict[str, int], str]:
    """A list in a random notation, with headings, totals and a footer; its cards and identity."""
    cards: Sequence[CardFacts] = draw(
        st.lists(st.sampled_from(CARDS), min_size=1, max_size=12, unique=True)
    )
    identity = draw(st.sampled_from(IDENTITIES))
    notation = draw(st.sampled_from(WAYS))
    copies = {card.title: draw(st.integers(1, 6)) for card in cards}
    written = [
        notation.format(
            n=copies[card.title],
            title=card.title,
            set="Some Set",
            code=draw(st.sampled_from(card.printings)).code,
        )
        for card in cards
    ]
    between = draw(st.lists(st.sampled_from([*SUMMARIES, "", "Event (3)"]), max_size=3))
    text = [draw(st.sampled_from(NAMES)), "", identity.title, *between, *written, ""]
    return (
        "\n".join([*text, *draw(st.lists(st.sampled_from(FOOTERS), max_size=1))]),
        copies,
        (identity.title),
    )


@settings(max_examples=150)
@given(pasted_lists())
def test_list_in_any_notation_is_read_back(
    given_list: tuple[str, dict[str, int], str],
):
    text, copies, identity = given_list
    deck, resolved_lines = resolved(text)

    faults = list(deck_lines.reading_breaches(deck, resolved_lines))
    # "Evidence Collection x3" may be two cards, and is given back instead of guessed.
    doubtful = {breach.line for breach in faults if breach.code == "unreadable_line"}
    assert {breach.line for breach in faults} == doubtful
    assert deck_lines.listed_identity(resolved_lines).card.title == identity
    quantities = {slot.card.title: slot.quantity for slot in deck_lines.card_slots(resolved_lines)}
    assert quantities.items() <= copies.items()
    assert len(quantities) + len(doubtful) == len(copies)
    assert all(
        "Evidence Collection" in deck.lines[number - 1].text for number in doubtful if number
    )


def test_onr_list_may_begin_with_its_name():
    text = (
        "Greyhound Demolition Derby\n20 Commons/5 Vitals/2 Uncommons/18 Rares\n"
        "Agenda (5) Nodes (18) Operations (22)\n\n5 Tycho Extension\nBall & Chain\n"
        "2\tBakdoor [TM]\tProteus"
    )
    deck, lines = resolved(text, "onr")

    assert list(deck_lines.reading_breaches(deck, lines)) == []
    assert deck_lines.deck_name(deck, lines) == "Greyhound Demolition Derby"
    assert [(slot.card.title, slot.quantity) for slot in deck_lines.card_slots(lines)] == [
        ("Tycho Extension", 5),
        ("Ball and Chain", 1),
        ("Bakdoor", 2),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # A misspelled card, a number of copies, a second unknown title: none of them is a name.
        ("Tycho Extention\n5 Bakdoor", 1),
        ("3 Greyhound Demolition Derby\n5 Bakdoor", 1),
        ("5 Bakdoor\nGreyhound Demolition Derby", 2),
        ("Greyhound Demolition Derby", 1),
    ],
)
def test_unknown_title_elsewhere_in_an_onr_list_is_a_breach(text: str, line: int):
    (breach,) = deck_lines.reading_breaches(*resolved(text, "onr"))

    assert (breach.code, breach.line) == ("unknown_card", line)


def test_bare_known_title_in_the_first_line_of_an_onr_list_is_one_copy():
    _, lines = resolved("Bakdoor\n2 Fang", "onr")

    first = deck_lines.card_slots(lines)[0]
    assert (first.card, first.quantity) == (card("Bakdoor"), 1)
