"""JSON from untrusted sources is parsed with limits."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import json_guard
from core.json_guard import NestedTooDeeply, NotJson

pytestmark = pytest.mark.check(15)

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_json_round_trip(value: object):
    assert json_guard.parse(json.dumps(value), max_depth=30) == value


@pytest.mark.parametrize("data", [b'\xef\xbb\xbf{"a": 1}', '\ufeff{"a": 1}', b'{"a": 1}'])
def test_bom_is_ignored(data: str | bytes):
    assert json_guard.parse(data) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("<html>", "line 1, column 1"),
        ('{"a": 1,}', "not JSON"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ("[NaN]", "NaN is not a number"),
        ("[1e999]", "too large a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("[" + "9" * 5000 + "]", "more than 18 digits"),
        ('["\\ud800"]', "surrogate"),
        ('{"\\udfff": 1}', "surrogate"),
        (b"[\xff]", "byte 2"),
        ("[" + "1," * 250_000 + "1]", "more than 200,000 values"),
    ],
)
def test_invalid_json_is_refused_with_a_reason(text: str | bytes, reason: str):
    with pytest.raises(NotJson, match=reason):
        json_guard.parse(text)


def test_nesting_ends_at_the_limit():
    assert json_guard.parse("[" * 20 + "]" * 20, max_depth=20)
    with pytest.raises(NestedTooDeeply, match="deeper than 20"):
        json_guard.parse("[" * 21 + "1" + "]" * 21, max_depth=20)


@pytest.mark.parametrize("depth", [21, 900, 5000, 100_000])
@pytest.mark.parametrize("pair", ["[]", ('{"a":', "}")])
def test_bombs_of_any_depth_are_refused(depth: int, pair: tuple[str, str]):
    with pytest.raises(NestedTooDeeply):
        json_guard.parse(pair[0] * depth + "1" + pair[1] * depth)
