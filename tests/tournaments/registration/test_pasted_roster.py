import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.csv_tables import csv_bytes, unescape_cell
from core.text import clean, comparison_key
from players.names import EMAIL_ADDRESS
from tests.players.name_corpus import NAMES
from tournaments.registration.pasted_roster import (
    MAX_BYTES,
    LineAction,
    RosterLine,
    RosterNotReadable,
    are_similar_names,
    decode_upload,
    known_spellings,
    plan_entries,
    read_csv,
    read_names,
    replace_names,
)
from tournaments.registration.roster_layout import LAYOUTS, RosterColumn


def test_columns_in_any_order():
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


def test_quotes_and_line_breaks_of_spreadsheets():
    roster = read_csv(
        '\ufeff"name","pronouns"\r\n"Ada ""Ace"" Lovelace",""\r\n"Bo\r\nB.",\r\nCy\r\n'
    )

    assert [(line.line, line.name) for line in roster] == [
        (2, 'Ada "Ace" Lovelace'),
        (3, "Bo B."),
        (5, "Cy"),
    ]


def test_ignored_columns_have_notices():
    roster = read_csv("name,email,club,\nAda,a@example.org,ACM,x\n")

    assert list(roster) == [RosterLine(2, "Ada")]
    assert [(notice.line, str(notice.column)) for notice in roster.notices] == [
        (1, "email"),
        (1, "club"),
        (1, "column 4"),
    ]
    assert "not stored" in str(roster.notices[0].text)


def test_every_invalid_cell_is_reported():
    [line] = read_csv("name,seed,first_round_bye,paid,pronouns\n\u202e,0,perhaps,5 €,ok,extra\n")

    columns = [(problem.line, str(problem.column)) for problem in line.problems]
    assert columns == [
        *((2, "name"), (2, "name"), (2, "seed"), (2, "first_round_bye")),
        *((2, "paid"), (2, "column 6")),
    ]
    assert str(line.problems[4].text) == "Write yes or no, or leave it empty. It is '5 €'."


@pytest.mark.parametrize("seed", ["0", "-1", "1.5", "one", "10000", "1_0", "\u00b2", "9" * 5000])
def test_seed_is_a_whole_number_from_1(seed):
    [line] = read_csv(f"name,seed\nAda,{seed}\n")

    assert line.seed is None
    assert [problem.column for problem in line.problems] == ["seed"]


@pytest.mark.parametrize(
    ("answer", "bye"),
    [
        *dict.fromkeys(("yes", "YES", "1", "x"), True).items(),
        *dict.fromkeys(("no", "", "0"), False).items(),
    ],
)
def test_yes_and_no_have_several_spellings(answer, bye):
    [line] = read_csv(f"name,first_round_bye\nAda,{answer}\n")

    assert (line.first_round_bye, line.problems) == (bye, ())


def test_row_without_a_name_is_a_problem_and_an_empty_row_is_not():
    roster = read_csv("name,seed\n,3\n,\n\nAda,1\n")

    assert [(line.line, bool(line.problems)) for line in roster] == [(2, True), (5, False)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        ("\ufeff", "empty"),
        ("player,seed\nAda,1\n", "It has: player, seed"),
        ("name,Name\nAda,Bo\n", "name more than once"),
        ('name\nAda\n"Bo\nCy\n', "starts on line 3"),
    ],
)
def test_unreadable_table_is_refused_with_the_reason(text, words):
    with pytest.raises(RosterNotReadable, match=words):
        read_csv(text)


@pytest.mark.parametrize(
    ("names", "known", "expected"),
    [
        (["Eva Lindquist"], ["Eva Lindqvist"], {"Eva Lindquist": "Eva Lindqvist"}),
        (["Zoe Muller"], ["Zo\u00eb M\u00fcller"], {"Zoe Muller": "Zo\u00eb M\u00fcller"}),
        (["Eva Lindqvist"], ["Eva Lindqvist", "Eva Lindquist"], {}),
        (["Jan", "Ada Byron"], ["Jon", "Bo Li"], {}),
    ],
)
def test_known_spellings(names: list[str], known: list[str], expected: dict[str, str]):
    assert known_spellings(names, known) == expected


def test_exported_list_is_read_back():
    rows = [(name, number) for number, name in enumerate(NAMES, start=1)]

    roster = read_csv(decode_upload(csv_bytes(["name", "seed"], rows)))

    assert len(roster) == len(NAMES)
    assert [line.seed for line in roster] == list(range(1, len(NAMES) + 1))
    assert not any(line.problems or line.repeats for line in roster)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=5))
