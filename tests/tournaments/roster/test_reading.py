import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.players.name_corpus import NAMES
from tournaments.roster import RosterNotReadable, decode, read_names
from tournaments.roster.records import MAX_BYTES, Problem


def names(text: str) -> list[tuple[int, str]]:
    return [(line.line, line.name) for line in read_names(text)]


def test_each_line_is_a_person_and_blank_lines_are_skipped():
    assert names("Ada\n\n  Bo  \r\n\t\nCy") == [(1, "Ada"), (3, "Bo"), (5, "Cy")]


@pytest.mark.parametrize(
    "line", ["1. Ada", "12) Ada", "3: Ada", "- Ada", "* Ada", "\u2022 Ada", "  7.  Ada", "4\tAda"]
)
def test_numbers_and_bullets_in_front_are_dropped(line):
    assert names(line) == [(1, "Ada")]


@pytest.mark.parametrize("name", ["3Jane", "-Gus", "1984", "7 of 9", "*star*", "10.5 Nets", "2."])
def test_a_name_that_only_looks_numbered_stays_whole(name):
    assert names(name) == [(1, name)]


def test_a_number_without_a_name_is_a_blank_line():
    assert names("1. Ada\n2. \n3. Bo") == [(1, "Ada"), (3, "Bo")]


def test_a_byte_order_mark_is_no_part_of_the_first_name():
    assert names("\ufeffAda") == [(1, "Ada")]


def test_names_of_all_scripts_come_through_in_order():
    roster = read_names("\n".join(NAMES))

    assert len(roster) == len(NAMES)
    assert all(not line.problems and line.repeats is None for line in roster)


def test_an_unusable_name_says_where_and_what_to_do():
    [_, line] = read_names("Ada\nBo\x07")

    assert line.problems == (Problem(2, "", "Take out what cannot be printed: U+0007."),)
    assert str(line.problems[0]) == "line 2: Take out what cannot be printed: U+0007."


def test_the_same_name_again_points_at_the_first_line_with_it():
    roster = read_names("\u00c4da\nBo\na\u0308DA\n\u00e4da")

    assert [line.repeats for line in roster] == [None, None, 1, 1]


def test_after_a_thousand_names_a_notice_says_how_many_were_left_out():
    roster = read_names("\n".join(f"Player {number}" for number in range(1, 1004)))

    assert len(roster) == 1000
    assert [(notice.line, "3 lines" in notice.text) for notice in roster.notices] == [(1001, True)]


def test_more_than_a_megabyte_is_refused():
    with pytest.raises(RosterNotReadable, match="Split it"):
        read_names("\u00e4" * (MAX_BYTES // 2 + 1))


def test_files_in_utf_8_and_utf_16_are_text():
    assert decode("Zo\u00eb".encode()) == "Zo\u00eb"
    assert decode("Zo\u00eb".encode("utf-8-sig")) == "Zo\u00eb"
    assert decode("Zo\u00eb".encode("utf-16")) == "Zo\u00eb"


def test_a_file_in_another_encoding_is_refused_with_its_line():
    with pytest.raises(RosterNotReadable, match="Line 2 is not UTF-8"):
        decode("Ada\nZo\u00eb".encode("latin-1"))


def test_a_file_over_a_megabyte_is_refused():
    with pytest.raises(RosterNotReadable, match="at most"):
        decode(b"a" * (MAX_BYTES + 1))


@given(st.lists(st.sampled_from(NAMES), unique=True))
def test_numbered_or_not_the_same_people_are_read(chosen):
    numbered = "\n".join(f"{number}. {name}" for number, name in enumerate(chosen, start=1))

    assert [line.name_key for line in read_names(numbered)] == [
        line.name_key for line in read_names("\r\n".join(chosen))
    ]


@given(st.text())
def test_any_text_is_read_line_by_line(text):
    roster = read_names(text)

    assert all(line.name for line in roster)
    assert [line.line for line in roster] == sorted({line.line for line in roster})


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused_with_advice(data):
    try:
        text = decode(data)
    except RosterNotReadable as refusal:
        text = str(refusal)
        advised = "CSV UTF-8" in text
    else:
        advised = True

    assert advised
    assert isinstance(text, str)
