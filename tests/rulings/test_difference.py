"""What changed between two texts, word by word."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rulings.words.difference import Change, Piece, difference

WORDS = st.lists(st.sampled_from(["the", "Runner", "pays", "two", "bits", ",", ".", " ", "\n\n"]))
TEXTS = st.text() | WORDS.map("".join) | WORDS.map(" ".join)


def joined(pieces, *changes):
    return "".join(piece.text for piece in pieces if piece.change in changes)


@given(TEXTS, TEXTS)
def test_the_pieces_hold_both_texts_letter_for_letter(old, new):
    pieces = difference(old, new)

    assert joined(pieces, Change.KEPT, Change.DELETED) == old
    assert joined(pieces, Change.KEPT, Change.INSERTED) == new


@given(TEXTS, TEXTS)
def test_no_piece_is_empty_and_no_two_of_a_kind_are_neighbours(old, new):
    pieces = difference(old, new)

    assert all(piece.text for piece in pieces)
    assert all(one.change != two.change for one, two in pairwise(pieces))


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text):
    assert difference(text, text) == ([Piece(text, Change.KEPT)] if text else [])


def test_a_phrase_that_changed_reads_in_one():
    assert difference("The Runner pays one bit.", "The Runner loses two bits.") == [
        Piece("The Runner ", Change.KEPT),
        Piece("pays one bit", Change.DELETED),
        Piece("loses two bits", Change.INSERTED),
        Piece(".", Change.KEPT),
    ]


def test_a_whole_text_may_go_or_come():
    assert difference("Gone.", "") == [Piece("Gone.", Change.DELETED)]
    assert difference("", "New.") == [Piece("New.", Change.INSERTED)]
