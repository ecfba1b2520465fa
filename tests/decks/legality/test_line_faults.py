"""Faults of a line: line, card, rule and remedy."""

from typing import Any

import pytest

from decks.formats.deck_text import DeckLine, LineKind, LineReading
from decks.legality import deck_lines
from decks.legality.records import Breach
from tests.factories.decks import card, shipped_table

READING = "Reading of lists: a line is a number of copies and a title"
IDENTITY = "Reading of lists: a deck has one identity, named by its full title"
ONR, ANR = shipped_table("onr"), shipped_table("anr")
FANG, BAKDOOR = card("Fang"), card("Bakdoor")
NOISE = "Noise: Hacker Extraordinaire"


def line(**fields: Any) -> DeckLine:
    return DeckLine(4, "as it was written", LineKind.CARD, **fields)


def nearest(titles: tuple[str, ...]) -> str:
    assert len(titles) == 3
    return f"Nearest titles: {titles[0]}; {titles[1]}; {titles[2]}. "


def test_list_with_an_unclear_side():
    assert deck_lines.side_unclear_fault() == Breach(
        "side_unclear",
        "Nothing in the list says whether it is a Corp or a Runner deck.",
        "Fix the lines without a card, or say which side it is.",
        rule=READING,
    )


def test_an_unreadable_line_gives_the_reason_of_its_reader():
    assert deck_lines.unreadable_fault(line(reason="It holds a tab.")) == Breach(
        "unreadable_line",
        "It holds a tab.",
        "Write the number of copies and the title, such as: 3 Title of the card",
        line=4,
        rule=READING,
    )


@pytest.mark.parametrize(
    ("fields", "name", "remedy"),
    [
        ({"title": "Bakdor"}, "Bakdor", "Put # before the line if it is not a card."),
        (
            {"card_id": "bakdor"},
            "bakdor",
            "Write the name of a card, or remove the entry.",
        ),
    ],
)
def test_a_name_of_no_card_is_reported_with_the_nearest(
    fields: dict[str, str], name: str, remedy: str
):
    assert deck_lines.unknown_card_fault(line(**fields), ONR) == Breach(
        "unknown_card",
        f'No card is called "{name}".',
        f"{nearest(ONR.nearest(name))}{remedy}",
        line=4,
        card=name,
        rule=READING,
    )


@pytest.mark.parametrize(
    ("title", "message", "remedy", "name"),
    [
        ("", 'No card has a printing with the code "99999".', "", "99999"),
        (
            "Sure Gambel",
            'No card has a printing with the code "99999", and none is called "Sure Gambel".',
            nearest(ANR.nearest("Sure Gambel")),
            "Sure Gambel",
        ),
    ],
)
def test_a_code_of_no_printing_is_reported(title: str, message: str, remedy: str, name: str):
    assert deck_lines.unknown_card_fault(line(title=title, printing="99999"), ANR) == Breach(
        "unknown_printing",
        message,
        f"{remedy}Correct the code, or write the title of the card.",
        line=4,
        card=name,
        rule=READING,
    )


@pytest.mark.parametrize("by", ["title", "card_id", "printing"])
def test_an_unknown_identity_is_reported_by_whatever_names_it(by: str):
    breach = deck_lines.unknown_card_fault(line(is_identity=True, **{by: "Nois"}), ANR)

    assert breach == Breach(
        "unknown_identity",
        'No identity is called "Nois".',
        f"{nearest(ANR.nearest_identities('Nois'))}Write the full title.",
        line=4,
        card="Nois",
        rule=IDENTITY,
    )
    assert NOISE in breach.remedy


def test_identities_are_suggested_for_the_line_of_one():
    gamble = card("Sure Gamble", "anr")

    assert deck_lines.unknown_identity_fault(line(title="Nois"), ANR).suggestions[0] == NOISE
    assert len(deck_lines.no_identity_card_fault(line(), gamble, ANR).suggestions) == 3
    assert deck_lines.unknown_identity_fault(line(title="Nois"), ONR).suggestions == ()


def test_where_a_game_has_no_identities_the_line_is_to_go():
    breach = deck_lines.unknown_identity_fault(line(title="Nois"), ONR)

    assert breach.remedy == "Remove the line: this game has no identities."


def test_a_card_in_the_place_of_the_identity_is_reported():
    gamble = card("Sure Gamble", "anr")
    assert deck_lines.no_identity_card_fault(line(), gamble, ANR) == Breach(
        "unknown_identity",
        "Sure Gamble is not an identity.",
        f"{nearest(ANR.nearest_identities('Sure Gamble'))}Name the identity you play.",
        line=4,
        card="Sure Gamble",
        rule=IDENTITY,
    )


def test_no_copies_are_reported():
    assert deck_lines.copies_fault(line(), -2, "Fang") == Breach(
        "quantity",
        "-2 copies of Fang: a line has at least 1.",
        "Write how many copies there are, or remove the line.",
        line=4,
        card="Fang",
        rule=READING,
    )


@pytest.mark.parametrize(
    ("quantity", "other", "message", "example"),
    [
        (2, BAKDOOR, "The line may mean Fang or Bakdoor.", "2 Fang"),
        (1, BAKDOOR, "The line may mean Fang or Bakdoor.", "1 Fang"),
        (0, FANG, "The line may mean different numbers of copies of Fang.", "1 Fang"),
    ],
)
def test_two_meanings_are_left_to_the_player(quantity, other, message: str, example: str):
    one = (LineReading(quantity, "Fang"), FANG)
    assert deck_lines.two_meanings_fault(line(), one, other) == Breach(
        "unreadable_line",
        message,
        f"Write the number of copies first, such as: {example}",
        line=4,
        rule=READING,
    )


def test_a_title_and_a_code_of_two_cards_are_reported():
    assert deck_lines.two_names_fault(line(printing="01004"), BAKDOOR, FANG) == Breach(
        "unreadable_line",
        "The line names Fang, but its code 01004 is Bakdoor.",
        "Correct the title, or remove the code.",
        line=4,
        card="Fang",
        rule=READING,
    )
