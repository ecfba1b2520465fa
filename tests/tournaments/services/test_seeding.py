"""Seeds and groups set by hand."""

import pytest

from core.errors import StaleVersion
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    sweep,
    tables_of,
)
from tournaments import queries, tasks
from tournaments.models import JobKind, Tournament
from tournaments.services import seeding


def set_seed(event: Tournament, number: int, seed: int | None, group: str = "") -> None:
    entry = player_number(event, number)
    seeding.set_seed_and_group(entry, owner_of(event), seed=seed, avoid_group=group)


def test_seeds_fold_round_one(event: Tournament):
    for number in (1, 2, 3, 4):
        set_seed(event, number, number)

    draft = draft_round(event)

    met = [
        sorted(seat.player.name for seat in pairing.match.seats.all())
        for pairing in tables_of(draft)
    ]
    assert sorted(met) == [["Ada", "Cy"], ["Bo", "Di"]]


def test_a_seed_decides_between_equal_points_of_standings_that_stand(event: Tournament):
    play_round(event, play=lambda _pairing: sweep(1))
    snapshot = queries.newest_snapshot(event)
    first, second = snapshot.rows.order_by("rank")[:2]
    assert first.match_points == second.match_points

    set_seed(event, second.registration.number, 1)
    for job in event.jobs.filter(state="queued"):
        tasks.TASKS[JobKind(job.kind)](job.pk)

    newest = queries.newest_snapshot(event)
    assert newest.rows.get(rank=1).registration == second.registration


def test_the_change_is_logged_and_nothing_new_is_not():
    event = make_event(players=2)
    set_seed(event, 1, 3, "car")
    before = fresh(event).version

    set_seed(event, 1, 3, "car")

    told = event.log.get(action="seed and group set")
    assert told.before == {"seed": None, "avoid_group": ""}
    assert told.after == {"seed": 3, "avoid_group": "car"}
    assert fresh(event).version == before
    assert (player_number(event, 1).seed, player_number(event, 1).avoid_group) == (3, "car")


def test_a_seed_somebody_else_has_given_meanwhile_stays():
    event = make_event(players=2)
    set_seed(event, 1, 3)
    entry, owner = player_number(event, 1), owner_of(event)

    with pytest.raises(StaleVersion, match="seed and group of Ada"):
        seeding.set_seed_and_group(entry, owner, seed=5, avoid_group="", seen=(None, ""))
    seeding.set_seed_and_group(entry, owner, seed=5, avoid_group="", seen=(3, ""))

    assert player_number(event, 1).seed == 5
