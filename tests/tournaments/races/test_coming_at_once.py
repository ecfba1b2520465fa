"""The last places, and the last second of a no-show or a report: real threads, both databases."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.utils import timezone

from core.errors import Refusal
from matches.models import Match, MatchState, ResultReport
from tests.factories.series import fill_series
from tests.factories.tournaments import games_for, make_event, sitting, start_round, sweep, table
from tests.tournaments.races.hands import at_once
from tournaments.desk import timers
from tournaments.event.permissions import Actor
from tournaments.models import Absence, EveningPlan, Registration, Round, Tournament
from tournaments.registration import no_shows
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(30)]

HANDS = 6


def event_with_two_places(*, has_waiting_list: bool) -> Tournament:
    return make_event(players=0, max_players=2, has_waiting_list=has_waiting_list)


def joining(event: Tournament, number: int) -> Callable[[], object]:
    return lambda: registration_services.register_guest(event, f"Guest {number}")


def test_the_last_two_places_go_to_two():
    event = event_with_two_places(has_waiting_list=False)

    answers = at_once([joining(event, number) for number in range(HANDS)])

    assert sum(isinstance(answer, Registration) for answer in answers) == 2
    assert (
        sum(isinstance(answer, registration_services.EventIsFull) for answer in answers)
        == HANDS - 2
    )
    assert event.places_taken() == 2


def test_everybody_else_waits_at_a_place_of_their_own():
    event = event_with_two_places(has_waiting_list=True)

    at_once([joining(event, number) for number in range(HANDS)])

    assert event.places_taken() == 2
    places = [entry.waiting_position() for entry in event.registrations.waiting_list()]
    assert places == list(range(1, HANDS - 1))


def test_two_who_leave_at_once_let_two_in():
    event = event_with_two_places(has_waiting_list=True)
    for number in range(HANDS):
        registration_services.register_guest(event, f"Guest {number}")
    staying = event.registrations.filter(state="registered").select_related("player", "tournament")

    at_once(
        [
            partial(registration_services.drop_player, one, Actor(player=one.player))
            for one in staying
        ]
    )

    assert event.places_taken() == 2
    assert event.registrations.waiting_list().count() == HANDS - 4


def test_a_result_reported_in_the_last_second_stands_or_comes_too_late():
    event = make_event(players=2, no_show_minutes=10)
    start_round(event)
    earlier = timezone.now() - timedelta(minutes=20)
    Round.objects.update(started_at=earlier)
    pairing = table(event.rounds.select_related("stage__tournament").get(), 1)
    here, gone = sitting(pairing)
    no_shows.mark_missing(pairing, gone, Actor(player=here.player))
    Absence.objects.update(told_at=earlier)
    seat = pairing.match.seats.get(player=gone.player)

    _, reported = at_once(
        [
            timers.apply_due_changes,
            lambda: results_services.report_result(
                pairing, seat, games_for(pairing), Actor(player=gone.player)
            ),
        ]
    )

    match = Match.objects.get(pk=pairing.match.pk)
    gone.refresh_from_db()
    if isinstance(reported, Refusal):
        assert (match.state, gone.is_active) == (MatchState.DECIDED, False)
    else:
        assert (match.state, gone.is_active) == (MatchState.PROPOSED, True)


@pytest.mark.check(27)
def test_one_of_a_dispute_and_the_time_comes_first_and_the_other_changes_nothing():
    event = make_event(players=2, confirm_after_minutes=15)
    pairing = table(start_round(event), 1)
    one, other = pairing.match.seats.select_related("player")
    with time_machine.travel(timezone.now() - timedelta(minutes=20), tick=False):
        results_services.report_result(pairing, one, sweep(1), Actor(player=one.player))
    report = pairing.match.reports.get()

    acts: list[Callable[[], object]] = [
        partial(results_services.confirm_unanswered_reports, event)
    ] * 4
    acts.append(
        partial(
            results_services.dispute_report, pairing, other, report.pk, Actor(player=other.player)
        )
    )

    *_, objection = at_once(acts)

    log = event.log.filter(action__in=("result confirmed by time", "result disputed"))
    assert log.count() == 1
    state = Match.objects.get(pk=pairing.match.pk).state
    expected = "confirmed" if isinstance(objection, Refusal) else "disputed"
    assert (state, ResultReport.objects.get(pk=report.pk).state) == (expected, expected)


def test_an_evening_that_several_timers_find_due_opens_once():
    event = make_event(1, starts_on=timezone.localdate())
    series = fill_series(event)
    plan = series.plans.get()
    EveningPlan.objects.filter(pk=plan.pk).update(days_before=60)

    at_once([timers.apply_due_changes] * HANDS)

    days = list(series.events.exclude(pk=event.pk).values_list("starts_on", flat=True))
    assert len(days) == len(set(days)) == plan.evenings.count() > 1
