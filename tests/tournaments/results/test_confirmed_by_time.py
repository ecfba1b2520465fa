"""Automatic confirmation of unanswered reports."""

from datetime import timedelta

import time_machine
from django.utils import timezone

from matches.models import Match, MatchState, ResultReport
from tests.factories.pods import make_pods, places
from tests.factories.tournaments import (
    fresh,
    make_event,
    seats_of,
    start_round,
    sweep,
    tables_of,
)
from tournaments.desk import timers
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Tournament
from tournaments.results import services
from tournaments.results.queries import get_auto_confirm_time

MINUTES = 15


def make_scene() -> Tournament:
    return make_event(players=4, confirm_after_minutes=MINUTES)


def report_earlier(pairing: Pairing, minutes_ago: int) -> ResultReport:
    """Report a win of the first player some minutes ago."""
    seat, _ = seats_of(pairing)
    with time_machine.travel(timezone.now() - timedelta(minutes=minutes_ago), tick=False):
        services.report_result(pairing, seat, sweep(1), Actor(player=seat.player))
    return pairing.match.reports.get(state="proposed")


def state_of(pairing: Pairing) -> str:
    return Match.objects.get(pk=pairing.match.pk).state


def test_unanswered_report_is_confirmed_by_time(event: Tournament):
    old, young = tables_of(start_round(event))
    report_earlier(old, MINUTES)
    report_earlier(young, MINUTES - 1)

    timers.apply_due_changes()

    assert (state_of(old), state_of(young)) == (MatchState.CONFIRMED, MatchState.PROPOSED)
    assert [seat.points for seat in seats_of(old)] == [20, 0]
    entry = event.log.get(action="result confirmed by time")
    assert (entry.user, entry.player, entry.pairing) == (None, None, old)
    assert entry.shown_reason == "The opponent did not answer in time."
    assert "Corp won" in entry.after["result"]


def test_confirmation_by_time_updates_public_pages_once(event: Tournament):
    table = tables_of(start_round(event))[0]
    report_earlier(table, MINUTES)
    version = fresh(event).version

    timers.apply_due_changes()
    timers.apply_due_changes()

    assert fresh(event).version == version + 1


def test_disputed_report_is_not_confirmed_by_time(event: Tournament):
    table = tables_of(start_round(event))[0]
    report = report_earlier(table, MINUTES)
    opponent = seats_of(table)[1]
    services.dispute_report(table, opponent, report.pk, Actor(player=opponent.player))

    timers.apply_due_changes()

    assert state_of(table) == MatchState.DISPUTED


def test_repeated_disputed_report_is_not_confirmed_by_time(event: Tournament):
    table = tables_of(start_round(event))[0]
    report = report_earlier(table, 2 * MINUTES)
    reporter, opponent = seats_of(table)
    services.dispute_report(table, opponent, report.pk, Actor(player=opponent.player))
    with time_machine.travel(timezone.now() - timedelta(minutes=MINUTES), tick=False):
        services.report_result(table, reporter, sweep(1), Actor(player=reporter.player))

    timers.apply_due_changes()

    assert state_of(table) == MatchState.DISPUTED


def test_corrected_report_restarts_the_time_to_answer(event: Tournament):
    table = tables_of(start_round(event))[0]
    report_earlier(table, MINUTES)
    seat, _ = seats_of(table)
    services.report_result(table, seat, sweep(1, 2), Actor(player=seat.player))

    timers.apply_due_changes()

    assert state_of(table) == MatchState.PROPOSED


def test_reports_are_not_confirmed_by_time_without_the_setting():
    table = tables_of(start_round(make_event(players=4)))[0]
    report_earlier(table, 24 * 60)

    timers.apply_due_changes()

    assert state_of(table) == MatchState.PROPOSED


def test_finished_event_is_not_confirmed(event: Tournament):
    table = tables_of(start_round(event))[0]
    report_earlier(table, MINUTES)
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

    services.confirm_unanswered_reports(event)

    assert state_of(table) == MatchState.PROPOSED


def test_report_of_a_pod_is_confirmed_by_time():
    pod = tables_of(start_round(make_pods(4, confirm_after_minutes=MINUTES)))[0]
    seat = pod.match.seats.select_related("player").get(position=1)
    with time_machine.travel(timezone.now() - timedelta(minutes=MINUTES), tick=False):
        services.report_result(pod, seat, places(pod), Actor(player=seat.player))

    timers.apply_due_changes()

    assert state_of(pod) == MatchState.CONFIRMED


def test_open_report_has_its_confirmation_time(event: Tournament):
    table = tables_of(start_round(event))[0]
    report = report_earlier(table, 5)

    confirmed_at = get_auto_confirm_time(fresh(event), table.round, report)

    assert confirmed_at == report.created_at + timedelta(minutes=MINUTES)


def test_settled_report_has_no_confirmation_time(event: Tournament):
    table = tables_of(start_round(event))[0]
    report = report_earlier(table, MINUTES)
    timers.apply_due_changes()
    report.refresh_from_db()

    assert get_auto_confirm_time(fresh(event), table.round, report) is None


def test_number_of_queries_does_not_depend_on_the_tables(django_assert_num_queries):
    event = make_event(players=12, confirm_after_minutes=MINUTES)
    for table in tables_of(start_round(event)):
        report_earlier(table, 1)

    with django_assert_num_queries(2):
        services.confirm_unanswered_reports(event)
