"""Parsing a page of rules."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.parsing.records import RulingSource
from tests.rulings.reference.builders import PAGE, page_of

# Single words of any script that the file format does not read as markup.
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1).map(
    lambda word: f"x{word}"
)


def test_head_and_sections_are_parsed():
    page = page_of()
    first, second, third = page.sections

    assert (page.title, page.game, page.edition) == ("Tea and cake", "onr", "1")
    assert (page.date, page.first, page.last) == (date(2026, 11, 21), 9000, 9099)
    assert first.text == (
        "The host pours. Guests wait, and say *thank you*.\n\n"
        "- milk first\n- or milk last, see S-9003"
    )
    assert first.sources == (
        RulingSource("The teapot", venue="page 3", date=date(1996, 4, 29)),
        RulingSource("The cook"),
    )
    assert second.cards == ("Tycho Extension",)
    assert (third.place, third.heading) == ("2.1", "Documents disagree: cake")


def test_code_of_a_section_derives_from_its_short_code():
    page = page_of(PAGE.replace("{S-9002}", "{S-9042}"))

    assert page.code_of(page.sections[1]) == "tea-and-cake-42"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## 1.2 Drinking {S-9002}", "## Drinking"),
        ("S-9000 to S-9099", "S-9000"),
        ("date: 2026-11-21", "date: today"),
        ("title: Tea and cake\n", ""),
        ("Source: cook\n", "Source: cat\n"),
    ],
)
def test_invalid_page_is_an_error(before: str, after: str):
    with pytest.raises((ValueError, KeyError)):
        page_of(PAGE.replace(before, after, 1))


@given(st.lists(WORDS, min_size=1, max_size=200), st.data())
def test_line_wrapping_does_not_matter(words: list[str], data: st.DataObject):
    breaks = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    wrapped = "".join(
        word + ("\n" if is_break else " ") for word, is_break in zip(words, breaks, strict=True)
    )

    page = page_of(PAGE.replace("Guests drink slowly (R-0001).", wrapped))

    assert page.sections[1].text == " ".join(words)
