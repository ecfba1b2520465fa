"""Facts of the rules, compared with the card data field by field."""

from dataclasses import fields

import pytest

from decks.card_data.readers import shipped_card_data
from decks.legality import card_tables
from decks.legality.records import CardFacts

CONVERTED_FIELDS = {"id", "printings", "agenda_points"}


def numbered(game: str) -> dict[str, int]:
    return {
        card.title_key: number for number, card in enumerate(shipped_card_data(game).cards, start=7)
    }


@pytest.mark.parametrize("game", ["onr", "anr"])
def test_facts_match_every_card(game: str):
    data, ids = shipped_card_data(game), numbered(game)
    table = card_tables.build_card_table(data, ids)

    for record in data.cards:
        card = table.find(record.title)
        assert card is not None
        assert card.id == ids[record.title_key]
        assert card.agenda_points == (record.agenda_points or 0)
        for name in {field.name for field in fields(CardFacts)} - CONVERTED_FIELDS:
            assert getattr(card, name) == getattr(record, name), (record.title, name)
    assert len(table.cards) == len(data.cards)


def test_alias_leads_to_its_card():
    data = shipped_card_data("onr")
    table = card_tables.build_card_table(data, numbered("onr"))

    assert data.aliases
    for alias in data.aliases:
        card = table.find(alias.alias)
        assert card is not None
        assert card.title_key == alias.card


def test_snapshots_of_a_format_are_in_order_of_time():
    data = shipped_card_data("anr")
    table = card_tables.build_format_table(data)
    pools = {pool.id: pool for pool in data.pools}
    lists = {restriction.id: restriction for restriction in data.restrictions}
    recorded = {snapshot.id: snapshot for snapshot in data.snapshots}

    places = {format_.id: (format_.position, format_.name) for format_ in data.formats}
    assert [places[format_facts.id] for format_facts in table] == sorted(places.values())
    ids = []
    for format_ in table:
        days = [snapshot.effective_from for snapshot in format_.snapshots]
        assert days == sorted(days)
        for snapshot in format_.snapshots:
            record = recorded[snapshot.id]
            assert record.format == format_.id == snapshot.format_id
            assert snapshot.effective_from == record.effective_from
            pool = pools[record.pool]
            assert (snapshot.pool.id, snapshot.pool.name) == (pool.id, pool.name)
            assert snapshot.pool.set_ids == pool.sets
            if record.restriction:
                assert snapshot.restriction == card_tables.restriction_facts(
                    lists[record.restriction]
                )
            else:
                assert snapshot.restriction is None
            ids.append(snapshot.id)
    assert sorted(ids) == sorted(recorded)
