"""House rulings as text: strict parsing, and rendering that parses to the same document."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.parsing.house import (
    HOUSE_KINDS,
    MAX_RULINGS,
    normalised_paragraphs,
    read_house,
    render_json_lines,
    render_markdown,
)
from rulings.parsing.records import MAX_SHOWN_FAULTS, FaultyFile, FileDocument, FileRuling

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "reference" / "rulings-files.md"
HEAD = "---\ntitle: Tuesday league\ndate: 2026-05-31\n---\n"
FULL = """---
title: Tuesday league
id: tuesday
edition: 2026-05
date: 2026-05-31
game: onr
authority: Jo Field
---

# Tuesday league

## Lockjaw

- Lockjaw lasts until the end of the run,
  whatever else happens.

  It ends with the run.
  - date: 2026-05-01
  - venue: Boston
  - via: Ann
  - kind: errata
  - supersedes: R-0372, lockjaw-1
  - cards: Joan of Arc; Cloak
  - topics: Tracing
  - id: tuesday-lockjaw-1
- \\- a text with a dash

## Topic: Table talk

* Nobody helps a player.
"""


def faults(text: str) -> list[str]:
    with pytest.raises(FaultyFile) as caught:
        read_house(text)
    return [str(fault) for fault in caught.value.faults]


def test_file_is_read_with_all_its_fields():
    document = read_house(FULL)

    assert (document.title, document.slug, document.edition) == (
        "Tuesday league",
        "tuesday",
        "2026-05",
    )
    assert document.published_on == date(2026, 5, 31)
    assert document.rulings[0] == FileRuling(
        subject="Lockjaw",
        text="Lockjaw lasts until the end of the run, whatever else happens.\n\n"
        "It ends with the run.",
        kind="errata",
        authority="Jo Field",
        via="Ann",
        venue="Boston",
        date=date(2026, 5, 1),
        id="tuesday-lockjaw-1",
        supersedes=("R-0372", "lockjaw-1"),
        cards=("Joan of Arc", "Cloak"),
        topics=("Tracing",),
    )
    assert document.rulings[0].line == 14
    assert document.rulings[1].text == "- a text with a dash"
    assert document.rulings[2].sort == "topic"
    assert document.rulings[2].authority == "Jo Field"


def test_json_lines_give_the_same_document():
    assert read_house(render_json_lines(read_house(FULL))) == read_house(FULL)


def test_examples_of_the_documentation_are_read():
    lines = DOCUMENTATION.read_text("utf-8").split("\n")
    code = [line.removeprefix("    ") for line in lines if line.startswith("    ") or not line]
    start = code.index("---")
    end = next(line_number for line_number, line in enumerate(code) if line.startswith("{"))

    document = read_house("\n".join(code[start:end]))
    in_json = read_house("\n".join(code[end : end + 2]))

    assert [ruling.subject for ruling in document.rulings] == ["Lockjaw", "Table talk"]
    assert document.rulings[0].cards == ("Joan of Arc", "Cloak")
    assert in_json.rulings[0].id == "tuesday-lockjaw-1"


def test_windows_and_old_mac_line_ends_change_nothing():
    assert read_house(FULL.replace("\n", "\r")) == read_house(FULL)


def test_title_makes_the_address_without_an_id():
    assert read_house(HEAD + "## Lockjaw\n- So.\n").slug == "tuesday-league"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["line 1: the head is missing"]),
        ("---", ["line 1: the head has no end", "line 1: there is no ruling"]),
        ("## Lockjaw\n- So.", ["line 1: the head is missing"]),
        ("---\ntitle: T\ndate: 2026-05-31\n", ["line 1: the head has no end", "no ruling"]),
        (
            HEAD.replace("title: ", "name: ") + "## A\n- So.",
            ['no field "name"', "title is missing"],
        ),
        (HEAD.replace("2026-05-31", "31 May") + "## A\n- So.", ["the day is missing"]),
        (HEAD.replace("---\n", "---\ntitle: T\n", 1) + "## A\n- So.", ['line 3: "title" appears']),
        (HEAD.replace("date", "game: chess\ndate") + "## A\n- So.", ['no game "chess"']),
        (HEAD.replace("Tuesday league", "\u706b\u66dc") + "## A\n- So.", ['a line "id:']),
        (HEAD, ["line 1: there is no ruling in the file"]),
        (HEAD + "- So.", ["line 5: this ruling has no subject"]),
        (HEAD + "## A\nSo.", ["line 6: this line belongs to no ruling"]),
        (HEAD + "## A\n- So.\nand so", ["line 7: continue a text with two spaces"]),
        (HEAD + "## A\n- So.\n  - colour: red", ['line 7: there is no field "colour"']),
        (HEAD + "## A\n- So.\n  -x", ["line 7: a field reads"]),
        (HEAD + "## A\n- So.\n  - id: a-1\n  - id: a-2", ['line 8: "id" appears twice']),
        (HEAD + "## A\n- So.\n  - id: a-1\n  more", ["line 8: the text of a ruling comes before"]),
        (HEAD + "### A\n- So.", ["line 5: a subject has a heading", "line 6: this ruling has no"]),
        (HEAD + "## A\n- So.\n  - kind: joke", ['line 6: there is no kind "joke"']),
        (HEAD + "## A\n- So.\n  - date: 5/1/26", ['line 6: "5/1/26" is not a day']),
        (
            HEAD + "## A\n- So.\n  - date: 2026-05-01",
            ["line 6: it has a date, venue or via but no authority"],
        ),
        (HEAD + "## A\n- So.\n  - id: Lockjaw", ['line 6: "Lockjaw" is not an id']),
        (HEAD + "## A\n- So.\n  - supersedes: all", ['line 6: "all" is not the code']),
        (HEAD + "## A; B\n- So.", ['a subject must not contain ";"']),
        (HEAD + "## A\n- \u200b", ["line 6: the ruling has no text"]),
        (HEAD + "## A\n- So\u202e.", ["contains unreadable characters"]),
        (HEAD + f"## A\n- {'x' * 5001}", ["the text has 5001 characters"]),
        (HEAD + "## A\n- So.\n- So.", ["line 6: this ruling appears twice", "line 7: this ruling"]),
        (HEAD + "## A\n- So.\n  - id: a-1\n- No.\n  - id: a-1", ["the id a-1 appears twice"] * 2),
        (FULL + FULL, ["appears twice"]),
        (HEAD + "## A\n" + "".join(f"- {n}.\n" for n in range(MAX_RULINGS + 1)), ["2,000"]),
    ],
)
def test_fault_has_line_and_advice(text, expected):
    fault_text = faults(text)

    for expected_text in expected:
        assert any(expected_text in fault for fault in fault_text), (expected_text, fault_text)


def test_all_faults_are_reported_together_in_order():
    text = HEAD + "## A\n- So.\n  - kind: joke\n- No.\n  - colour: red\n## B; C\n- Yes.\nno\n"

    assert [fault.split(":")[0] for fault in faults(text)] == [
        "line 6",
        "line 9",
        "line 11",
        "line 12",
    ]


def test_missing_head_is_the_only_reported_fault():
    assert len(faults("# Another file\n\nof which\nno line is a ruling")) == 1


def test_many_faults_are_counted():
    with pytest.raises(FaultyFile) as caught:
        read_house(HEAD + "## A\n" + "no\n" * 100)

    assert len(caught.value.lines()) == MAX_SHOWN_FAULTS + 1
    assert caught.value.lines()[-1] == "and 71 more"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[]", "a line holds one JSON object"),
        ('{"subject": "A", "text": "So.", "text": "No."}', "appears twice"),
        ('{"subject": "A", "text": 3}', '"text" is not a text'),
        ('{"subject": "A", "text": "So.", "cards": "B"}', '"cards" is not a list of texts'),
        ('{"subject": "A", "text": "So.", "colour": "red"}', 'there is no field "colour"'),
        ('{"subject": "A", "text": "So.", "cards": [["B"]]}', '"cards" is not a list'),
        ('{"subject": "A", "text": [[[[[]]]]]}', "nested deeper"),
        ("{", "This is not JSON"),
    ],
)
def test_fault_in_json_lines_has_its_line(line, expected):
    head = '{"title": "T", "date": "2026-05-31"}'

    fault_text = faults(f'{head}\n\n{line}\n{{"subject": "C", "text": "Yes."}}')

    assert any(fault.startswith("line 3: ") and expected in fault for fault in fault_text), (
        fault_text
    )


def test_faulty_head_in_json_lines_is_reported():
    fault_text = faults('{"title": 3}\n{"subject": "C", "text": "Yes."}')

    assert '"title" is not a text' in fault_text[0] or '"title" is not a text' in fault_text[1]
    assert any("the day is missing" in fault for fault in fault_text)


LETTERS = st.characters(blacklist_categories=("Cc", "Cs", "Co", "Cn", "Cf", "Zl", "Zp"))
WORDS = (
    st.text(LETTERS, min_size=1, max_size=30)
    .map(normalised_paragraphs)
    .filter(lambda text: any(letter.isalnum() for letter in text))
)
NAMES = WORDS.filter(lambda name: ";" not in name and ":" not in name)
TEXTS = st.lists(WORDS, min_size=1, max_size=3).map("\n\n".join)
RULINGS = st.builds(
    FileRuling,
    subject=NAMES,
    text=TEXTS,
    sort=st.sampled_from(["card", "topic"]),
    kind=st.sampled_from(HOUSE_KINDS),
    authority=NAMES,
    via=st.one_of(st.just(""), NAMES),
    venue=st.one_of(st.just(""), NAMES),
    date=st.one_of(st.none(), st.dates()),
    supersedes=st.lists(st.sampled_from(["R-0001", "lockjaw-1"]), unique=True).map(tuple),
    cards=st.lists(NAMES, max_size=3, unique=True).map(tuple),
    topics=st.lists(NAMES, max_size=3, unique=True).map(tuple),
)


@given(
    st.text(st.sampled_from(list("-#*\\ \nab:;{}[]\"'\t\r\u200b\u202e\x00")), max_size=60),
    st.sampled_from(["", HEAD, HEAD + "## A\n", '{"title": "T", "date": "2026-05-31"}\n']),
)
def test_any_text_is_read_or_refused_with_a_reason(text, before):
    faults, rulings = faults_or_rulings(before + text)

    assert bool(faults) != bool(rulings)
    assert all(fault.line > 0 and fault.reason for fault in faults)


def faults_or_rulings(text: str):
    try:
        return [], read_house(text).rulings
    except FaultyFile as faulty:
        return faulty.faults, []


@given(
    rulings=st.lists(
        RULINGS, min_size=1, max_size=5, unique_by=lambda row: (row.subject.casefold(), row.text)
    ),
    title=NAMES,
    edition=st.sampled_from(["", "2", "May 2026"]),
)
def test_rendered_file_parses_to_the_same_document(rulings, title, edition):
    document = FileDocument(
        title, "house", date(2026, 5, 31), edition=edition, rulings=tuple(rulings)
    )

    assert read_house(render_markdown(document)) == document
    assert read_house(render_json_lines(document)) == document