def test_written_csv_is_read_cell_by_cell(cells):
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([["name"], *([cell] for cell in cells)])

    roster = read_csv(buffer.getvalue())

    assert [line.name for line in roster] == [
        name for cell in cells if (name := clean(unescape_cell(cell)))
    ]


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with suppress(RosterNotReadable):
        roster = read_csv(f"name,seed\n{text}")
        assert all(line.line >= 2 for line in roster)


def names(text: str) -> list[tuple[int, str]]:
    return [(line.line, line.name) for line in read_names(text)]


def test_each_line_is_a_person_and_blank_lines_are_skipped():
    assert names("\ufeffAda\n\n  Bo  \r\n\t\nCy") == [(1, "Ada"), (3, "Bo"), (5, "Cy")]
    assert names("1. Ada\n2. \n3. Bo") == [(1, "Ada"), (3, "Bo")]


@pytest.mark.parametrize(
    "line", ["1. Ada", "12) Ada", "3: Ada", "- Ada", "* Ada", "\u2022 Ada", "  7.  Ada", "4\tAda"]
)
def test_numbers_and_bullets_in_front_are_dropped(line):
    assert names(line) == [(1, "Ada")]


@pytest.mark.parametrize("name", ["3Jane", "-Gus", "1984", "7 of 9", "*star*", "10.5 Nets", "2."])
def test_name_that_only_looks_numbered_is_unchanged(name):
    assert names(name) == [(1, name)]


def test_problem_of_a_name_states_the_line_and_a_fix():
    [_, line] = read_names("Ada\nBo\x07")

    (problem,) = line.problems
    assert (problem.line, problem.column) == (2, "")
    assert str(problem.in_place) == "line 2: Remove characters that cannot be shown: U+0007."


@pytest.mark.parametrize(
    ("read", "text", "repeats"),
    [
        (read_names, "\u00c4da\nBo\na\u0308DA\n\u00e4da", [None, None, 1, 1]),
        (read_csv, "name\nAda\nBo\nADA\n", [None, None, 2]),
    ],
)
def test_repeated_name_refers_to_its_first_line(read, text, repeats):
    assert [line.repeats for line in read(text)] == repeats


def test_files_in_utf_8_and_utf_16_are_text():
    assert decode_upload("Zo\u00eb".encode()) == "Zo\u00eb"
    assert decode_upload("Zo\u00eb".encode("utf-8-sig")) == "Zo\u00eb"
    assert decode_upload("Zo\u00eb".encode("utf-16")) == "Zo\u00eb"


def test_file_in_another_encoding_is_refused_with_its_line():
    with pytest.raises(RosterNotReadable, match="Line 2 is not UTF-8"):
        decode_upload("Ada\nZo\u00eb".encode("latin-1"))


@pytest.mark.parametrize(
    ("read", "head", "line"), [(read_names, "", 1001), (read_csv, "name\n", 1002)]
)
def test_lines_after_the_thousandth_are_left_out_with_a_notice(read, head, line):
    roster = read(head + "\n".join(f"Player {number}" for number in range(1, 1004)))

    assert len(roster) == 1000
    assert [(notice.line, "3 " in str(notice.text)) for notice in roster.notices] == [(line, True)]


