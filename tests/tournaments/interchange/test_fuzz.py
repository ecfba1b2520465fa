"""Whatever comes in: records, or a refusal with a path; never a crash."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.changing import change_something, places
from tests.factories import files
from tests.tournaments.interchange import fixtures
from tournaments.interchange.formats.reading import read
from tournaments.interchange.formats.records import FileRefused, Read

pytestmark = pytest.mark.goal("G15")

Json = Any
WHOLE = ["cobra_totals_only", "cobra_single_cut", "aesops_cut_places", "aesops_by_role", "nrtm"]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.integers()
    | st.floats()
    | st.sampled_from(
        ["", "(BYE)", "corp", "3", "0", "-2", "1e9", "11", "\x00", "\u202e", "½", "²"]
    )
    | st.text(max_size=3)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "player1", "player2", "corpPlayer", "rel", "winner", "rank"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def outcome(data: bytes) -> tuple[Read | None, FileRefused | None]:
    try:
        return read(data), None
    except FileRefused as refusal:
        return None, refusal


def answered(document: Json) -> Read | None:
    """What was read, which keeps its promises; None for a refusal with a path."""
    found, refusal = outcome(json.dumps(document).encode("utf-8", "surrogatepass"))
    if found is None:
        assert refusal.path.startswith("$")
        return None
    ids = [player.id for player in found.event.players]
    assert len(set(ids)) == len(ids)
    assert sorted(map(str, ids)) == sorted(str(row.id) for row in found.standings)
    for round_ in (*found.event.rounds, *found.event.cut_rounds):
        there = [seat.id for table in round_.tables for seat in table.seats]
        there += [bye.id for bye in round_.byes]
        assert len(set(there)) == len(there)
        assert set(there) <= set(ids)
    for table in (table for round_ in found.event.cut_rounds for table in round_.tables):
        assert table.winner in (None, *(seat.id for seat in table.seats))
    return found


@given(value=VALUES)
def test_any_value_is_read_or_refused(value: Json):
    answered(value)


@given(data=st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(data: bytes):
    with pytest.raises(FileRefused):
        read(data)


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=40)
@given(data=st.data())
def test_a_file_with_something_changed_is_read_or_refused(name: str, data: st.DataObject):
    document = fixtures.document(name)
    change_something(document, VALUES, data)

    answered(document)


@pytest.mark.slow
@pytest.mark.parametrize("name", fixtures.NAMES)
@settings(max_examples=300)
@given(data=st.data())
def test_a_file_with_much_changed_is_read_or_refused(name: str, data: st.DataObject):
    document = fixtures.document(name)
    for _ in range(3):
        container, key = data.draw(st.sampled_from(places(document)))
        container[key] = data.draw(VALUES)

    answered(document)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_events_of_any_size_agree_with_the_naive_formulas(seed: int):
    single = seed % 2 == 1
    played = files.played(seed, players=2 + seed % 29, rounds=seed % 8, single=single)

    for dialect in ("aesops", "aesops_by_role", "cobra") if single else ("cobra", "nrtm"):
        found = answered(files.DIALECTS[dialect](played))
        assert found.differences == ()
        made = {row.id: row.match_points for row in found.standings}
        assert made == {id_: played.figures(id_)[0] for id_ in played.names}
