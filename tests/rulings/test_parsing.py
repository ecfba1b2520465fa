"""Parsing lists in the format of the original."""

import pytest

from rulings.parsing.digest import fingerprint
from rulings.parsing.original import LARGEST_FILE, read_original, without_subject
from rulings.parsing.records import DamagedDocument
from tests.rulings.builders import CLOSING, ROWS, RULE, digest_of, document_of, facts_of


def read(text: str | bytes):
    data = text if isinstance(text, bytes) else text.encode()
    return read_original(data, digest_of(), facts_of())


def refusal(text: str | bytes) -> DamagedDocument:
    with pytest.raises(DamagedDocument) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize("broken", [False, True])
def test_every_ruling_is_read_word_for_word(broken):
    rulings = read(document_of(broken=broken))

    assert [(ruling.code, ruling.subject, ruling.text) for ruling in rulings] == [
        (row.code, row.subject, row.wording) for row in ROWS
    ]


def test_errata_are_marked():
    rulings = read(document_of())

    assert [ruling.code for ruling in rulings if ruling.is_marked_errata] == ["ball-and-chain-1"]


def test_windows_line_ends_a_byte_order_mark_and_indents_change_nothing():
    text = "\ufeff" + document_of(broken=True).replace("\n", "\r\n   ")

    assert [ruling.text for ruling in read(text)] == [row.wording for row in ROWS]


def test_trademark_signs_in_either_bracket_end_a_ruling():
    assert len(read(document_of().replace("Dropp [TM]", "Dropp (TM)"))) == len(ROWS)


def test_subject_is_removed_only_at_the_end_of_the_text():
    assert without_subject('said "so." (A, 5/1/96) "Armadillo" Home', '"Armadillo" Home') == (
        'said "so." (A, 5/1/96)'
    )
    assert without_subject("The Deck is here", "The Deck") is None
    assert without_subject("Adrift", "drift") is None


def test_fingerprint_ignores_punctuation():
    assert fingerprint('Bits: "two",\nnow.') == fingerprint("bits two now")
    assert fingerprint("bits two now") != fingerprint("bits too now")


WHOLE = document_of()
TRACING = f"@{ROWS[1].wording}"
WITHOUT_CORP = WHOLE[: WHOLE.index(f"{RULE} Corp")] + WHOLE[WHOLE.index(f"{RULE} Runner") :]
SWAPPED = [ROWS[1], ROWS[0], *ROWS[2:]]

DAMAGED = [
    ("empty", "", 'section "General" is missing'),
    ("another text", "Standings after round 3", 'section "General" is missing'),
    ("section", WITHOUT_CORP, 'the section "Corporation" should begin here, not "Runner"'),
    (
        "ruling",
        WHOLE.replace(TRACING + " ", ""),
        'after ruling 1 (tracing-1), ruling 2 (tracing-2) is missing before "Public Looks"',
    ),
    ("first", WHOLE.replace(f"@{ROWS[0].wording} ", ""), "ruling 1 (tracing-1) is missing"),
    (
        "last of section",
        WHOLE.replace(f" Dropp [TM] @{ROWS[6].wording}", ""),
        'the subject "Dropp [TM]" should follow',
    ),
    (
        "doubled",
        WHOLE.replace(TRACING, f"{TRACING} {TRACING}"),
        'after ruling 2 (tracing-2) the subject "Public Looks" should follow',
    ),
    (
        "doubled before its successor",
        WHOLE.replace(f"@{ROWS[0].wording}", f"@{ROWS[0].wording} @{ROWS[0].wording}"),
        "ruling 1 (tracing-1) is here again, ruling 2 (tracing-2) is expected",
    ),
    ("extra", WHOLE.replace(f" {RULE} {CLOSING}", f" @New. {RULE} {CLOSING}"), "not in the"),
    (
        "order",
        document_of(SWAPPED),
        "ruling 1 (tracing-1) is missing: ruling 2 (tracing-2) is in its",
    ),
    ("half", WHOLE[: len(WHOLE) // 2], "cut off"),
    ("end", WHOLE[:-9], "the closing notice is not that of the document"),
    ("no closing rule", WHOLE.replace(f"{RULE} {CLOSING}", ""), 'section "Runner" has no end'),
    ("words", WHOLE.replace("may well succeed", "may not succeed"), "words are changed or"),
    (
        "unknown subject",
        WHOLE.replace("Public Looks @", "Private Looks @"),
        'the subject "Public Looks" should follow, not',
    ),
    (
        "unknown first subject",
        WHOLE.replace("Ball and Chain @", "Balls @"),
        'the subject "Ball and Chain" should be here, not "Balls"',
    ),
    ("edition", WHOLE.replace("v1.62", "v1.70"), "this is v1.70, the digest is of"),
    ("preamble", WHOLE.replace("A small list", "A list"), "the preamble is not that of"),
    ("rule", f"{WHOLE} {RULE} more", "a rule follows the end"),
    ("whole list twice", f"{WHOLE} {WHOLE}", "the list appears twice in this file"),
    ("bytes", WHOLE.encode() + b"\xff\xfe", "this is not UTF-8 text"),
    ("other encoding", WHOLE.encode("utf-16"), "this is not UTF-8 text"),
    ("control", WHOLE.replace("Hands", "Ha\0nds"), "the text contains a control character"),
    ("too large", b" " * (LARGEST_FILE + 1), "the file is larger than"),
    ("no ruling", WHOLE.replace("@", ""), 'the section "General" has no ruling'),
]


@pytest.mark.parametrize(
    ("text", "reason"), [row[1:] for row in DAMAGED], ids=[row[0] for row in DAMAGED]
)
def test_damaged_document_is_refused_with_place_and_reason(text, reason):
    damage = refusal(text)

    assert reason in damage.reason
    assert str(damage).startswith("line 1")


def test_refusal_names_the_line_of_a_broken_copy():
    damage = refusal(document_of(broken=True).replace("Hands are", "Heads are"))

    assert (damage.line, damage.character) == (9, 1)
    assert str(damage).startswith("line 9, character 1: this is not the wording of ruling 3")