@pytest.mark.parametrize(
    ("read", "data", "words"),
    [
        (read_names, "\u00e4" * (MAX_BYTES // 2 + 1), "Split it"),
        (read_csv, "name\n" + "a" * MAX_BYTES, "Split it"),
        (decode_upload, b"a" * (MAX_BYTES + 1), "at most"),
    ],
    ids=["names", "table", "file"],
)
def test_file_of_more_than_a_megabyte_is_refused(read, data, words):
    with pytest.raises(RosterNotReadable, match=words):
        read(data)


@given(st.lists(st.sampled_from(NAMES), unique=True))
def test_numbered_list_has_the_same_players(chosen):
    numbered = "\n".join(f"{number}. {name}" for number, name in enumerate(chosen, start=1))

    assert [line.name_key for line in read_names(numbered)] == [
        line.name_key for line in read_names("\r\n".join(chosen))
    ]


@given(st.text())
def test_any_text_is_read_line_by_line(text):
    roster = read_names(text)

    assert all(line.name or line.problems for line in roster)
    assert [line.line for line in roster] == sorted({line.line for line in roster})


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused_with_advice(data):
    try:
        decode_upload(data)
    except RosterNotReadable as refused:
        message = str(refused)
    else:
        return

    assert "CSV UTF-8" in message


def rows(text: str) -> list[tuple[str, str]]:
    return [(line.name, line.pronouns) for line in read_names(text) if not line.is_heading]


ADA_AND_BO = [("Ada", "she/her"), ("Bo", "")]


@pytest.mark.parametrize(
    "text",
    [
        "Ada\tshe/her\tNBN\nBo\t\tHB",
        "No\tName\tPronouns\n1\tAda\tshe/her\n2\tBo\t\n3\t\t",
        "| Name | Pronouns | Faction |\n|---|:-:|---|\n| **Ada** | she/her | NBN |\n| Bo | | HB |",
        "+-----+---------+\n| Ada | she/her |\n| Bo  |         |\n+-----+---------+",
        "Player;Pronouns;Paid\nAda;she/her;yes\nBo;;no",
        "Ada, she/her, NBN\nBo, , HB",
        "1. Ada, she/her, ada@x.org\n2. Bo, , bo@x.org",
        "ada@x.org, Ada, she/her\nbo@x.org, Bo,",
        "Name      Pronouns\nAda       she/her\nBo",
        "Players tonight:\nPronouns | Player\nshe/her | Ada\n | Bo",
        "Tuesday\nPlayer\tPronouns\nAda\tshe/her\nBo\t",
        "Ada she/her NBN\nBo",
        "- [x] Ada (she/her)\n- [ ] Bo",
        "Tuesday, 19:00\n1) Ada - she/her\n2) Bo",
        "1 Ada she/her\n2 Bo",
        "1 Ada, she/her, NBN\n2 Bo,,",
    ],
    ids=[
        *("tabs", "titles", "markdown", "boxes", "semicolons", "commas", "numbered", "email_first"),
        *(
            "wide_spaces",
            "title_above",
            "day_above",
            "faction_behind",
            "tick_boxes",
            "above_numbers",
            "counted",
            "counted_table",
        ),
    ],
)
def test_name_and_pronouns_are_read_from_any_table(text: str):
    assert rows(text) == ADA_AND_BO


@pytest.mark.parametrize(
    "text",
    [
        "Ada, Bo, Cy",
        "Ada; Bo; Cy",
        "Ada | Bo | Cy",
        "Ada\tBo\tCy",
        "Players: Ada, Bo and Cy",
        "Ada, Bo\nCy",
        "Ada, Bo, & Cy",
    ],
)
def test_several_players_on_a_line_are_read_one_by_one(text: str):
    roster = read_names(text, "list")

    assert [line.name for line in roster if not line.is_heading] == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("Ada, Bo, Cy", "list"),
        ("Ada Byron, Bo Li", "list"),
        ("Lovelace, Ada\nHopper, Grace", "lines"),
        ("Ada, Bo", "lines"),
        ("Ada, Berlin, NBN\nBo, Berlin, HB", "comma"),
        ("Ada (she, her)\nBo", "lines"),
        ('"Lovelace, Ada" <ada@x.org>\nBo', "lines"),
        ("4\tAda\n5\tBo", "lines"),
        ("Ada  Lovelace\nBo  Li", "lines"),
        ("7 of 9\n1984", "lines"),
    ],
)
def test_layout_is_recognised(text: str, layout: str):
    assert read_names(text).layout == layout


def test_line_with_pronouns_above_a_numbered_list_is_a_player():
    roster = read_names("Fay Moon (she/her)\n1. Gil\n2. Hana")

    assert [(line.name, line.is_heading) for line in roster] == [
        ("Fay Moon", False),
        ("Gil", False),
        ("Hana", False),
    ]


def test_first_player_of_a_table_without_pronouns_is_no_heading():
    roster = read_names("Bo\nAda\tshe/her\nCy\tthey/them")

    assert [(line.name, line.is_heading) for line in roster] == [
        ("Bo", False),
        ("Ada", False),
        ("Cy", False),
    ]


def test_comma_within_names_has_one_notice():
    roster = read_names("Lovelace, Ada\nHopper, Grace")

    assert [line.name for line in roster] == ["Lovelace, Ada", "Hopper, Grace"]
    assert [str(notice.in_place) for notice in roster.notices] == [
        'line 1: "Lovelace, Ada" is read as one player. For several players, choose "Several '
        'players per line".'
    ]


def test_text_after_the_pronouns_has_a_notice():
    roster = read_names("Ada she/her NBN")

    assert [str(notice.text) for notice in roster.notices] == [
        '"NBN" after the pronouns is left out.'
    ]


