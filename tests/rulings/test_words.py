"""Parsed queries, and differences between two texts, word by word."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.search import fts5_expression, tsquery_expression
from rulings.words import (
    LONGEST_WORD,
    MAX_TERMS,
    DiffKind,
    DiffPiece,
    SearchTerm,
    difference,
    folded_words,
    passages,
    squeezed_words,
    terms_of,
)


def test_words_lose_case_accents_and_apostrophes():
    assert folded_words("Don't touch R&D, Cr\u00e8che\u2019s!") == [
        *("dont", "touch", "r", "d", "creches"),
    ]


def test_word_with_inner_punctuation_is_also_a_single_word():
    assert squeezed_words("N.E.T.O. and PK-6089a") == ["neto", "pk6089a"]


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("lockjaw trash", [SearchTerm(("lockjaw",)), SearchTerm(("trash",))]),
        ('"end of the run"', [SearchTerm(("end", "of", "the", "run"))]),
        ("\u201cbit pool\u201d", [SearchTerm(("bit", "pool"))]),
        ('"never closed', [SearchTerm(("never", "closed"))]),
        ("vir*", [SearchTerm(("vir",), starts=True)]),
        ("Self-Modifying", [SearchTerm(("self", "modifying"))]),
        ("can the runner", [SearchTerm(("runner",))]),
        ("of the", [SearchTerm(("of",)), SearchTerm(("the",))]),
        ("* & | ! ( ) : -", []),
        ("", []),
    ],
)
def test_query_is_parsed_into_terms(typed, terms):
    assert terms_of(typed) == terms


def test_query_has_an_expression_for_each_database():
    terms = [SearchTerm(("bit", "pool")), SearchTerm(("vir",), starts=True)]

    assert fts5_expression(terms, all_of=True) == '"bit pool" AND "vir"*'
    assert fts5_expression(terms, all_of=False) == '"bit pool" OR "vir"*'
    assert tsquery_expression(terms, all_of=True) == "('bit' <-> 'pool') & ('vir':*)"


@given(st.text(max_size=400))
def test_any_text_gives_plain_words(typed):
    terms = terms_of(typed)

    assert len(terms) <= MAX_TERMS
    for term in terms:
        assert all(word.isalnum() and len(word) <= LONGEST_WORD for word in term.words)


@given(st.text(max_size=200), st.text(max_size=40))
def test_marking_words_changes_no_letter(text, typed):
    assert "".join(passage.text for passage in passages(text, typed)) == text


def test_marks_match_the_index():
    pieces = passages("Trashing a virus: trash it, the viruses' trashcan.", "trash virus*")

    assert [passage.text for passage in pieces if passage.is_hit] == [
        *("Trashing", "virus", "trash", "viruses"),
    ]


WORDS = st.lists(st.sampled_from(["the", "Runner", "pays", "two", "bits", ",", ".", " ", "\n\n"]))
TEXTS = st.text() | WORDS.map("".join) | WORDS.map(" ".join)


def joined(pieces, *changes):
    return "".join(piece.text for piece in pieces if piece.change in changes)


@given(TEXTS, TEXTS)
def test_pieces_rebuild_both_texts(old, new):
    pieces = difference(old, new)

    assert joined(pieces, DiffKind.KEPT, DiffKind.DELETED) == old
    assert joined(pieces, DiffKind.KEPT, DiffKind.INSERTED) == new


@given(TEXTS, TEXTS)
def test_no_piece_is_empty_and_no_two_of_a_kind_are_neighbours(old, new):
    pieces = difference(old, new)

    assert all(piece.text for piece in pieces)
    assert all(first.change != second.change for first, second in pairwise(pieces))


@given(TEXTS)
def test_text_does_not_differ_from_itself(text):
    assert difference(text, text) == ([DiffPiece(text, DiffKind.KEPT)] if text else [])


def test_changed_phrase_is_a_single_piece():
    assert difference("The Runner pays one bit.", "The Runner loses two bits.") == [
        DiffPiece("The Runner ", DiffKind.KEPT),
        DiffPiece("pays one bit", DiffKind.DELETED),
        DiffPiece("loses two bits", DiffKind.INSERTED),
        DiffPiece(".", DiffKind.KEPT),
    ]


def test_whole_text_can_be_inserted_or_deleted():
    assert difference("Gone.", "") == [DiffPiece("Gone.", DiffKind.DELETED)]
    assert difference("", "New.") == [DiffPiece("New.", DiffKind.INSERTED)]
