"""Differences between two lists."""

from hypothesis import given
from hypothesis import strategies as st

from decks.legality.difference import CopiesChange, ListFacts, compare_lists


def facts(text: str, seal: str = "", identity: str = "") -> ListFacts:
    """A list of lines such as "3 Fang"; a line without a number names no card."""
    copies = {
        line.split(" ", 1)[1]: int(line.split(" ", 1)[0])
        for line in text.splitlines()
        if line[:1].isdigit()
    }
    return ListFacts(seal or repr(sorted(copies.items())), copies, identity, (*text.splitlines(),))


def test_cards_are_added_removed_and_changed_by_title():
    change = compare_lists(
        facts("3 Fang\n2 Wisp\n1 Loony Goon"), facts("1 Fang\n1 Loony Goon\n4 Raptor")
    )

    assert change.added == (CopiesChange("Raptor", 0, 4),)
    assert change.removed == (CopiesChange("Wisp", 2, 0),)
    assert change.changed == (CopiesChange("Fang", 3, 1),)
    assert [
        card_change.step for card_change in (*change.added, *change.removed, *change.changed)
    ] == [
        "+4",
        "-2",
        "-2",
    ]


def test_different_order_changes_the_text_only():
    change = compare_lists(facts("3 Fang\n2 Wisp"), facts("2 Wisp\n3 Fang"))

    assert change.only_writing_changed
    assert not change.cards_changed
    assert (change.lines_added, change.lines_removed) == ((), ())


def test_different_spelling_shows_its_lines():
    change = compare_lists(facts("3 Fang", seal="one"), facts("3 Fang\n# mine", seal="one"))

    assert change.only_writing_changed
    assert change.lines_added == ("# mine",)


def test_changed_identity_is_reported():
    change = compare_lists(facts("3 Fang", "a", "Noise"), facts("3 Fang", "b", "Gabriel Santiago"))

    assert change.identity == ("Noise", "Gabriel Santiago")
    assert change.cards_changed
    assert not change.only_unknown_changed


def test_lines_without_a_card_are_listed_separately():
    change = compare_lists(facts("3 Fang\n?2 Fnag", "a"), facts("3 Fang\n?2 Fnagg", "b"))

    assert change.only_unknown_changed
    assert (change.lines_removed, change.lines_added) == (("?2 Fnag",), ("?2 Fnagg",))


def test_repeated_line_is_a_single_added_line():
    change = compare_lists(facts("a\na", "x"), facts("a\na\na", "x"))

    assert (change.lines_added, change.lines_removed) == (("a",), ())


decks = st.dictionaries(st.sampled_from("ABCDEFG"), st.integers(1, 4))


@given(decks, decks)
def test_changes_lead_from_the_older_to_the_newer_list(
    older: dict[str, int], newer: dict[str, int]
):
    change = compare_lists(ListFacts("o", older), ListFacts("n", newer))

    changed = dict(older)
    for card_change in (*change.added, *change.removed, *change.changed):
        assert changed.get(card_change.title, 0) == card_change.before
        changed[card_change.title] = card_change.after
    assert {title: copies for title, copies in changed.items() if copies} == newer


@given(decks, decks)
def test_reverse_difference_mirrors_the_difference(older: dict[str, int], newer: dict[str, int]):
    forwards = compare_lists(ListFacts("o", older), ListFacts("n", newer))
    backwards = compare_lists(ListFacts("n", newer), ListFacts("o", older))

    assert [card_change.title for card_change in forwards.added] == [
        card_change.title for card_change in backwards.removed
    ]
    assert [card_change.title for card_change in forwards.changed] == [
        card_change.title for card_change in backwards.changed
    ]