def test_columns_have_a_use_a_title_and_a_sample():
    roster = read_names("#\tPlayer\tMail\n1\tAda\tada@x.org\n2\tBo\t")

    assert roster.columns == (
        RosterColumn("ignored", "#", ("1", "2")),
        RosterColumn("name", "Player", ("Ada", "Bo")),
        RosterColumn("email", "Mail", ("ada@x.org",)),
    )
    assert [line.mail for line in roster] == ["ada@x.org", ""]
    assert not any("@" in line.name for line in roster)


def test_chosen_columns_are_used():
    text = "Byron\tAda\t3\nLi\tBo\t"

    roster = read_names(text, "tab", ["last_name", "first_name", "seed"])

    assert [(line.name, line.seed) for line in roster] == [("Ada Byron", 3), ("Bo Li", None)]


@pytest.mark.parametrize(
    ("uses", "words"),
    [
        (["ignored", "ignored"], "No column is chosen as the name"),
        (["name", "name"], 'Two columns are chosen as "Name"'),
    ],
)
def test_columns_without_one_name_are_refused(uses: list[str], words: str):
    with pytest.raises(RosterNotReadable, match=words):
        read_names("Ada\tshe/her\nBo\t", "tab", uses)


CELLS = st.sampled_from([name for name in NAMES if not set(name) & set('"|;,\t\n()[]<>:*')])


@given(
    st.lists(CELLS, min_size=2, unique_by=lambda name: comparison_key(name)),
    st.sampled_from(["\t", ";", ",", "|"]),
    st.permutations(["name", "pronouns", "club"]),
)
def test_titled_columns_are_read_in_any_order_and_with_any_separator(chosen, separator, order):
    cells = {"name": chosen, "pronouns": ["they/them"] * len(chosen), "club": ["x"] * len(chosen)}
    lines = [order, *zip(*(cells[title] for title in order), strict=True)]

    roster = read_names("\n".join(separator.join(line) for line in lines))

    assert [line.name_key for line in roster] == [comparison_key(name) for name in chosen]
    assert {line.pronouns for line in roster} == {"they/them"}


@given(st.text(), st.sampled_from(LAYOUTS))
def test_any_text_can_be_read_in_any_layout(text, layout):
    with suppress(RosterNotReadable):
        roster = read_names(text, layout)
        assert all(line.name or line.problems for line in roster)
        assert [line.line for line in roster] == sorted({line.line for line in roster})


@given(st.text(st.sampled_from('Ab1 .,;|\t\n-/@"()x')))
def test_second_reading_with_the_detected_layout_and_columns_is_the_same(text):
    first = read_names(text)

    second = read_names(text, first.layout, [column.use for column in first.columns])

    assert second == first


@given(st.text(st.sampled_from("Ab@.<> ,;\t\n(x")))
def test_no_email_address_passes_as_a_name(text):
    for line in read_names(text):
        assert line.problems or not EMAIL_ADDRESS.search(line.name)


def test_typed_name_replaces_an_unusable_name():
    roster = replace_names(read_names("gus@x.org\nAda"), {1: " Gus  Mo "})

    assert [(line.name, line.problems) for line in roster] == [("Gus Mo", ()), ("Ada", ())]
    [again, _] = replace_names(roster, {1: "gus@x.org"})
    assert again.problems


@pytest.mark.parametrize(
    ("name", "similar_name"),
    [
        ("Eva Lindqvist", "Eva Lindquist"),
        ("Martina Lo", "Marina Lo"),
        ("Jonas K\u00fchn", "Joans K\u00fchn"),
        ("Zo\u00eb", "Zoe"),
        ("Ali", "AIi"),
        ("Anna-Lena Berg", "Anna Lena Berg"),
    ],
)
def test_names_a_letter_apart_are_similar(name: str, similar_name: str):
    _, entry = plan_entries(read_names(f"{name}\n{similar_name}"), [])
    (registered,) = plan_entries(read_names(similar_name), [(7, name)])

    assert (entry.action, entry.reason) == (
        LineAction.SIMILAR,
        f"Almost the same as {name} on line 1.",
    )
    assert (registered.action, registered.existing_id) == (LineAction.SIMILAR, 7)


@pytest.mark.parametrize(
    ("name", "different_name"),
    [
        ("Ada K.", "Ada L."),
        ("Player 1", "Player 2"),
        ("Player 1", "Player 12"),
        ("Bo", "Jo"),
        ("Anna", "Anne"),
        ("Eva Lindqvist", "Ada Lindquist"),
    ],
)
def test_names_that_often_differ_by_a_letter_are_not_similar(name: str, different_name: str):
    assert [
        entry.action for entry in plan_entries(read_names(f"{name}\n{different_name}"), [])
    ] == [
        LineAction.ADD,
        LineAction.ADD,
    ]


