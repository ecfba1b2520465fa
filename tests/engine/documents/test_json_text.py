"""JSON input and output; invalid JSON is refused with its position."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.documents.json_text import (
    MAX_BYTES,
    DocumentRefused,
    copy_json,
    parse_json,
    write_json,
)

pytestmark = pytest.mark.check(15)

SCALARS = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@pytest.mark.parametrize(
    ("data", "path", "reason"),
    [
        (b"", "$", "not JSON"),
        (b"{'id': 1}", "$", "line 1, column 2"),
        (b'{"id": 1} and more', "$", "not JSON"),
        (b'{"name": "\xff"}', "$", "not UTF-8: byte 11"),
        (b'{"players": [{"id": 1, "id": 2}]}', "$.players[0].id", "twice"),
        (b'{"an id": {"id": 1, "id": 1}}', '$["an id"].id', "twice"),
        (b'{"points": NaN}', "$.points", "NaN is not a number"),
        (b"[[0, Infinity]]", "$[0][1]", "Infinity is not a number"),
        (b"[-Infinity]", "$[0]", "not a number"),
        (b"[" + b"9" * 41 + b"]", "$[0]", "more than 40 digits"),
        (b"[" + b"9" * 5000 + b"]", "$[0]", "more than 40 digits"),
        (b"[0." + b"9" * 41 + b"]", "$[0]", "more than 40 digits"),
        (b"[1e99999999999999999999]", "$[0]", "too large"),
        (b'["\\ud800"]', "$[0]", "surrogate"),
        (b'{"\\udc00": 1}', "$", "surrogate"),
        (b"[" * 34 + b"]" * 34, "$" + "[0]" * 33, "nested deeper than 32"),
        (b"[" * 100_000, "$", "nested deeper than 32"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "$", "nested deeper than 32"),
    ],
)
def test_invalid_json_is_refused_with_its_place(data: bytes, path: str, reason: str):
    with pytest.raises(DocumentRefused, match=reason) as refusal:
        parse_json(data)

    assert refusal.value.path == path


def test_document_that_is_too_large_is_not_read():
    with pytest.raises(DocumentRefused, match="larger than 33,554,432 bytes"):
        parse_json(b" " * (MAX_BYTES + 1))


def test_byte_order_mark_and_surrogate_pairs_are_read():
    assert parse_json(b'\xef\xbb\xbf["\\ud83d\\ude00"]') == ["\U0001f600"]


@given(VALUES)
def test_written_json_can_be_read(value: object):
    try:
        assert parse_json(write_json(value)) == parse_json(write_json(value, indent=2)) == value
    except UnicodeEncodeError:
        pytest.fail("hypothesis makes no surrogates")


@given(VALUES)
def test_copy_is_equal_and_shares_no_mutable_parts(value: object):
    original = [value, {"inner": [value]}]
    copy = copy_json(original)
    assert copy == original

    copy[1]["inner"].append(1)

    assert original == [value, {"inner": [value]}]


@given(VALUES, st.sampled_from([None, 0, 1, 4]))
def test_writing_is_like_the_standard_library(value: object, indent: int | None):
    expected = json.dumps(value, ensure_ascii=False, indent=indent)

    assert write_json(value, indent).decode() == expected + "\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("1.500000000"), "1.500000000"),
        (Decimal("0.000000000"), "0.000000000"),
        (Decimal("-12.000000001"), "-12.000000001"),
        (Decimal("1e400"), "1E+400"),
        (Decimal("1e-38"), f"0.{'0' * 37}1"),
        (Decimal("1e-3000000000"), "1E-3000000000"),
        (Decimal("0e-3000000000"), "0E-3000000000"),
    ],
)
def test_decimal_keeps_its_digits(value: Decimal, text: str):
    assert write_json([value]).decode() == f"[{text}]\n"
    assert parse_json(write_json([value])) == [value]
