"""Random input is parsed and can be stored, without crashes or hangs."""

import json
import resource
import time
import tracemalloc
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.formats import plain_text, readers
from decks.formats.deck_text import DeckText, DeckTextFormat, LineKind, list_seal
from decks.legality import deck_lines
from tests.decks.formats import hostile
from tests.factories.decks import shipped_table

pytestmark = pytest.mark.goal("G15")

SHARDS = 8
MANY = 1_000_000
MEGABYTES = 150
JSON = st.recursive(
    st.sampled_from(hostile.SCALARS) | st.text(max_size=5) | st.integers() | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(hostile.KEYS) | st.text(max_size=5), inner, max_size=6)
    ),
    max_leaves=30,
)
TYPED = st.lists(st.sampled_from(hostile.PIECES) | st.text(max_size=4), max_size=40).map("".join)


def read(source: str) -> DeckText:
    """Read a list, and check the guarantees of every reader."""
    deck = readers.read_deck(source)
    assert len(deck.lines) <= plain_text.MAX_LINES
    assert len(deck.text) <= readers.MAX_SOURCE_BYTES
    for text in (deck.text, str(deck.problem), deck.name, deck.notes):
        assert_storable(text)
    return deck


def answer(source: str, game: str = "anr") -> None:
    """Read a list and look up its cards, and check the guarantees of every answer."""
    deck = read(source)
    resolved = deck_lines.resolve_lines(deck, shipped_table(game))
    assert len(resolved) == len(deck.lines)
    for line in resolved:
        assert_sound(line)
    for breach in [
        *deck_lines.reading_breaches(deck, resolved),
        *deck_lines.identity_breaches(resolved),
    ]:
        assert breach.message.endswith(".")
        assert_storable(json.dumps(breach.as_document(), ensure_ascii=False))
    assert all(
        0 < slot.quantity <= plain_text.MAX_COPIES for slot in deck_lines.card_slots(resolved)
    )
    assert len(list_seal(game, "corp", deck_lines.canonical_entries(resolved))) == 64


def assert_sound(resolved: deck_lines.ResolvedLine) -> None:
    line = resolved.line
    assert len(line.text) <= plain_text.MAX_LINE_LENGTH
    assert_storable(line.text + line.title + line.printing + line.card_id + str(line.reason))
    if line.kind == LineKind.CARD:
        assert line.title or line.printing or line.card_id
        assert abs(line.quantity) <= plain_text.MAX_COPIES
    assert (line.kind == LineKind.UNREADABLE) <= (resolved.fault is not None)


def assert_storable(text: str) -> None:
    assert "\0" not in text
    assert text.encode().decode() == text


@pytest.mark.parametrize("game", ["anr", "onr"])
def test_thousands_of_broken_lists_are_answered(game):
    for source in islice(hostile.sources(seed=1 if game == "anr" else 2), 1000):
        answer(source, game)


def test_broken_lists_reach_every_reader():
    decks = [readers.read_deck(source) for source in islice(hostile.sources(seed=3), 1500)]

    assert {deck.form for deck in decks} == set(DeckTextFormat)
    for form in DeckTextFormat:
        assert any(deck.cards for deck in decks if deck.form == form)
        assert form == DeckTextFormat.PLAIN_TEXT or any(
            deck.problem for deck in decks if deck.form == form
        )


@settings(max_examples=30)
@given(JSON)
def test_any_json_is_answered(document):
    answer(json.dumps(document))
    answer(json.dumps({"cards": document}))
    answer(json.dumps({"card_slots": document, "identity_card_id": document, "name": document}))


@settings(max_examples=30)
@given(TYPED)
def test_any_jumble_of_pieces_is_answered(source):
    for start in ("", "{", "<deck>", "3x "):
        answer(start + source)


@settings(max_examples=30)
@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_is_answered(source):
    answer(source)
    assert readers.read_deck(readers.read_deck(source).text) == readers.read_deck(source)


BLOCKS = [
    *("(", "[", "[ ] ", "* ", " (a)", "3 ", " x", "- ", ": ", "\t1", "(1", "\u2022 ", " #", "a:"),
    *("15 ", "[id: 1", "[id:1]", "\u2022x3", ";; notes: a", "Identity: ", "a b c d "),
    *("x" * 150 + " 3\n", "=\n"),
    *("<", "<a>", "<a ", "<!--", "<![CDATA[", "&amp;", "<card/>", '<a b="', "<p>", "&#1"),
    *("{", '{"a":', "[[", "[1,", '"', '\\"', '{"cards":{"', "1", "-", "e1", "\\u0041", "\n", "nul"),
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(
    "start", ["", "{", '{"description":"', '{"cards":{"', "<deck>", "<deck><notes>"]
)
def test_hundred_kilobytes_of_a_repeated_block_need_bounded_memory(block, start):
    source = start + block * (100_000 // len(block))

    tracemalloc.start()
    try:
        answer(source)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < MEGABYTES * 2**20


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_million_broken_lists_need_bounded_time_and_memory(shard):
    """Read a million lists over all shards, and look up some; none may take a second."""
    answer("3 Sure Gamble")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    slowest, slowest_source = 0.0, ""
    for number, source in enumerate(islice(hostile.sources(seed=1000 + shard), MANY // SHARDS)):
        start = time.process_time()
        if number % 8:
            read(source)
        else:
            answer(source, "anr" if shard % 4 else "onr")
        seconds = time.process_time() - start
        if seconds > slowest:
            slowest, slowest_source = seconds, source
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024

    assert slowest < 1, slowest_source
    assert grown < MEGABYTES
