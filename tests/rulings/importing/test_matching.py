"""Matching the rulings of a new edition to those of the old one."""

from hypothesis import given
from hypothesis import strategies as st

from rulings.parsing.matching import MAX_COMPARED, EditionRuling, StoredRuling, match_codes

OLD = [
    StoredRuling("a-1", "lockjaw", "Lockjaw lasts until the end of the run."),
    StoredRuling("a-2", "lockjaw", "Lockjaw may be used twice in one turn."),
    StoredRuling("a-3", "table talk", "Nobody helps a player."),
]


def repeated_ruling(ruling: StoredRuling) -> EditionRuling:
    return EditionRuling(ruling.subject, ruling.text)


@given(st.permutations(OLD))
def test_order_changes_no_code(order):
    assert match_codes([repeated_ruling(row) for row in order], OLD) == [row.code for row in order]


def test_changed_text_keeps_its_code():
    new_rulings = [
        EditionRuling("lockjaw", "Lockjaw may be used twice in one turn, and no more."),
        EditionRuling("lockjaw", "Lockjaw lasts until the very end of the run."),
    ]

    assert match_codes(new_rulings, OLD) == ["a-2", "a-1"]


def test_different_text_or_subject_is_a_new_ruling():
    new_rulings = [
        EditionRuling("lockjaw", "An icebreaker in a daemon has no strength of its own."),
        EditionRuling("cloak", "Lockjaw lasts until the end of the run."),
    ]

    assert match_codes(new_rulings, OLD) == ["", ""]


def test_id_takes_precedence_over_text():
    new_rulings = [
        EditionRuling("lockjaw", "Nothing of the kind.", id="a-1"),
        repeated_ruling(OLD[0]),
    ]

    assert match_codes(new_rulings, OLD) == ["a-1", ""]


def test_withdrawn_ruling_returns_with_its_code():
    old = [StoredRuling("a-1", "lockjaw", "It lasts.", is_withdrawn=True)]

    assert match_codes([EditionRuling("lockjaw", "It lasts!")], old) == ["a-1"]
    assert match_codes([EditionRuling("lockjaw", "It lasts long.")], old) == [""]


def test_answer_is_matched_by_its_question():
    old = [StoredRuling("a-1", "sure gamble", "Question: May I play it with 4?\n\nAnswer: No.")]
    new_rulings = [
        EditionRuling("sure gamble", "Question: May I play it with 4?\n\nAnswer: Yes, always so.")
    ]

    assert match_codes(new_rulings, old) == ["a-1"]


def test_too_many_changed_rulings_of_one_subject_are_not_compared():
    count = MAX_COMPARED // 50 + 1
    old = [StoredRuling(f"a-{n}", "lockjaw", f"It lasts {n} turns long") for n in range(count)]
    new_rulings = [EditionRuling("lockjaw", f"It lasts {n} whole turns long") for n in range(count)]

    assert set(match_codes(new_rulings, old)) == {""}


TEXTS = st.sampled_from(["one two three", "one two four", "five six", "seven"])


@given(
    st.lists(st.builds(EditionRuling, subject=st.sampled_from("xy"), text=TEXTS), max_size=8),
    st.lists(st.tuples(st.sampled_from("xy"), TEXTS, st.booleans()), max_size=8),
)
def test_codes_are_unique_and_keep_their_subject(new_rulings, rows):
    stored = [StoredRuling(f"k-{n}", *row) for n, row in enumerate(rows)]

    codes = match_codes(new_rulings, stored)

    given_codes = [code for code in codes if code]
    assert len(given_codes) == len(set(given_codes))
    subjects = {row.code: row.subject for row in stored}
    assert all(
        subjects[code] == row.subject for row, code in zip(new_rulings, codes, strict=True) if code
    )
