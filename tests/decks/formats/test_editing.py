"""Edits of a typed list."""

import pytest

from decks.formats.plain_text import append_card, replace_title


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("3 Lock Jaw", "3 Lockjaw"),
        ("3x Lock Jaw", "3 Lockjaw"),
        ("- 3 x Lock Jaw", "3 Lockjaw"),
        ("Lock Jaw x2", "2 Lockjaw"),
        ("Lock Jaw 2x", "2 Lockjaw"),
        ("Lock Jaw (2)", "2 Lockjaw"),
        ("Lock Jaw", "Lockjaw"),
    ],
)
def test_replaced_title_keeps_the_copies(line: str, changed: str):
    assert replace_title(f"1 One\n{line}\n2 Two", 2, "Lockjaw") == f"1 One\n{changed}\n2 Two"


@pytest.mark.parametrize("number", [0, 4, 99])
def test_replacing_a_missing_line_changes_nothing(number: int):
    assert replace_title("1 One\n2 Two", number, "Lockjaw") == "1 One\n2 Two"


def test_card_is_added_on_a_line_of_its_own():
    assert append_card("", 3, "Lockjaw") == "3 Lockjaw"
    assert append_card("1 One\n\n", 2, "Lockjaw") == "1 One\n2 Lockjaw"
