"""A round robin from its first draft to its last round."""

from itertools import combinations
from typing import Any

import pytest

from engine.pairing.round_robin import RoundRobinOver
from tests.factories.tournaments import (
    add_players,
    draft_round,
    finish_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tournaments import tasks
from tournaments.desk.next_step import StepKind, next_step
from tournaments.desk.state import desk_state
from tournaments.models import Round, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.rounds import draft_changes, services


def round_robin(players: int = 5, **settings: Any) -> Tournament:
    return make_event(players, system="round_robin", **settings)


def couples(round_: Round) -> list[frozenset[str]]:
    return [
        frozenset(seat.player.name for seat in pairing.match.seats.all())
        for pairing in tables_of(round_)
    ]


def byes(round_: Round) -> list[str]:
    return [pairing.bye.player.name for pairing in round_.pairings.exclude(bye=None)]


def order(event: Tournament) -> list[str]:
    return [entry.player.name for entry in event.current_stage().fixed_order()]


def test_each_pair_of_five_plays_once_and_each_player_has_one_bye():
    event = round_robin(5)
    played = [play_round(event) for _ in range(event.round_target())]

    pairs = [couple for round_ in played for couple in couples(round_)]
    names = [entry.player.name for entry in event.roster()]
    assert sorted(map(sorted, pairs)) == sorted(map(list, combinations(sorted(names), 2)))
    assert sorted(name for round_ in played for name in byes(round_)) == sorted(names)
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    assert [row.rank for row in snapshot.rows.ranked()] == [1, 2, 3, 4, 5]


def test_order_is_by_seed_then_by_a_random_draw():
    event = round_robin(6)
    for number, seed in ((4, 1), (2, 2)):
        event.registrations.filter(number=number).update(seed=seed)
    draft_round(event)

    assert order(event)[:2] == ["Di", "Bo"]
    assert sorted(order(event)) == ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"]


def test_discarding_the_draft_resets_the_order():
    event = round_robin(4)
    draft_changes.discard_draft(draft_round(event), owner_of(event))
    add_players(event, 2)
    draft_round(event)

    assert len(order(event)) == 6


def test_order_is_fixed_once_the_first_round_is_published():
    event = round_robin(6)
    play_round(event)
    before = order(event)
    play_round(event)

    assert order(event) == before


def test_opponent_of_a_dropped_player_has_a_bye():
    event = round_robin(4)
    play_round(event)
    dropped = player_number(event, 1)
    registration_services.drop_player(dropped, owner_of(event))
    later = [play_round(event) for _ in range(2)]

    assert all("Ada" not in couple for round_ in later for couple in couples(round_))
    assert [len(byes(round_)) for round_ in later] == [1, 1]
    (bye,) = later[0].pairings.exclude(bye=None)
    assert bye.reasons[0]["kind"] == "opponent_gone"


def test_late_entry_is_refused_once_the_first_round_is_public():
    event = round_robin(4)
    (waiting,) = add_players(event, 1, checked_in=False)
    start_round(event)

    with pytest.raises(registration_services.OrderIsFixed, match="no one else can join"):
        add_players(event, 1)
    with pytest.raises(registration_services.OrderIsFixed, match="began without Ed"):
        registration_services.check_in([waiting], owner_of(event))


def test_dropped_player_of_the_order_can_return():
    event = round_robin(4)
    play_round(event)
    registration_services.drop_player(player_number(event, 2), owner_of(event))
    registration_services.return_player(player_number(event, 2), owner_of(event))

    assert byes(play_round(event)) == []


def test_latecomer_without_a_place_in_the_order_blocks_round_2():
    event = round_robin(4)
    round_ = draft_round(event)
    add_players(event, 1)
    services.publish_round(round_, owner_of(event), leave_out_latecomers=True)
    finish_round(round_)
    job = draft_changes.request_pairing(event, 2, owner_of(event))
    tasks.pair_round(job.pk)
    job.refresh_from_db()

    assert "Ed joined after the order of this round robin was fixed" in job.error


@pytest.mark.parametrize(
    ("players", "planned", "target"),
    [(5, None, 5), (6, None, 5), (6, 3, 3), (6, 10, 10), (4, 9, 6)],
)
def test_number_of_rounds_follows_the_players_and_the_plan(players, planned, target):
    event = round_robin(players, planned_rounds=planned)

    assert event.round_target() == target


def test_second_cycle_swaps_the_roles():
    event = round_robin(3, planned_rounds=6)
    played = [play_round(event) for _ in range(4)]
    seats = [
        [[seat.player.name for seat in pairing.match.seats.all()] for pairing in tables_of(round_)]
        for round_ in played
    ]

    assert seats[3] == [table[::-1] for table in seats[0]]


def test_round_after_the_last_is_refused_and_not_offered():
    event = round_robin(3)
    for _ in range(3):
        play_round(event)

    step = next_step(desk_state(event))

    with pytest.raises(RoundRobinOver, match="Every player has played"):
        draft_changes.request_pairing(event, 4, owner_of(event))
    assert step.kind is StepKind.FINISH
    assert [alternative.kind for alternative in step.others] == [StepKind.MAKE_CUT]


def test_number_of_rounds_can_be_increased():
    event = round_robin(4, planned_rounds=2)
    for _ in range(2):
        play_round(event)

    step = next_step(desk_state(event))

    assert step.kind is StepKind.FINISH
    assert "Pair round 3" in [alternative.title for alternative in step.others]


def test_locked_table_stays_and_other_games_follow_the_schedule():
    event = round_robin(6)
    round_ = draft_round(event)
    first = tables_of(round_)[1]
    draft_changes.set_lock(first, owner_of(event), locked=True)
    before = sorted(map(sorted, couples(round_)))
    job = draft_changes.pair_the_rest(round_, owner_of(event))
    tasks.pair_round(job.pk)

    assert sorted(map(sorted, couples(round_))) == before


def test_player_of_an_unpublished_order_can_be_removed():
    event = round_robin(4)
    draft_changes.discard_draft(draft_round(event), owner_of(event))
    roster_changes.remove_player(player_number(event, 1), owner_of(event))

    assert not event.registrations.filter(number=1).exists()
