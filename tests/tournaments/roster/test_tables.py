import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.csv_tables import csv_bytes
from core.text import clean
from tests.players.name_corpus import NAMES
from tournaments.roster import RosterLine, RosterNotReadable, decode, read_csv
from tournaments.roster.records import MAX_BYTES


def test_columns_may_stand_in_any_order():
    roster = read_csv("seed,First-Round Bye,NAME,pronouns\n2,yes,Ada,she/her\n,no,Bo,\n")

    assert list(roster) == [
        RosterLine(2, "Ada", "she/her", seed=2, first_round_bye=True),
        RosterLine(3, "Bo"),
    ]
    assert roster.notices == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_comma_semicolon_and_tab_are_recognised(delimiter):
    text = f'name{delimiter}seed\n"Lovelace, Ada; "{delimiter}1\n'

    assert list(read_csv(text)) == [RosterLine(2, "Lovelace, Ada;", seed=1)]


def test_one_column_is_enough():
    assert [line.name for line in read_csv("name\nAda\nBo")] == ["Ada", "Bo"]


def test_quotes_marks_and_line_breaks_of_spreadsheets_are_understood():
    roster = read_csv(
        '\ufeff"name","pronouns"\r\n"Ada ""Ace"" Lovelace",""\r\n"Bo\r\nB.",\r\nCy\r\n'
    )

    assert [(line.line, line.name) for line in roster] == [
        (2, 'Ada "Ace" Lovelace'),
        (3, "Bo B."),
        (5, "Cy"),
    ]


def test_mail_and_unknown_columns_are_left_out_and_said_so():
    roster = read_csv("name,email,club,\nAda,a@example.org,ACM,x\n")

    assert list(roster) == [RosterLine(2, "Ada")]
    assert [(notice.line, notice.column) for notice in roster.notices] == [
        (1, "email"),
        (1, "club"),
        (1, "column 4"),
    ]
    assert "not kept" in roster.notices[0].text


def test_every_wrong_cell_has_its_line_column_and_advice():
    [line] = read_csv("name,seed,first_round_bye,pronouns\n\u202e,0,perhaps,ok,extra\n")

    assert [(problem.line, problem.column) for problem in line.problems] == [
        (2, "name"),
        (2, "name"),
        (2, "seed"),
        (2, "first_round_bye"),
        (2, "column 5"),
    ]


@pytest.mark.parametrize("seed", ["0", "-1", "1.5", "one", "10000", "1_0", "\u00b2", "9" * 5000])
def test_a_seed_is_a_whole_number_from_1(seed):
    [line] = read_csv(f"name,seed\nAda,{seed}\n")

    assert line.seed is None
    assert [problem.column for problem in line.problems] == ["seed"]


@pytest.mark.parametrize(
    ("answer", "bye"),
    [
        ("yes", True),
        ("YES", True),
        ("1", True),
        ("x", True),
        ("no", False),
        ("", False),
        ("0", False),
    ],
)
def test_yes_and_no_may_be_written_in_the_usual_ways(answer, bye):
    [line] = read_csv(f"name,first_round_bye\nAda,{answer}\n")

    assert (line.first_round_bye, line.problems) == (bye, ())


def test_the_same_name_twice_points_at_the_first():
    roster = read_csv("name\nAda\nBo\nADA\n")

    assert [line.repeats for line in roster] == [None, None, 2]


def test_a_row_without_a_name_is_a_problem_and_an_empty_row_is_not():
    roster = read_csv("name,seed\n,3\n,\n\nAda,1\n")

    assert [(line.line, bool(line.problems)) for line in roster] == [(2, True), (5, False)]


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_an_empty_list_is_refused(text):
    with pytest.raises(RosterNotReadable, match="empty"):
        read_csv(text)


def test_a_table_without_names_is_refused_with_what_it_has():
    with pytest.raises(RosterNotReadable, match="It has: player, seed"):
        read_csv("player,seed\nAda,1\n")


def test_a_column_twice_is_refused():
    with pytest.raises(RosterNotReadable, match="name more than once"):
        read_csv("name,Name\nAda,Bo\n")


def test_an_open_quote_is_refused_with_the_line_where_its_row_starts():
    with pytest.raises(RosterNotReadable, match="starts on line 3"):
        read_csv('name\nAda\n"Bo\nCy\n')


def test_more_than_a_megabyte_is_refused():
    with pytest.raises(RosterNotReadable, match="Split it"):
        read_csv("name\n" + "a" * MAX_BYTES)


def test_after_a_thousand_rows_a_notice_says_how_many_were_left_out():
    roster = read_csv("name\n" + "\n".join(f"Player {number}" for number in range(1, 1004)))

    assert len(roster) == 1000
    assert [notice.line for notice in roster.notices] == [1002]


def test_our_own_export_is_read_back():
    rows = [(name, number) for number, name in enumerate(NAMES, start=1)]

    roster = read_csv(decode(csv_bytes(["name", "seed"], rows)))

    assert len(roster) == len(NAMES)
    assert [line.seed for line in roster] == list(range(1, len(NAMES) + 1))
    assert not any(line.problems for line in roster)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=5))
def test_what_a_csv_writer_writes_is_read_cell_by_cell(cells):
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([["name"], *([cell] for cell in cells)])

    roster = read_csv(buffer.getvalue())

    assert [line.name for line in roster] == [name for cell in cells if (name := clean(cell))]


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with suppress(RosterNotReadable):
        roster = read_csv(f"name,seed\n{text}")
        assert all(line.line >= 2 for line in roster)
