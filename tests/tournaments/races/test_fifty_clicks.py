"""Fifty people push one button at one moment: one thing happens, and nobody sees a fault."""

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
from tests.tournaments.races.evenings import ByAddresses, BySteps
from tests.tournaments.races.hands import at_once
from tournaments.models import Job, Round, Stage, Tournament
from tournaments.results import cuts
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.check(26),
    pytest.mark.goal("G3"),
]

HANDS, FEWER = 50, 16
"""On the button that pairs; on the others, where that is enough."""
EVENTS, ROUNDS = 10, 5
"""Of the long version: 50 rounds each way on each database, so 200."""
Evening = type[BySteps] | type[ByAddresses]
EVENINGS: list[Evening] = [BySteps, ByAddresses]
ROUND = ["pairing asked for", "round drafted", "round published", "round closed"]
"""What the log says once of each round."""


def assert_once(event: Tournament, number: int, *actions: str) -> None:
    """Each of these stands in the log once, of this round."""
    logged = list(event.log.filter(action__in=ROUND, subject=f"round {number}"))
    assert sorted(entry.action for entry in logged) == sorted(actions)


def assert_paired(event: Tournament, number: int, kind: Evening) -> None:
    """All ask for the round at once, and there is one."""
    kind(event, HANDS).pair(number)
    job = event.jobs.get(kind="pair_round", payload__number=number)
    assert job.state == "done", job.error
    assert event.rounds.filter(number=number).count() == 1
    assert_once(event, number, *ROUND[:2])


def play(event: Tournament, number: int, kind: Evening, hands: int) -> None:
    """A round in which all push every button at once, each of which works once."""
    assert_paired(event, number, kind)
    assert get_round(event, number).pairings.count() == 5
    evening = kind(event, hands)
    evening.publish(number)
    assert_once(event, number, *ROUND[:3])
    evening.report(number)
    first, *others = tables_of(get_round(event, number))
    assert (first.match.state, first.match.reports.count()) == ("confirmed", 2)
    assert event.log.filter(action="result reported", pairing=first).count() == 2
    for pairing in others:
        enter_result(pairing, games_for(pairing))
    evening.close(number)
    assert_once(event, number, *ROUND)
    assert event.snapshots.filter(round__number=number).count() == 1


def test_every_step_of_an_evening_is_made_once(figure: Callable[[str], None]):
    for kind in EVENINGS:
        event = make_event(players=9)
        play(event, 1, kind, FEWER)
        kind(event, FEWER).cut()
        assert event.log.filter(action="cut made").count() == 1
        assert event.stages.count() == 2
    figure(f"{HANDS} hands on the button that pairs, {FEWER} on four others, one effect each")


def test_what_cannot_be_done_yet_is_refused_to_every_hand():
    event = make_event(players=9)
    round_, owner = start_round(event), owner_of(event)

    closing = at_once([partial(rounds_services.close_round, round_, owner)] * FEWER)
    pairing = at_once([partial(draft_changes.request_pairing, event, 2, owner)] * FEWER)

    assert {str(refusal) for refusal in closing} == {"Tables without a settled result: 4."}
    assert {str(refusal) for refusal in pairing} == {"Close round 1 before you pair round 2."}
    assert event.rounds.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENINGS)
def test_every_step_of_many_evenings_is_made_once(kind: Evening, figure: Callable[[str], None]):
    paired = 0
    folder = KEPT / "hands"
    folder.mkdir(parents=True, exist_ok=True)
    # Two of these tests at once would need more than the 100 connections of PostgreSQL.
    with one_at_a_time(folder):
        for _ in range(EVENTS):
            event = make_event(players=9)
            play(event, 1, kind, HANDS)
            for number in range(2, ROUNDS + 1):
                assert_paired(event, number, kind)
                play_draft(get_round(event, number))
            kind(event, HANDS).cut()
            paired += event.rounds.count()
    figure(f"{paired} times {HANDS} simultaneous requests to pair, one round each time")


def play_draft(round_: Round) -> None:
    """What is paired is played, by one hand."""
    rounds_services.publish_round(round_, owner_of(round_.stage.tournament))
    finish_round(round_)


def test_round_closed_and_next_one_paired_by_every_hand():
    event = make_event(players=9)
    round_ = start_round(event)
    for pairing in tables_of(round_):
        enter_result(pairing, games_for(pairing))

    close = partial(draft_changes.close_and_pair, get_round(event, 1), owner_of(event))
    jobs = at_once([close] * FEWER)

    assert {type(job) for job in jobs} == {Job}
    assert_once(event, 1, "pairing asked for", "round drafted", "round published", "round closed")
    assert_once(event, 2, "pairing asked for", "round drafted")
    assert event.rounds.filter(number=2).count() == 1


def test_planned_cut_started_by_every_hand():
    event = make_event(players=9, planned_cut=4)
    play_round(event)

    start = partial(cuts.make_planned_cut, event, owner_of(event), size=4)
    stages = at_once([start] * FEWER)

    assert {type(stage) for stage in stages} == {Stage}
    assert event.log.filter(action="cut made").count() == 1
    assert event.stages.count() == 2
