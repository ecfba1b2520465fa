"""Documents of plain values, changed randomly in any place."""

from typing import Any

from hypothesis import strategies as st

Json = Any


def places(value: Json) -> list[tuple[Json, Json]]:
    """Every (container, key) in a document."""
    if isinstance(value, dict):
        locations: list[tuple[Json, Json]] = [(value, key) for key in value]
    elif isinstance(value, list):
        locations = [(value, index) for index in range(len(value))]
    else:
        return []
    return locations + [deeper for container, key in locations for deeper in places(container[key])]


def change_something(document: Json, values: st.SearchStrategy[Json], data: st.DataObject) -> None:
    """Remove or replace the value at a random place of the document."""
    container, key = data.draw(st.sampled_from(places(document)))
    if data.draw(st.integers(0, 3)) == 0:
        del container[key]
    else:
        container[key] = data.draw(values)
