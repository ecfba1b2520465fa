import csv
import io
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.csv_tables import csv_bytes, safe_cell, unescape_cell

pytestmark = pytest.mark.check(12)

FORMULA_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212|"


def read(data: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


@pytest.mark.parametrize("sign", FORMULA_SIGNS)
@pytest.mark.parametrize(
    "before", ["", " ", "\t", "\r", "\n", "\x00", "\u00a0", "\u200b", "\ufeff"]
)
def test_no_text_starts_a_formula(before, sign):
    text = f"{before}{sign}1+1"

    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text",
    [
        *(" Ada", "\tAda", "\rAda", "\x00Ada"),
        *("-1+1", "--1", "-", "-1e5", "-1;2", "+1", "-\u0661", "-1.", "- 1"),
    ],
)
def test_text_after_a_blank_or_like_a_number_is_escaped(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "value",
    [
        *("Ada", "O'Brien", "a=b", "", "\u674e", "3 of 5", "'quoted"),
        *(0, -3, 12, 1.5, Decimal("-0.6667"), "-3", "-0.6667", "40"),
    ],
)
def test_harmless_text_and_numbers_are_unchanged(value):
    assert safe_cell(value) == value


def test_none_and_booleans_are_words():
    assert [safe_cell(value) for value in (None, True, False)] == ["", "yes", "no"]


def test_file_has_bom_quoted_text_bare_numbers_and_crlf():
    data = csv_bytes(["rank", "player"], [[1, "Zo\u00eb"], [-2, '=cmd|"x"']])

    assert data == ('\ufeff"rank","player"\r\n1,"Zo\u00eb"\r\n-2,"\'=cmd|""x"""\r\n'.encode())


def test_separator_in_a_name_stays_in_its_cell():
    data = csv_bytes(["name"], [["Ada;=1+1"]])

    assert read(data, ";") == [["name"], ["Ada;=1+1"]]


TYPED = st.text() | st.text(alphabet="'=+-@\t\r\n 1A\uff1d\uff0b\uff0d\uff20")


@given(st.lists(st.lists(TYPED, min_size=2, max_size=2), max_size=5))
@example([["=1+1", "'=1"], ["''\t1", "'-3"], ["'quoted", "O'Brien"]])
def test_cells_start_no_formula_and_are_read_back_exactly(rows):
    cells = [cell for row in read(csv_bytes(["a", "b"], rows))[1:] for cell in row]

    assert len(cells) == 2 * len(rows)
    assert not [cell for cell in cells if cell[:1] in tuple("=+@\t\r\x00 \uff1d\uff0b\uff0d\uff20")]
    assert [unescape_cell(cell) for cell in cells] == [cell for row in rows for cell in row]
