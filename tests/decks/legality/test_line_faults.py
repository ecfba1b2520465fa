"""Faults of a line: line, card, rule and remedy."""

from typing import Any

import pytest

from decks.formats.deck_text import DeckLine, LineKind, LineReading
from decks.legality import deck_lines
from decks.legality.check_texts import check_text
from decks.legality.records import Breach
from tests.factories.decks import card, shipped_table

READING = "Reading of lists: a line is a number of copies and a title"
IDENTITY = "Reading of lists: a deck has one identity, named by its full title"
ONR, ANR = shipped_table("onr"), shipped_table("anr")
FANG, BAKDOOR, GAMBLE = card("Fang"), card("Bakdoor"), card("Sure Gamble", "anr")
NOISE = "Noise: Hacker Extraordinaire"


def line(**fields: Any) -> DeckLine:
    return DeckLine(4, "as it was written", LineKind.CARD, **fields)


def nearest(titles: tuple[str, ...]) -> str:
    assert len(titles) == 3
    return f"Nearest titles: {titles[0]}; {titles[1]}; {titles[2]}. "


NEAREST_NOISE = nearest(ANR.nearest_identities("Nois"))
FAULTS = {
    "unreadable line": (
        deck_lines.unreadable_fault(line(reason=check_text("line_without_card"))),
        *("unreadable_line", None, "The line names no card."),
        "Write the number of copies and the title, such as: 3 Title of the card",
    ),
    "unknown title": (
        deck_lines.unknown_card_fault(line(title="Bakdor"), ONR),
        *("unknown_card", "Bakdor", 'No card is called "Bakdor".'),
        f"{nearest(ONR.nearest('Bakdor'))}Put # before the line if it is not a card.",
    ),
    "unknown card id": (
        deck_lines.unknown_card_fault(line(card_id="bakdor"), ONR),
        *("unknown_card", "bakdor", 'No card is called "bakdor".'),
        f"{nearest(ONR.nearest('bakdor'))}Write the name of a card, or remove the entry.",
    ),
    "unknown code": (
        deck_lines.unknown_card_fault(line(printing="99999"), ANR),
        *("unknown_printing", "99999", 'No card has a printing with the code "99999".'),
        "Correct the code, or write the title of the card.",
    ),
    "unknown code and title": (
        deck_lines.unknown_card_fault(line(title="Sure Gambel", printing="99999"), ANR),
        *("unknown_printing", "Sure Gambel"),
        'No card has a printing with the code "99999", and none is called "Sure Gambel".',
        f"{nearest(ANR.nearest('Sure Gambel'))}Correct the code, or write the title of the card.",
    ),
    **{
        f"unknown {name} of an identity": (
            deck_lines.unknown_card_fault(line(is_identity=True, **{name: "Nois"}), ANR),
            *("unknown_identity", "Nois", 'No identity is called "Nois".'),
            f"{NEAREST_NOISE}Write the full title.",
        )
        for name in ("title", "card_id", "printing")
    },
    "identity in a game without identities": (
        deck_lines.unknown_identity_fault(line(title="Nois"), ONR),
        *("unknown_identity", "Nois", 'No identity is called "Nois".'),
        "Remove the line: this game has no identities.",
    ),
    "card as the identity": (
        deck_lines.no_identity_card_fault(line(), GAMBLE, ANR),
        *("unknown_identity", "Sure Gamble", "Sure Gamble is not an identity."),
        f"{nearest(ANR.nearest_identities('Sure Gamble'))}Name the identity you play.",
    ),
    "no copies": (
        deck_lines.copies_fault(line(), -2, "Fang"),
        *("quantity", "Fang", "-2 copies of Fang: a line has at least 1."),
        "Write how many copies there are, or remove the line.",
    ),
    "title and code of two cards": (
        deck_lines.two_names_fault(line(printing="01004"), BAKDOOR, FANG),
        *("unreadable_line", "Fang"),
        "The line names Fang, but its code 01004 is Bakdoor.",
        "Correct the title, or remove the code.",
    ),
}


@pytest.mark.parametrize(
    ("breach", "code", "name", "message", "remedy"), FAULTS.values(), ids=FAULTS.keys()
)
def test_fault_has_code_message_and_remedy(
    breach: Breach, code: str, name: str | None, message: str, remedy: str
):
    rule = IDENTITY if code == "unknown_identity" else READING
    assert breach.as_document() == {
        "code": code,
        "line": 4,
        "card": name,
        "rule": rule,
        "message": message,
        "remedy": remedy,
    }


def test_unclear_side_is_a_fault():
    assert deck_lines.side_unclear_fault().as_document() == {
        "code": "side_unclear",
        "line": None,
        "card": None,
        "rule": READING,
        "message": "Nothing in the list says whether it is a Corp or a Runner deck.",
        "remedy": "Fix the lines without a card, or say which side it is.",
    }


def test_identities_are_suggested_for_the_line_of_an_identity():
    assert deck_lines.unknown_identity_fault(line(title="Nois"), ANR).suggestions[0] == NOISE
    assert len(deck_lines.no_identity_card_fault(line(), GAMBLE, ANR).suggestions) == 3
    assert deck_lines.unknown_identity_fault(line(title="Nois"), ONR).suggestions == ()


@pytest.mark.parametrize(
    ("quantity", "second", "message", "example"),
    [
        (2, BAKDOOR, "The line may mean Fang or Bakdoor.", "2 Fang"),
        (1, BAKDOOR, "The line may mean Fang or Bakdoor.", "1 Fang"),
        (0, FANG, "The line may mean different numbers of copies of Fang.", "1 Fang"),
    ],
)
def test_line_with_two_meanings(quantity, second, message: str, example: str):
    first = (LineReading(quantity, "Fang"), FANG)
    fault = deck_lines.two_meanings_fault(line(), first, second)

    assert (fault.code, fault.line, fault.rule) == ("unreadable_line", 4, READING)
    assert fault.message == message
    assert fault.remedy == f"Write the number of copies first, such as: {example}"
