"""Random values in any field of a source: it is read, or refused with a message."""

import datetime
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.card_data import readers
from decks.card_data.fields import DamagedSource, SourceFields
from decks.card_data.records import CardData, check_references
from tests.factories.card_sources import SOURCE, Api, source

TODAY = datetime.date(2026, 11, 21)
KINDS = [
    "cards",
    "printings",
    "card_sets",
    "card_cycles",
    "factions",
    "card_pools",
    "formats",
    "restrictions",
]
NAMES = sorted({name for kind in KINDS for record in SOURCE[kind] for name in record})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def of_folder(document: dict[str, Any]) -> CardData:
    """Read the document with the folder reader, without files."""

    def objects(kind: str) -> list[SourceFields]:
        return [
            SourceFields(f"{kind}[{index}]", fields) for index, fields in enumerate(document[kind])
        ]

    return readers.build_card_data(
        name="test",
        date=None,
        cards=objects("cards"),
        printings=objects("printings"),
        sets=objects("card_sets"),
        cycles=objects("card_cycles"),
        factions=objects("factions"),
        pools=objects("card_pools"),
        formats=objects("formats"),
        restrictions=objects("restrictions"),
        subtypes={},
    )


def of_api(document: dict[str, Any]) -> CardData:
    return readers.read_api_v3(Api(document).pages, TODAY, {})


@given(
    kind=st.sampled_from(KINDS),
    place=st.integers(0, 5),
    name=st.sampled_from(NAMES),
    value=JSON,
)
@settings(max_examples=40)
def test_any_value_in_any_field_is_read_or_refused(
    kind: str, place: int, name: str, value: Any
) -> None:
    document = source()
    record = document[kind][place % len(document[kind])]
    record[name] = value

    for refusal in _refusals(document, of_folder):
        assert str(refusal).endswith("Nothing was changed.")
        assert str(refusal).encode("utf-8")


@given(
    kind=st.sampled_from([*KINDS, "snapshots"]),
    place=st.integers(0, 5),
    name=st.sampled_from([*NAMES, "card_subtype_ids", "verdicts", "banned_subtypes"]),
    value=JSON,
)
@settings(max_examples=40)
def test_any_value_in_any_answer_is_read_or_refused(
    kind: str, place: int, name: str, value: Any
) -> None:
    api = Api(source())
    objects = api._kinds[kind]
    objects[place % len(objects)][name] = value

    for refusal in _refusals(api, lambda asked: readers.read_api_v3(asked.pages, TODAY, {})):
        assert str(refusal).endswith("Nothing was changed.")
        assert str(refusal).encode("utf-8")


def _refusals(source: Any, read: Callable[[Any], CardData]) -> Iterator[DamagedSource]:
    """The refusal of a source, if it is refused; any other exception is a bug."""
    try:
        check_references(read(source))
    except DamagedSource as refusal:
        yield refusal


@pytest.mark.parametrize("read", [of_folder, of_api])
def test_undamaged_source_is_read(read: Any) -> None:
    data = check_references(read(json.loads(json.dumps(source()))))

    assert len(data.cards) == 6
