"""Exported decks read back with the same copies, identity and printings."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.text import clean
from decks.formats import readers
from decks.formats.deck_text import DeckText
from decks.formats.writers import ExportForm, WrittenCard, WrittenDeck, write_deck
from decks.legality import deck_lines
from decks.legality.records import CardFacts
from tests.factories.decks import card, shipped_table

ANR, ONR = shipped_table("anr"), shipped_table("onr")
LINKED = {ExportForm.MARKDOWN, ExportForm.BBCODE}
WITH_PRINTINGS = {ExportForm.NETRUNNERDB_V2, ExportForm.OCTGN, *LINKED}
WITH_NAMES = set(ExportForm) - {ExportForm.NETRUNNERDB_TEXT, ExportForm.OCTGN, *LINKED}
WITH_NOTES = {
    *(ExportForm.NETRUNNERDB_V2, ExportForm.NETRUNNERDB_V3),
    *(ExportForm.JINTEKI, ExportForm.OCTGN),
}


class ReadDeck(NamedTuple):
    deck: DeckText
    identity: str | None
    identity_printing: str
    copies: dict[str, int]
    printings: dict[str, int]


def written_card(facts: CardFacts, quantity: int = 1, cards_chosen: str = "") -> WrittenCard:
    return WrittenCard(
        facts.title,
        quantity,
        facts.type,
        facts.subtypes,
        facts.card_id,
        cards_chosen,
        facts.printings[-1].code if facts.printings else "",
        "Some Set",
        facts.faction,
        quantity * (facts.influence_cost or 0),
        quantity == 2,
    )


def read(text: str, game: str = "anr") -> ReadDeck:
    deck = readers.read_deck(text)
    resolved = deck_lines.resolve_lines(deck, shipped_table(game))
    assert list(deck_lines.reading_breaches(deck, resolved)) == []
    identity = deck_lines.listed_identity(resolved)
    slots = deck_lines.card_slots(resolved)
    copies: Counter[str] = Counter()
    printings: Counter[str] = Counter()
    for slot in slots:
        copies[slot.card.title] += slot.quantity
        printings[slot.printing] += slot.quantity
    return ReadDeck(
        deck,
        identity.card.title if identity else None,
        identity.line.printing if identity else "",
        dict(copies),
        dict(printings),
    )


def copies_of(deck: WrittenDeck) -> dict[str, int]:
    copies: Counter[str] = Counter()
    for line in deck.cards:
        copies[line.title] += line.quantity
    return dict(copies)


def printings_of(deck: WrittenDeck, *, only_chosen: bool) -> dict[str, int]:
    printings: Counter[str] = Counter()
    for line in deck.cards:
        printings[line.chosen if only_chosen else line.code] += line.quantity
    return dict(printings)


@st.composite
def some_copies(draw: st.DrawFn, cards: Sequence[CardFacts]) -> WrittenCard:
    card = draw(st.sampled_from(cards))
    codes = ["", *(printing.code for printing in card.printings)]
    return written_card(card, draw(st.integers(1, 14)), draw(st.sampled_from(codes)))


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=9)
PHRASES = st.lists(WORDS, max_size=6).map(lambda words: clean(" ".join(words)))
NOTES = st.lists(PHRASES, max_size=5).map(lambda phrases: "\n".join(phrases).strip())


@st.composite
def decks(draw: st.DrawFn) -> WrittenDeck:
    side = draw(st.sampled_from(["corp", "runner"]))
    cards = [card for card in ANR.cards if card.side == side]
    identity = draw(some_copies([card for card in cards if card.is_identity]))
    non_identities = [card for card in cards if not card.is_identity]
    return WrittenDeck(
        side,
        tuple(draw(st.lists(some_copies(non_identities), min_size=1, max_size=20))),
        WrittenCard(**{**identity.__dict__, "quantity": 1}),
        draw(PHRASES),
        draw(NOTES),
    )


@pytest.mark.parametrize("form", ExportForm)
@settings(max_examples=40)
@given(deck=decks())
def test_deck_survives_a_round_trip_in_every_form(form: ExportForm, deck: WrittenDeck):
    assert_round_trip(form, deck)


@pytest.mark.slow
@pytest.mark.parametrize("form", ExportForm)
@settings(max_examples=1000)
@given(deck=decks())
def test_many_decks_survive_a_round_trip_in_every_form(form: ExportForm, deck: WrittenDeck):
    assert_round_trip(form, deck)


def assert_round_trip(form: ExportForm, deck: WrittenDeck) -> None:
    read_back = read(write_deck(form, deck))
    assert deck.identity is not None
    assert read_back.copies == copies_of(deck)
    assert read_back.identity == deck.identity.title
    if form in WITH_PRINTINGS:
        assert read_back.printings == printings_of(deck, only_chosen=False)
        assert read_back.identity_printing == deck.identity.code
    if form is ExportForm.JINTEKI:
        assert read_back.printings == printings_of(deck, only_chosen=True)
        assert read_back.identity_printing == deck.identity.chosen
    if form in WITH_NAMES:
        assert read_back.deck.name == deck.name
    if form in WITH_NOTES:
        assert read_back.deck.notes == deck.notes


@pytest.mark.parametrize("form", sorted(WITH_NOTES))
@pytest.mark.parametrize(
    "notes",
    [
        "one ]]> two ]]]]>> three",
        "5 < 6 & 7 > 6, &amp; <b>bold</b> <script>alert(1)</script>",
        "a list:\n\n  - indented\n    - twice\n\nand more",
        ";; title: not the title\n3 Sure Gamble\n<!-- x -->",
        '"quotes" \\ and \\n backslashes',
    ],
)
def test_notes_that_look_like_cards_stay_notes(form: ExportForm, notes: str):
    gamble = written_card(card("Sure Gamble", "anr"), 3)
    noise = written_card(card("Noise: Hacker Extraordinaire", "anr"))
    deck = WrittenDeck("runner", (gamble,), noise, "Named", notes)

    read_back = read(write_deck(form, deck))

    assert read_back.deck.notes == notes
    assert read_back.copies == {"Sure Gamble": 3}


@pytest.mark.parametrize("form", ExportForm)
@pytest.mark.parametrize("side", ["corp", "runner"])
def test_every_card_survives_a_round_trip(form: ExportForm, side: str):
    cards = [card for card in ANR.cards if card.side == side]
    identity = written_card(next(card for card in cards if card.is_identity))
    non_identities = [written_card(card, 1 + card.id % 3) for card in cards if not card.is_identity]
    for start in range(0, len(non_identities), 100):
        deck = WrittenDeck(side, tuple(non_identities[start : start + 100]), identity, "Everything")

        read_back = read(write_deck(form, deck))

        assert read_back.copies == copies_of(deck)


@pytest.mark.parametrize("form", ExportForm)
def test_every_identity_survives_a_round_trip(form: ExportForm):
    gamble = written_card(card("Sure Gamble", "anr"), 3)
    for identity in ANR.cards:
        if identity.is_identity:
            deck = WrittenDeck(identity.side, (gamble,), written_card(identity), "Who is it")
            assert read(write_deck(form, deck)).identity == identity.title


ONR_FORMS = (ExportForm.PLAIN_TEXT, ExportForm.METEOR)


@pytest.mark.parametrize("form", ONR_FORMS)
@pytest.mark.parametrize("side", ["corp", "runner"])
def test_every_card_of_1996_survives_a_round_trip(form: ExportForm, side: str):
    cards = [written_card(card, 1 + card.id % 12) for card in ONR.cards if card.side == side]
    for start in range(0, len(cards), 100):
        deck = WrittenDeck(side, tuple(cards[start : start + 100]), name="All of them")

        read_back = read(write_deck(form, deck), "onr")

        assert (read_back.copies, read_back.identity) == (copies_of(deck), None)


@pytest.mark.parametrize("form", ONR_FORMS)
@settings(max_examples=40)
@given(cards_chosen=st.lists(some_copies(ONR.cards), min_size=1, max_size=25), name=PHRASES)
def test_deck_of_1996_survives_a_round_trip(
    form: ExportForm, cards_chosen: list[WrittenCard], name: str
):
    deck = WrittenDeck("corp", tuple(cards_chosen), name=name)

    read_back = read(write_deck(form, deck), "onr")

    assert (read_back.copies, read_back.deck.name) == (copies_of(deck), name)


@example("3 Sure Gamble")
@example("Event (12)")
@example("Noise")
@settings(max_examples=40)
@given(PHRASES)
def test_name_of_a_deck_never_becomes_a_card(name: str):
    gamble = written_card(card("Sure Gamble", "anr"), 3)
    noise = written_card(card("Noise: Hacker Extraordinaire", "anr"))
    deck = WrittenDeck("runner", (gamble,), noise, name, warning="3 cards are too few.")

    for form in ExportForm:
        read_back = read(write_deck(form, deck))
        assert (read_back.copies, read_back.identity) == ({"Sure Gamble": 3}, noise.title)
