"""Parsing a page of rules, with all faults at once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings import reference
from rulings.parsing.records import RulingSource
from rulings.reference import FaultyPage, PageFault
from tests.rulings.reference.builders import HEAD, PAGE, page_of

WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1)
"""Single words of any script; none of them is read as a mark of the file below."""


def faults_of(text: str) -> list[str]:
    with pytest.raises(FaultyPage) as refused:
        page_of(text)
    return [str(fault) for fault in refused.value.faults]


def faults_in(text: str) -> Sequence[PageFault]:
    try:
        page_of(text)
    except FaultyPage as refused:
        return refused.faults
    return ()


def test_the_head_is_read() -> None:
    page = page_of()

    assert (page.title, page.game, page.edition) == ("Tea and cake", "onr", "1")
    assert (page.date, page.first, page.last) == (date(2026, 11, 21), 9000, 9099)


def test_a_section_has_its_text_unwrapped_its_sources_and_cards() -> None:
    first, second, third = page_of().sections

    assert first.text == (
        "The host pours. Guests wait, and say *thank you*.\n\n"
        "- milk first\n- or milk last, see S-9003"
    )
    assert first.sources == (
        RulingSource("The teapot", venue="page 3", date=date(1996, 4, 29)),
        RulingSource("The cook"),
    )
    assert second.cards == ("Tycho Extension",)
    assert third.heading == "Documents disagree: cake"


def test_code_of_a_section_derives_from_its_short_code() -> None:
    page = page_of(PAGE.replace("{S-9002}", "{S-9042}"))

    assert page.code_of(page.sections[1]) == "tea-and-cake-42"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("title: Tea and cake\n", "", 'line 1: The head has no "title"'),
        ("game: onr", "game: chess", 'line 2: There is no game "chess"'),
        ("slug: tea-and-cake", "slug: tea", 'line 3: The slug is "tea"'),
        ("date: 2026-11-21", "date: today", 'line 5: "today" is not a date'),
        ("S-9000 to S-9099", "S-9000", 'line 6: "S-9000" is not a range'),
        ("about:", "abuot:", 'line 7: "abuot: How tea is drunk." says nothing'),
        ("1996-04-29", "April", 'line 8: "April" is not a date'),
        ("cook = The cook", "pot = The cook", 'line 9: There is a source "pot" already'),
        ("## 1.2 Drinking {S-9002}", "## Drinking", 'line 22: "## Drinking" is not a heading'),
        ("{S-9002}", "{S-9001}", "line 22: S-9001 is given twice"),
        ("{S-9002}", "{S-9100}", "line 22: S-9100 is not a code of this page"),
        ("{S-9002}", "{S-9000}", "line 22: S-9000 is not a code of this page"),
        ("## 1.2", "## 3.2", "line 29: Section 2.1 stands after a later one"),
        ("Guests drink slowly (R-0001).", "", "line 22: Section 1.2 has no text"),
        ("Guests drink", "Guests drink " + "tea " * 300, "line 22: Section 1.2 has 304 words"),
        ("Source: cook\n", "\n", "line 22: Section 1.2 names no source"),
        ("Source: cook\n", "Source: cat\n", 'line 26: There is no source "cat"'),
        ("Source: cook\n", "Source: cook\nMore.\n", "line 27: There is text after the source"),
    ],
)
def test_a_fault_is_reported_with_its_line(before: str, after: str, expected: str) -> None:
    assert before in PAGE

    assert any(fault.startswith(expected) for fault in faults_of(PAGE.replace(before, after, 1)))


def test_all_faults_are_reported_at_once_in_the_order_of_the_lines() -> None:
    text = PAGE.replace("game: onr", "game: chess").replace("S-9002", "S-1").replace("cook, k", "k")

    faults = faults_of(text)

    assert len(faults) == 3
    assert faults == sorted(faults, key=lambda fault: int(fault.split()[1].rstrip(":")))


def test_a_page_without_sections_is_refused() -> None:
    assert any("no section" in fault for fault in faults_of(HEAD))


def test_a_reference_to_a_section_that_is_not_there_is_reported() -> None:
    page = page_of(PAGE.replace("see S-9003", "see S-9004"))

    with pytest.raises(FaultyPage, match="S-9004, which does not exist"):
        reference.check_pages([page])


def test_two_pages_share_neither_codes_nor_title() -> None:
    page = page_of()
    other = replace(page, slug="cake")

    with pytest.raises(FaultyPage) as refused:
        reference.check_pages([page, other])

    assert len(refused.value.faults) == 2
    reference.check_pages([page, replace(other, title="Cake", first=9100, last=9199)])


@given(st.text())
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    faults = faults_in(text)

    assert all(fault.line > 0 and fault.what and fault.remedy for fault in faults)
    assert faults, "no random text is a page"


@given(st.lists(st.sampled_from([*PAGE.splitlines(), "# x", "- y", "Source: pot", ""])))
def test_lines_of_a_page_in_any_order_are_read_or_refused(lines: list[str]) -> None:
    text = "\n".join(lines)

    if not faults_in(text):
        assert all(section.text and section.sources for section in page_of(text).sections)


@given(st.lists(WORDS.map(lambda word: f"x{word}"), min_size=1, max_size=200), st.data())
def test_line_wrapping_does_not_matter(words: list[str], data: st.DataObject) -> None:
    breaks = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    wrapped = "".join(
        word + ("\n" if breaks_here else " ")
        for word, breaks_here in zip(words, breaks, strict=True)
    )

    page = page_of(PAGE.replace("Guests drink slowly (R-0001).", wrapped))

    assert page.sections[1].text == " ".join(words)
