"""The original list, read from beside the project; none of its text is stored here."""

import random
import re
import textwrap
from collections import Counter
from datetime import date

import pytest

from rulings.importer import shipped_digest, shipped_facts
from rulings.parsing.original import read_notice, read_original
from rulings.parsing.records import DamagedDocument
from tests.rulings.builders import original_bytes
from tests.rulings.citations import parse_citations

DATE = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/(\d\d)(?!\d)")


@pytest.fixture(scope="module")
def data() -> bytes:
    return original_bytes()


def read(data: bytes):
    return read_original(data, shipped_digest(), shipped_facts())


def test_list_and_digest_match_one_to_one(data):
    rulings = read(data)

    assert [ruling.code for ruling in rulings] == [row.code for row in shipped_digest()]
    sections = Counter(row.section for row in shipped_digest())
    assert sections == {"general": 75, "corp": 158, "runner": 265}
    assert len({ruling.subject for ruling in rulings}) == 272


def test_list_marks_40_errata_and_digest_41(data):
    marked = {ruling.code for ruling in read(data) if ruling.is_marked_errata}
    counted = {row.code for row in shipped_digest() if row.kind == "errata"}

    assert len(marked) == 40
    assert counted - marked == {"rent-to-own-contract-1"}
    assert marked <= counted


def test_citations_of_list_and_digest_match(data):
    # The only difference: a citation "on Vienna 22 and the Run chart", which is no card.
    differing = {
        original.code
        for original, shipped in zip(read(data), shipped_digest(), strict=True)
        if parse_citations(original.text) != shipped.sources
    }

    assert differing == {"i-spy-3"}


def wrapped(data: bytes, width: int) -> bytes:
    return textwrap.fill(data.decode(), width, break_long_words=False).encode()


REWRAPPED = {
    "lines of 200": lambda data: wrapped(data, 200),
    "lines of 79": lambda data: wrapped(data, 79),
    "lines of 17": lambda data: wrapped(data, 17),
    "Windows": lambda data: wrapped(data, 72).replace(b"\n", b"\r\n"),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "indented": lambda data: wrapped(data, 72).replace(b"\n", b"\n    "),
    "two spaces": lambda data: data.replace(b" ", b"  "),
    "tabs": lambda data: data.replace(b" ", b"\t"),
    "empty lines": lambda data: data.replace(b" @", b"\n\n@"),
    "hard spaces": lambda data: data.decode().replace(" ", "\u00a0").encode(),
}


@pytest.mark.parametrize("line_style", REWRAPPED)
def test_line_breaks_and_spaces_of_a_copy_do_not_matter(data, line_style):
    copy = REWRAPPED[line_style](data)
    assert copy != data

    assert [ruling.text for ruling in read(copy)] == [ruling.text for ruling in read(data)]
    assert read_notice(copy) == read_notice(data)


def test_notice_is_preamble_and_closing_verbatim(data):
    text = data.decode()
    before, closing = text[: text.index("====")], text[text.rindex("====") + 4 :]

    assert read_notice(data).split() == (before + closing).split()
    assert "as long as it is reproduced intact" in read_notice(data)


def test_every_date_printed_in_the_list_is_a_citation(data):
    # Dates are found by another pattern, in each item by its "@".
    parts = data.decode().split("=" * 66)
    items = [item for section in (2, 4, 6) for item in parts[section].split("@")[1:]]
    printed = [
        [date(1900 + int(year), int(month), int(day)) for month, day, year in DATE.findall(item)]
        for item in items
    ]
    assert len(items) == 498
    assert sum(map(len, printed)) == 471

    cited = [[source.date for source in row.sources if source.date] for row in shipped_digest()]

    assert printed == cited


@pytest.mark.parametrize("chance", range(10))
def test_shuffled_rulings_are_refused(data, chance):
    text = data.decode()
    starts = [match_.start() for match_ in re.finditer("@", text)]
    index = random.Random(chance).randrange(1, len(starts) - 4)
    first, second, third = starts[index : index + 3]

    with pytest.raises(DamagedDocument, match=r"line 1, character \d+: "):
        read((text[:first] + text[second:third] + text[first:second] + text[third:]).encode())


def test_missing_ruling_is_found(data):
    text = data.decode()
    starts = [match.start() for match in re.finditer("@", text)][2::37]

    for start in starts:
        end = text.find("@", start + 1)
        with pytest.raises(DamagedDocument) as caught:
            read((text[:start] + text[end:]).encode())
        assert "missing" in caught.value.reason or "should" in caught.value.reason


def test_lost_letter_is_found(data):
    text = data.decode()
    for offset in range(0, len(text), 9973):
        if text[offset].isalnum():
            with pytest.raises(DamagedDocument):
                read((text[:offset] + text[offset + 1 :]).encode())
