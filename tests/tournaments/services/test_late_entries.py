"""Players who come after the first round, and the standings of the rounds before."""

import pytest

from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    sweep,
    tables_of,
)
from tournaments import queries, tasks
from tournaments.models import JobKind, Tournament
from tournaments.services import registrations, rounds


def names_after(event: Tournament, number: int) -> list[str]:
    """Who stands in the standings after a round, by name."""
    snapshot = queries.newest_snapshot(event, number)
    assert snapshot is not None
    return sorted(row.registration.player.name for row in queries.standing_rows(snapshot))


def test_a_late_entry_is_in_no_standings_of_the_rounds_before(event: Tournament):
    first = play_round(event)
    before = names_after(event, 1)
    add_players(event, 2)
    play_round(event)

    enter_result(tables_of(first)[0], sweep(2))
    for job in event.jobs.filter(state="queued"):
        tasks.TASKS[JobKind(job.kind)](job.pk)

    assert names_after(event, 1) == before
    assert len(names_after(event, 2)) == 6


def test_who_stands_in_standings_stays_on_the_roster():
    event = make_event(players=5, checked_in=False)
    here = list(event.registrations.exclude(number=5))
    registrations.check_in(here, owner_of(event))
    draft_round(event)
    late = player_number(event, 5)
    registrations.check_in([late], owner_of(event))
    rounds.publish(get_round(event, 1), owner_of(event), leave_out_latecomers=True)
    for pairing in tables_of(get_round(event, 1)):
        enter_result(pairing, sweep(1))
    rounds.close(get_round(event, 1), owner_of(event))
    tasks.recompute_standings(event.jobs.get(kind=JobKind.RECOMPUTE_STANDINGS).pk)
    assert late.player.name in names_after(event, 1)

    with pytest.raises(registrations.AlreadyPlayed, match="standings"):
        registrations.remove(late, owner_of(event))
