"""Simultaneous sign-ups, drops, no-shows and automatic confirmations, in real threads."""

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
from tests.tournaments.races.threads import run_at_once
from tournaments.desk import timers
from tournaments.event.permissions import Actor
from tournaments.models import Absence, EveningPlan, Registration, Round, Tournament
from tournaments.registration import no_shows
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(30)]

REQUESTS = 6


def event_with_two_places(*, has_waiting_list: bool) -> Tournament:
    return make_event(players=0, max_players=2, has_waiting_list=has_waiting_list)


def joining(event: Tournament, number: int) -> Callable[[], object]:
    return lambda: registration_services.register_guest(event, f"Guest {number}")


def test_two_last_places_go_to_two_players():
    event = event_with_two_places(has_waiting_list=False)

    answers = run_at_once([joining(event, number) for number in range(REQUESTS)])

    assert sum(isinstance(answer, Registration) for answer in answers) == 2
    assert (
        sum(isinstance(answer, registration_services.EventIsFull) for answer in answers)
        == REQUESTS - 2
    )
    assert event.places_taken() == 2


def test_players_beyond_the_limit_get_different_waiting_positions():
    event = event_with_two_places(has_waiting_list=True)

    run_at_once([joining(event, number) for number in range(REQUESTS)])

    assert event.places_taken() == 2
    places = [entry.waiting_position() for entry in event.registrations.waiting_list()]
    assert places == list(range(1, REQUESTS - 1))


def test_two_simultaneous_drops_move_two_waiting_players_up():
    event = event_with_two_places(has_waiting_list=True)
    for number in range(REQUESTS):
        registration_services.register_guest(event, f"Guest {number}")
    registered = event.registrations.filter(state="registered").select_related(
        "player", "tournament"
    )

    run_at_once(
        [
            partial(
                registration_services.drop_player, registration, Actor(player=registration.player)
            )
            for registration in registered
        ]
    )

    assert event.places_taken() == 2
    assert event.registrations.waiting_list().count() == REQUESTS - 4


def test_result_reported_as_the_no_show_is_decided_counts_or_is_refused():
    event = make_event(players=2, no_show_minutes=10)
    start_round(event)
    earlier = timezone.now() - timedelta(minutes=20)
    Round.objects.update(started_at=earlier)
    pairing = table(event.rounds.select_related("stage__tournament").get(), 1)
    opponent, absent = sitting(pairing)
    no_shows.mark_missing(pairing, absent, Actor(player=opponent.player))
    Absence.objects.update(told_at=earlier)
    seat = pairing.match.seats.get(player=absent.player)

    _, reported = run_at_once(
        [
            timers.apply_due_changes,
            lambda: results_services.report_result(
                pairing, seat, games_for(pairing), Actor(player=absent.player)
            ),
        ]
    )

    match = Match.objects.get(pk=pairing.match.pk)
    absent.refresh_from_db()
    if isinstance(reported, Refusal):
        assert (match.state, absent.is_active) == (MatchState.DECIDED, False)
    else:
        assert (match.state, absent.is_active) == (MatchState.PROPOSED, True)


@pytest.mark.check(27)
def test_only_the_first_of_dispute_and_automatic_confirmation_counts():
    event = make_event(players=2, confirm_after_minutes=15)
    pairing = table(start_round(event), 1)
    reporter, opponent = pairing.match.seats.select_related("player")
    with time_machine.travel(timezone.now() - timedelta(minutes=20), tick=False):
        results_services.report_result(pairing, reporter, sweep(1), Actor(player=reporter.player))
    report = pairing.match.reports.get()

    functions: list[Callable[[], object]] = [
        partial(results_services.confirm_unanswered_reports, event)
    ] * 4
    functions.append(
        partial(
            results_services.dispute_report,
            pairing,
            opponent,
            report.pk,
            Actor(player=opponent.player),
        )
    )

    *_, dispute = run_at_once(functions)

    log = event.log.filter(action__in=("result confirmed by time", "result disputed"))
    assert log.count() == 1
    state = Match.objects.get(pk=pairing.match.pk).state
    expected = "confirmed" if isinstance(dispute, Refusal) else "disputed"
    assert (state, ResultReport.objects.get(pk=report.pk).state) == (expected, expected)


def test_planned_events_due_for_several_timers_open_once():
    event = make_event(1, starts_on=timezone.localdate())
    series = fill_series(event)
    plan = series.plans.get()
    EveningPlan.objects.filter(pk=plan.pk).update(days_before=60)

    run_at_once([timers.apply_due_changes] * REQUESTS)

    days = list(series.events.exclude(pk=event.pk).values_list("starts_on", flat=True))
    assert len(days) == len(set(days)) == plan.evenings.count() > 1
