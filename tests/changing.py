"""Documents of plain values, changed by chance in any place."""

from typing import Any

from hypothesis import strategies as st

Json = Any


def places(value: Json) -> list[tuple[Json, Json]]:
    """Every (container, key) in a document."""
    if isinstance(value, dict):
        found: list[tuple[Json, Json]] = [(value, key) for key in value]
    elif isinstance(value, list):
        found = [(value, place) for place in range(len(value))]
    else:
        return []
    return found + [deeper for container, key in found for deeper in places(container[key])]


def change_something(document: Json, values: st.SearchStrategy[Json], data: st.DataObject) -> None:
    """Take one place of the document out, or put another value there."""
    container, key = data.draw(st.sampled_from(places(document)))
    if data.draw(st.integers(0, 3)) == 0:
        del container[key]
    else:
        container[key] = data.draw(values)
