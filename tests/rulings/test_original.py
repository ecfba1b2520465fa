"""The original list itself, read where it lies; none of its words are kept here."""

import re
import textwrap
from collections import Counter

import pytest

from rulings.importer import shipped_digest, shipped_facts
from rulings.parsing.original import read_original
from rulings.parsing.records import Damaged
from tests.rulings.builders import original_bytes


@pytest.fixture(scope="module")
def data() -> bytes:
    return original_bytes()


def read(data: bytes):
    return read_original(data, shipped_digest(), shipped_facts())


def test_the_list_and_the_digest_match_one_to_one(data):
    rulings = read(data)

    assert [one.code for one in rulings] == [one.code for one in shipped_digest()]
    assert Counter(one.section for one in rulings) == {"general": 75, "corp": 158, "runner": 265}
    assert len({one.subject for one in rulings}) == 272


def test_the_list_marks_40_errata_and_the_digest_counts_one_more(data):
    marked = {one.code for one in read(data) if one.is_marked_errata}
    counted = {one.code for one in shipped_digest() if one.kind == "errata"}

    assert len(marked) == 40
    assert counted - marked == {"rent-to-own-contract-1"}
    assert marked <= counted


def test_every_citation_read_from_the_list_is_that_of_the_digest(data):
    # The one difference: a citation "on Vienna 22 and the Run chart", which is no card.
    differing = {
        original.code
        for original, ours in zip(read(data), shipped_digest(), strict=True)
        if original.sources != ours.sources
    }

    assert differing == {"i-spy-3"}


@pytest.mark.parametrize("width", [200, 79, 40])
def test_line_breaks_change_no_word(data, width):
    flat = [one.text for one in read(data)]
    broken = textwrap.fill(data.decode(), width, break_on_hyphens=False).encode()

    assert [one.text for one in read(broken)] == flat


def test_no_ruling_can_be_left_out(data):
    text = data.decode()
    starts = [found.start() for found in re.finditer("@", text)][2::37]

    for start in starts:
        end = text.find("@", start + 1)
        with pytest.raises(Damaged) as caught:
            read((text[:start] + text[end:]).encode())
        assert "missing" in caught.value.reason or "should" in caught.value.reason


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.6, 0.9, 0.999])
def test_a_list_cut_off_anywhere_is_refused(data, share):
    with pytest.raises(Damaged):
        read(data[: int(len(data) * share)])


def test_a_single_lost_letter_is_found(data):
    text = data.decode()
    for offset in range(0, len(text), 9973):
        if text[offset].isalnum():
            with pytest.raises(Damaged):
                read((text[:offset] + text[offset + 1 :]).encode())
