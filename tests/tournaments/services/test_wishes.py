"""Fixed tables, feature tables and ranges of the room, from the wish to the draft."""

from tests.factories.tournaments import (
    draft_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    tables_of,
)
from tournaments import queries
from tournaments.drafts.table_numbers import FIXED_TABLE_TAKEN
from tournaments.models import Registration, Round, Tournament
from tournaments.services import drafting, wishes


def numbers(round_: Round) -> list[int]:
    return [pairing.table_number or 0 for pairing in tables_of(round_)]


def table_of(round_: Round, registration: Registration) -> int | None:
    pairing = queries.pairing_of(round_, registration.player)
    return pairing.table_number if pairing else None


def test_a_draft_uses_the_tables_of_the_room():
    event = make_event(players=8, table_numbers="21-22, 40")

    assert numbers(draft_round(event)) == [21, 22, 40, 41]


def test_a_player_with_a_fixed_table_plays_there():
    event = make_event(players=8)
    fixed = player_number(event, 5)
    wishes.set_fixed_table(fixed, owner_of(event), 30)

    assert table_of(draft_round(event), fixed) == 30


def test_a_fixed_table_that_two_need_is_told_on_the_draft():
    event = make_event(players=8)
    for number in range(1, 9):
        wishes.set_fixed_table(player_number(event, number), owner_of(event), 2)

    draft = draft_round(event)

    assert sorted(numbers(draft)) == [1, 2, 3, 4]
    assert {note["kind"] for note in draft.relaxations} == {FIXED_TABLE_TAKEN}


def test_nobody_who_avoids_the_stream_is_filmed():
    event = make_event(players=8, feature_tables="1-2")
    shy = [player_number(event, number) for number in (1, 2, 3)]
    for registration in shy:
        wishes.set_avoids_stream(registration, owner_of(event), avoids=True)

    draft = draft_round(event)

    assert not {1, 2} & {table_of(draft, registration) for registration in shy}
    assert 1 in numbers(draft)


def test_a_locked_table_keeps_its_number_when_the_rest_is_paired_anew():
    event = make_event(players=8, table_numbers="11-20")
    draft = draft_round(event)
    kept = tables_of(draft)[2]

    drafting.pair_the_rest(draft, owner_of(event), keep=[kept.pk])

    assert (kept.pk, 13) in [(one.pk, one.table_number) for one in tables_of(draft)]
    assert sorted(numbers(draft)) == [11, 12, 13, 14]


def test_the_wish_is_in_the_log_once_and_no_public_news(event: Tournament):
    start_round(event)
    event.refresh_from_db()
    registration, version = player_number(event, 1), event.version

    for _ in range(2):
        wishes.set_fixed_table(registration, owner_of(event), 3)

    event.refresh_from_db()
    entry = event.log.get(action="table wish set")
    assert (entry.before, entry.after) == ({"fixed_table": None}, {"fixed_table": 3})
    assert event.version == version
