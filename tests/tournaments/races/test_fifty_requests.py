"""Fifty identical requests at the same moment have one effect and no error."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.factories.tournaments import (
    enter_result,
    finish_round,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
    tables_of,
)
from tests.templates import KEPT, one_at_a_time
from tests.tournaments.races.steps import ThroughPages, ThroughServices
from tests.tournaments.races.threads import run_at_once
from tournaments.models import Job, Round, Stage, Tournament
from tournaments.results import cuts
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.check(26),
    pytest.mark.goal("G3"),
]

PAIRING_REQUESTS, OTHER_REQUESTS = 50, 16
"""Requests to pair a round; requests for each other action."""
EVENTS, ROUNDS = 10, 5
"""Of the slow version: 50 rounds in both ways on each database, 200 in total."""
Evening = type[ThroughServices] | type[ThroughPages]
EVENINGS: list[Evening] = [ThroughServices, ThroughPages]
ROUND_ACTIONS = ["pairing asked for", "round drafted", "round published", "round closed"]
"""Log actions that each round has once."""


def assert_once(event: Tournament, number: int, *actions: str) -> None:
    """Check that the round has each of these log entries once."""
    logged = list(event.log.filter(action__in=ROUND_ACTIONS, subject=f"round {number}"))
    assert sorted(entry.action for entry in logged) == sorted(actions)


def assert_paired(event: Tournament, number: int, kind: Evening) -> None:
    """Request the round many times at once and check that it is paired once."""
    kind(event, PAIRING_REQUESTS).pair(number)
    job = event.jobs.get(kind="pair_round", payload__number=number)
    assert job.state == "done", job.error
    assert event.rounds.filter(number=number).count() == 1
    assert_once(event, number, *ROUND_ACTIONS[:2])


def play(event: Tournament, number: int, kind: Evening, request_count: int) -> None:
    """Play a round in which every action is requested many times and has one effect."""
    assert_paired(event, number, kind)
    assert get_round(event, number).pairings.count() == 5
    evening = kind(event, request_count)
    evening.publish(number)
    assert_once(event, number, *ROUND_ACTIONS[:3])
    evening.report(number)
    first, *other_tables = tables_of(get_round(event, number))
    assert (first.match.state, first.match.reports.count()) == ("confirmed", 2)
    assert event.log.filter(action="result reported", pairing=first).count() == 2
    for pairing in other_tables:
        enter_result(pairing, games_for(pairing))
    evening.close(number)
    assert_once(event, number, *ROUND_ACTIONS)
    assert event.snapshots.filter(round__number=number).count() == 1


def test_simultaneous_requests_of_an_event_have_one_effect_each(figure: Callable[[str], None]):
    for kind in EVENINGS:
        event = make_event(players=9)
        play(event, 1, kind, OTHER_REQUESTS)
        kind(event, OTHER_REQUESTS).cut()
        assert event.log.filter(action="cut made").count() == 1
        assert event.stages.count() == 2
    figure(
        f"{PAIRING_REQUESTS} simultaneous requests to pair, "
        f"{OTHER_REQUESTS} of each other action, one effect each"
    )


def test_every_simultaneous_request_of_an_invalid_step_is_refused():
    event = make_event(players=9)
    round_, owner = start_round(event), owner_of(event)

    closing = run_at_once([partial(rounds_services.close_round, round_, owner)] * OTHER_REQUESTS)
    pairing = run_at_once(
        [partial(draft_changes.request_pairing, event, 2, owner)] * OTHER_REQUESTS
    )

    assert {str(refusal) for refusal in closing} == {"Tables without a settled result: 4."}
    assert {str(refusal) for refusal in pairing} == {"Close round 1 before you pair round 2."}
    assert event.rounds.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENINGS)
def test_simultaneous_requests_of_many_events_have_one_effect_each(
    kind: Evening, figure: Callable[[str], None]
):
    paired = 0
    folder = KEPT / "hands"
    folder.mkdir(parents=True, exist_ok=True)
    # Two of these tests at the same time would exceed the 100 connections of PostgreSQL.
    with one_at_a_time(folder):
        for _ in range(EVENTS):
            event = make_event(players=9)
            play(event, 1, kind, PAIRING_REQUESTS)
            for number in range(2, ROUNDS + 1):
                assert_paired(event, number, kind)
                play_draft(get_round(event, number))
            kind(event, PAIRING_REQUESTS).cut()
            paired += event.rounds.count()
    figure(f"{paired} times {PAIRING_REQUESTS} simultaneous requests to pair, one round each time")


def play_draft(round_: Round) -> None:
    """Publish and finish the draft without concurrency."""
    rounds_services.publish_round(round_, owner_of(round_.stage.tournament))
    finish_round(round_)


def test_simultaneous_requests_close_a_round_and_pair_the_next_once():
    event = make_event(players=9)
    round_ = start_round(event)
    for pairing in tables_of(round_):
        enter_result(pairing, games_for(pairing))

    close = partial(draft_changes.close_and_pair, get_round(event, 1), owner_of(event))
    jobs = run_at_once([close] * OTHER_REQUESTS)

    assert {type(job) for job in jobs} == {Job}
    assert_once(event, 1, "pairing asked for", "round drafted", "round published", "round closed")
    assert_once(event, 2, "pairing asked for", "round drafted")
    assert event.rounds.filter(number=2).count() == 1


def test_simultaneous_requests_start_the_planned_cut_once():
    event = make_event(players=9, planned_cut=4)
    play_round(event)

    start = partial(cuts.make_planned_cut, event, owner_of(event), size=4)
    stages = run_at_once([start] * OTHER_REQUESTS)

    assert {type(stage) for stage in stages} == {Stage}
    assert event.log.filter(action="cut made").count() == 1
    assert event.stages.count() == 2
