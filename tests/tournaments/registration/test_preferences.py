import pytest
from django.test import Client

from core.errors import StaleVersion
from tests.factories.tournaments import (
    add_players,
    draft_round,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
    work_off,
)
from tests.tournaments.pages import path, text_of
from tournaments.models import Registration, Round, Tournament
from tournaments.registration import roster_changes, services
from tournaments.rounds import draft_changes
from tournaments.rounds.drafting import FIXED_TABLE_TAKEN


def numbers(round_: Round) -> list[int]:
    return [pairing.table_number or 0 for pairing in tables_of(round_)]


def table_of(round_: Round, registration: Registration) -> int | None:
    pairing = round_.pairing_of(registration.player)
    return pairing.table_number if pairing else None


def test_draft_uses_the_tables_of_the_room():
    event = make_event(players=8, table_numbers="21-22, 40")

    assert numbers(draft_round(event)) == [21, 22, 40, 41]


def test_player_is_seated_at_the_fixed_table():
    event = make_event(players=8)
    fixed = player_number(event, 5)
    roster_changes.set_fixed_table(fixed, owner_of(event), 30)

    assert table_of(draft_round(event), fixed) == 30


def test_fixed_table_of_an_absent_player_stays_free():
    event = make_event(players=4)
    late = add_players(event, 1, checked_in=False)[0]
    roster_changes.set_fixed_table(late, owner_of(event), 1)

    assert numbers(draft_round(event)) == [2, 3]


def test_fixed_table_of_a_dropped_player_is_used():
    event = make_event(players=4)
    roster_changes.set_fixed_table(player_number(event, 4), owner_of(event), 1)
    services.drop_player(player_number(event, 4), owner_of(event))

    assert numbers(draft_round(event)) == [1]


def test_fixed_and_feature_tables_are_marked_on_pairings_and_paper(client: Client):
    event = make_event(players=4, feature_tables="1")
    roster_changes.set_fixed_table(player_number(event, 3), owner_of(event), 2)
    start_round(event)

    by_table = text_of(client.get(path(event, "rounds/1/?by=table")))
    by_name = text_of(client.get(path(event, "rounds/1/")))
    paper = text_of(client.get(path(event, "rounds/1/print/")))

    pages = by_table, by_name, paper
    assert [page.count("2 fixed") for page in pages] == [1, 2, 3]
    assert [page.count("1 feature") for page in pages] == [1, 2, 3]
    assert "1 fixed" not in "".join(pages)
    assert "2 feature" not in "".join(pages)


def test_contested_fixed_table_is_reported():
    event = make_event(players=8)
    for number in range(1, 9):
        roster_changes.set_fixed_table(player_number(event, number), owner_of(event), 2)

    draft = draft_round(event)

    assert sorted(numbers(draft)) == [1, 2, 3, 4]
    assert {note["kind"] for note in draft.relaxations} == {FIXED_TABLE_TAKEN}


def test_player_avoiding_the_stream_gets_no_feature_table():
    event = make_event(players=8, feature_tables="1-2")
    shy = [player_number(event, number) for number in (1, 2, 3)]
    for registration in shy:
        roster_changes.set_avoids_stream(registration, owner_of(event), avoids=True)

    draft = draft_round(event)

    assert not {1, 2} & {table_of(draft, registration) for registration in shy}
    assert 1 in numbers(draft)


def test_locked_table_keeps_its_number():
    event = make_event(players=8, table_numbers="11-20")
    draft = draft_round(event)
    locked = tables_of(draft)[2]

    draft_changes.pair_the_rest(draft, owner_of(event), keep=[locked.pk])

    assert (locked.pk, 13) in [(row.pk, row.table_number) for row in tables_of(draft)]
    assert sorted(numbers(draft)) == [11, 12, 13, 14]


def test_preference_is_logged_once_and_not_public(event: Tournament):
    start_round(event)
    event.refresh_from_db()
    registration, version = player_number(event, 1), event.version

    for _ in range(2):
        roster_changes.set_fixed_table(registration, owner_of(event), 3)

    event.refresh_from_db()
    entry = event.log.get(action="table wish set")
    assert (entry.before, entry.after) == ({"fixed_table": None}, {"fixed_table": 3})
    assert event.version == version


def set_seed(event: Tournament, number: int, seed: int | None, group: str = "") -> None:
    entry = player_number(event, number)
    roster_changes.set_seed_and_group(entry, owner_of(event), seed=seed, avoid_group=group)


def test_seeds_fold_round_one(event: Tournament):
    for number in (1, 2, 3, 4):
        set_seed(event, number, number)

    draft = draft_round(event)

    couples = [
        sorted(seat.player.name for seat in pairing.match.seats.all())
        for pairing in tables_of(draft)
    ]
    assert sorted(couples) == [["Ada", "Cy"], ["Bo", "Di"]]


def test_seed_breaks_ties_in_existing_standings(event: Tournament):
    play_round(event, play=lambda _pairing: sweep(1))
    snapshot = event.snapshots.newest()
    first, second = snapshot.rows.order_by("rank")[:2]  # type: ignore[misc]
    assert first.match_points == second.match_points

    set_seed(event, second.registration.number, 1)
    work_off(event)

    newest = event.snapshots.newest()
    assert newest.rows.get(rank=1).registration == second.registration


def test_only_changes_are_logged():
    event = make_event(players=2)
    set_seed(event, 1, 3, "car")
    before = fresh(event).version

    set_seed(event, 1, 3, "car")

    entry = event.log.get(action="seed and group set")
    assert entry.before == {"seed": None, "avoid_group": ""}
    assert entry.after == {"seed": 3, "avoid_group": "car"}
    assert fresh(event).version == before
    assert (player_number(event, 1).seed, player_number(event, 1).avoid_group) == (3, "car")


def test_stale_seed_is_refused():
    event = make_event(players=2)
    set_seed(event, 1, 3)
    entry, owner = player_number(event, 1), owner_of(event)

    with pytest.raises(StaleVersion, match="seed and group of Ada"):
        roster_changes.set_seed_and_group(entry, owner, seed=5, avoid_group="", seen=(None, ""))
    roster_changes.set_seed_and_group(entry, owner, seed=5, avoid_group="", seen=(3, ""))

    assert player_number(event, 1).seed == 5