@given(st.text(st.sampled_from("abc "), min_size=7, max_size=12), st.data())
def test_any_changed_letter_is_similar(name, data):
    name = f"abcabc{clean(name).replace(' ', '')}"
    place = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from("xyz"))
    for other in (
        name[:place] + letter + name[place + 1 :],
        name[:place] + letter + name[place:],
        name[:place] + name[place + 1 :],
    ):
        assert are_similar_names(name, other) == are_similar_names(other, name) == (name != other)


def test_excluded_line_is_not_added():
    entries = plan_entries(read_names("Players:\nAda\nAda\nBo"), [])

    assert [entry.line.line for entry in entries if entry.is_added((), ())] == [2, 4]
    assert [entry.line.line for entry in entries if entry.is_added((1, 3), (2,))] == [1, 3, 4]


ADD, REPEATED, REGISTERED = (
    (LineAction.ADD, None),
    (LineAction.REPEATED, None),
    (LineAction.REGISTERED, 7),
)


@pytest.mark.parametrize(
    ("text", "existing", "planned"),
    [
        ("Ada\nBo", [], [ADD, ADD]),
        ("zoe\u0308\nBo", [(7, "ZO\u00cb")], [REGISTERED, ADD]),
        ("Ada\nada", [], [ADD, REPEATED]),
        ("Ada\nAda", [(7, "Ada")], [REGISTERED, REGISTERED]),
        ("Ada", [(7, "Ada"), (8, "ADA")], [REGISTERED]),
    ],
)
def test_name_is_added_once_in_any_spelling(text, existing, planned):
    entries = plan_entries(read_names(text), existing)

    assert [(entry.action, entry.existing_id) for entry in entries] == planned


def test_unusable_line_has_all_reasons():
    [entry] = plan_entries(read_csv("name,seed\nAda,first\n"), [(7, "Ada")])

    assert entry.action == LineAction.INVALID
    assert "whole number from 1" in entry.reason


def test_reasons_contain_advice():
    entries = plan_entries(read_names("Ada\nBo\nBo"), [(7, "Ada")])

    assert [entry.reason for entry in entries] == [
        "Ada is already registered. If this is a different person, add an initial.",
        "",
        "Same name as line 2. Two people: add an initial to one.",
    ]


@pytest.mark.parametrize(
    ("text", "name", "pronouns", "mail"),
    [
        ("Ada <ada@example.org>", "Ada", "", "ada@example.org"),
        ("Ada Lovelace (she/her)", "Ada Lovelace", "she/her", ""),
        ("1. Ada (she / her) <Ada@Example.org>", "Ada", "she/her", "ada@example.org"),
        ("Ada <ada@example.org> (they)", "Ada", "they", "ada@example.org"),
        ("Ada, ada@example.org", "Ada", "", "ada@example.org"),
        ('"Lovelace, Ada" <ada@example.org>', "Lovelace, Ada", "", "ada@example.org"),
        ("Ada (Ace)", "Ada (Ace)", "", ""),
        ("Bob (Rotterdam/NL)", "Bob (Rotterdam/NL)", "", ""),
        ("Max (him)", "Max", "him", ""),
        ("Flo (she, her)", "Flo", "she/her", ""),
        ("Kim (Xe/xem/xyr)", "Kim", "Xe/xem/xyr", ""),
        ("Ida (Sie / ihr)", "Ida", "Sie/ihr", ""),
        ("Ada (IT)", "Ada (IT)", "", ""),
        ("ada@example.org", "ada@example.org", "", ""),
        ("(she/her)", "(she/her)", "", ""),
    ],
)
def test_pronouns_and_email_after_a_name_are_read(text, name, pronouns, mail):
    (line,) = read_names(text)

    assert (line.name, line.pronouns, line.mail) == (name, pronouns, mail)


def test_repeated_email_is_the_same_person():
    roster = read_names("Ada <ada@example.org>\nA. Lovelace <ADA@example.org>\nBo")

    plan = plan_entries(roster, [])

    assert [entry.action for entry in plan] == [LineAction.ADD, LineAction.REPEATED, LineAction.ADD]
    assert plan[1].reason == "Same email address as line 1: the same person."
    assert [notice.line for notice in roster.notices] == [1]
    assert "not stored" in str(roster.notices[0].text)


def test_registered_name_is_recognised_without_pronouns_and_email():
    (planned,) = plan_entries(read_names("ADA (she/her) <ada@example.org>"), [(7, "Ada")])

    assert (planned.action, planned.existing_id) == (LineAction.REGISTERED, 7)
