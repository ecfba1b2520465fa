import datetime
from dataclasses import replace

from decks.card_data.readers import shipped_card_data
from decks.card_data.records import (
    AliasRecord,
    CardData,
    CardRecord,
    EntryRecord,
    PrintingRecord,
    RestrictionRecord,
    compare_card_data,
    field_changes,
    record_name,
)


def make_card(title, card_id="", **facts):
    slug = title.lower().replace(" ", "-")
    return CardRecord(title, slug, "corp", "ice", card_id=card_id, **facts)


def of(*cards, **kinds):
    return CardData("anr", cards=cards, **kinds)


def changes(old, new):
    return {
        record_name(after): [str(change) for change in field_changes(before, after)]
        for before, after in compare_card_data(old, new).cards.changed
    }


def test_source_does_not_differ_from_itself():
    differences = compare_card_data(shipped_card_data("anr"), shipped_card_data("anr"))

    assert differences.is_empty
    assert [difference.gone for difference in differences] == [()] * 10
    assert differences.cards.unchanged == 1988


def test_new_and_gone_cards_are_listed_apart():
    differences = compare_card_data(
        of(make_card("Wall", "wall")), of(make_card("Moat", "moat"))
    ).cards

    assert [card.title for card in differences.new] == ["Moat"]
    assert [card.title for card in differences.gone] == ["Wall"]


def test_change_is_shown_field_by_field():
    old, new = (
        make_card("Wall", "wall", cost="3"),
        make_card("Wall", "wall", cost="X", deck_limit=1),
    )

    assert changes(of(old), of(new)) == {"Wall": ["cost 3 -> X", "deck_limit nothing -> 1"]}


def test_card_is_matched_by_id_if_its_title_changes():
    assert changes(of(make_card("Wall", "wall")), of(make_card("The Wall", "wall"))) == {
        "The Wall": ["title Wall -> The Wall", "slug wall -> the-wall"]
    }


def test_card_is_matched_by_title_if_its_id_changes():
    assert changes(of(make_card("Wall", "wall_1")), of(make_card("Wall", "wall"))) == {
        "Wall": ["card_id wall_1 -> wall"]
    }


def test_cards_that_swap_titles_are_two_changes():
    old = of(make_card("Wall", "a"), make_card("Moat", "b"))
    new = of(make_card("Moat", "a"), make_card("Wall", "b"))
    differences = compare_card_data(old, new).cards

    assert (len(differences.new), len(differences.changed), len(differences.gone)) == (0, 2, 0)


def test_set_changes_show_only_added_and_removed_members():
    wall, moat = (EntryRecord(card, "banned") for card in ("wall", "moat"))
    old = RestrictionRecord("one", "One", "standard", datetime.date.min, entries=frozenset({wall}))
    points = EntryRecord("moat", "points", 2)
    new = replace(old, entries=frozenset({wall, moat, points}))

    assert [str(change) for change in field_changes(old, new)] == [
        "entries nothing -> moat banned, moat points 2"
    ]


def test_position_in_the_source_does_not_count():
    old = PrintingRecord("01001", "wall", "core", 1, 3, where="line 2")

    assert compare_card_data(
        of(printings=(old,)), of(printings=(replace(old, where="line 9"),))
    ).is_empty


def test_spelling_belongs_to_its_title_whatever_its_id():
    old = of(make_card("Wall", "wall_1"), aliases=(AliasRecord("Wal", "wall_1"),))
    new = of(make_card("Wall", "wall"), aliases=(AliasRecord("Wal", "wall"),))

    assert compare_card_data(old, new).aliases.is_empty
    assert compare_card_data(old, new).aliases.gone == ()
