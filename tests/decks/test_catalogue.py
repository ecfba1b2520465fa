"""Cached tables of cards and formats, and their invalidation."""

from dataclasses import replace

import pytest
from django.db import transaction

from decks import importer
from decks.card_data.readers import shipped_card_data
from decks.catalogue import card_table, format_table, stored_tables
from decks.models import Card, Catalogue

pytestmark = pytest.mark.django_db


def cards_with_new_title(title):
    """The shipped cards, with a new title for the first card."""
    data = shipped_card_data("onr")
    first = replace(data.cards[0], title=title, slug="renamed")
    return replace(data, cards=(first, *data.cards[1:]), aliases=())


def test_cached_cards_and_formats_need_a_single_query(cards, django_assert_num_queries):
    first = stored_tables("onr")
    assert first.cards.cards
    assert list(first.formats) == []

    with django_assert_num_queries(1):
        tables = stored_tables("onr")
        assert (tables.cards, tables.formats) == (first.cards, first.formats)


def test_larger_table_needs_no_more_queries(cards, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        card_table("onr")
    with django_assert_max_num_queries(8):
        format_table("onr")


def test_import_and_its_rollback_take_effect_immediately(cards):
    before = card_table("onr")
    assert before.find("Another Title") is None

    with transaction.atomic():
        importer.import_cards(data=cards_with_new_title("Another Title"))
        assert card_table("onr").find("Another Title") is not None
        transaction.set_rollback(True)

    assert card_table("onr").find("Another Title") is None
    assert card_table("onr").find(before.cards[0].title) is not None


def test_import_that_changes_nothing_keeps_the_table(cards):
    before = card_table("onr")
    importer.import_cards()

    assert card_table("onr") is before


def test_cards_created_without_an_import_are_found():
    assert card_table("anr").cards == ()
    facts = {"game": "anr", "side": "corp", "type": "ice"}
    Card.objects.create(title="Wall", slug="wall", card_id="wall", **facts)
    assert card_table("anr").find("wall").card_id == "wall"
    Card.objects.create(title="Moat", slug="moat", card_id="moat", **facts)

    assert card_table("anr").find("moat").card_id == "moat"
    assert not Catalogue.objects.exists()


def test_game_without_formats_has_an_empty_table(cards):
    assert list(format_table("onr")) == []
