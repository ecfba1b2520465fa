"""Random actions of staff and players at the same time: no deadlock and no server error."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import TypeVar

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.models import Model, QuerySet

from core import jobs
from core.errors import Refusal
from matches.models import Match, Seat
from tests.factories.tournaments import games_for, make_event, owner_of, start_round, sweep
from tournaments import tasks
from tournaments.desk import timers
from tournaments.event.permissions import Actor
from tournaments.judging import calls
from tournaments.judging import queries as judging_queries
from tournaments.models import LateEntry, Pairing, Registration, Round, Tournament
from tournaments.practice import services as practice_services
from tournaments.registration import no_shows, roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.check(30)]

THREADS, ACTIONS_PER_USER = 8, 40
Action = Callable[["RandomUser"], object]
Row = TypeVar("Row", bound=Model)


def match_of(table: Pairing) -> Match:
    assert table.match is not None
    return table.match


class RandomUser:
    """A thread that chooses its actions at random."""

    def __init__(self, event: Tournament, actor: Actor, number: int) -> None:
        self.event, self.actor = event, actor
        self.random = random.Random(number)

    @property
    def round(self) -> Round:
        latest = self.event.latest_round()
        if latest is None:
            raise ObjectDoesNotExist
        return latest

    @property
    def table(self) -> Pairing:
        tables = self.round.pairings.exclude(match=None)
        return self._choose(tables.select_related("match", "round__stage__tournament"))

    @property
    def player(self) -> Registration:
        return self._choose(self.event.registrations.select_related("player", "tournament"))

    def _choose(self, rows: QuerySet[Row]) -> Row:
        candidates = list(rows)
        if not candidates:
            raise ObjectDoesNotExist
        return self.random.choice(candidates)

    @property
    def seat(self) -> tuple[Pairing, Seat]:
        table = self.table
        return table, self.random.choice(list(match_of(table).seats.select_related("player")))


def report(user: RandomUser) -> None:
    table, seat = user.seat
    result = user.random.choice([games_for(table), sweep(1), sweep(2)])
    results_services.report_result(table, seat, result, Actor(player=seat.player))


def answer(user: RandomUser) -> None:
    table, seat = user.seat
    newest = match_of(table).reports.last()
    act = user.random.choice([results_services.confirm_report, results_services.dispute_report])
    act(table, seat, newest.pk if newest else 0, Actor(player=seat.player))


def decide(user: RandomUser) -> None:
    table = user.table
    results_services.decide_result(
        table, sweep(1), user.actor, seen_version=match_of(table).version
    )


def decide_all(user: RandomUser) -> None:
    for table in user.round.open_tables():
        results_services.decide_result(
            table, sweep(2), user.actor, seen_version=match_of(table).version
        )


def miss(user: RandomUser) -> None:
    table, seat = user.seat
    place = user.event.registrations.select_related("player").get(player=seat.player)
    act = user.random.choice([no_shows.mark_missing, no_shows.mark_missing, no_shows.mark_present])
    act(table, place, user.actor)


def undo_a_change(user: RandomUser) -> None:
    entries = list(user.event.log.filter(action__in=undo_services.UNDO_RULES).order_by("-pk")[:12])
    undo_services.undo(user.random.choice(entries), user.actor)


def call(user: RandomUser) -> None:
    open_ = judging_queries.open_calls(user.event)
    if not open_ or user.random.random() < 0.5:
        calls.raise_call(user.table, user.actor, "Card")
    else:
        waiting = user.random.choice(open_).call
        moves: list[Callable[..., object]] = [
            *(calls.take, calls.give_back, calls.escalate, calls.answer),
            lambda event, call, actor: calls.appeal(event, call, actor),
        ]
        user.random.choice(moves)(user.event, waiting, user.actor)


def swap(user: RandomUser) -> None:
    draft_changes.swap_seats(user.round, user.player, user.player, user.actor)


def next_round(user: RandomUser) -> None:
    force = user.random.choice(["", "", "no time"])
    job = draft_changes.request_pairing(
        user.event, user.event.next_round_number(), user.actor, force_reason=force
    )
    tasks.pair_round(job.pk)


def run_jobs(user: RandomUser) -> None:
    for job in user.event.jobs.filter(state="queued"):
        jobs.task_of(job)(job.pk)


def try_out(user: RandomUser) -> None:
    practice_services.delete_practice(
        practice_services.create_practice(user.event, user.actor, with_rounds=True)
    )


PROGRESS_ACTIONS: list[Action] = [
    decide_all,
    next_round,
    lambda user: rounds_services.publish_round(user.round, user.actor, leave_out_latecomers=True),
    lambda user: rounds_services.start_round(user.round, user.actor),
    lambda user: rounds_services.close_round(user.round, user.actor),
]
ACTIONS: list[Action] = [
    report,
    report,
    report,
    answer,
    answer,
    decide,
    miss,
    undo_a_change,
    undo_a_change,
    call,
    swap,
    run_jobs,
    try_out,
    lambda user: timers.apply_due_changes(),
    *PROGRESS_ACTIONS,
    *PROGRESS_ACTIONS,
    *PROGRESS_ACTIONS,
    lambda user: rounds_services.unpublish_round(user.round, user.actor, "again"),
    lambda user: rounds_services.reopen_round(user.round, user.actor, "again"),
    lambda user: draft_changes.discard_draft(user.round, user.actor),
    lambda user: draft_changes.pair_the_rest(user.round, user.actor, reason="again"),
    lambda user: draft_changes.set_lock(user.table, user.actor, locked=user.random.random() < 0.5),
    lambda user: rounds_services.pause_clock(user.round, user.actor),
    lambda user: rounds_services.resume_clock(user.round, user.actor),
    lambda user: rounds_services.add_minutes(user.round, user.random.choice([5, -5]), user.actor),
    lambda user: rounds_services.add_table_minutes(user.table, 3, user.actor),
    lambda user: no_shows.decide_no_show(user.table, user.actor),
    lambda user: registration_services.drop_player(user.player, user.actor),
    lambda user: registration_services.return_player(user.player, user.actor),
    lambda user: registration_services.check_in([user.player], user.actor),
    lambda user: registration_services.undo_check_in(user.player, user.actor),
    lambda user: registration_services.register_guest(user.event, "Guest", is_another=True),
    lambda user: roster_changes.remove_player(user.player, user.actor),
    lambda user: settings_services.change_settings(
        user.event, user.actor, max_players=user.random.choice((8, 9))
    ),
    lambda user: settings_services.set_registration(user.event, user.actor, is_open=True),
    lambda user: registration_services.seat_meeting(user.event, user.actor, seats=4),
    lambda user: roster_changes.set_seed_and_group(user.player, user.actor, seed=1, avoid_group=""),
    lambda user: roster_changes.set_fixed_table(
        user.player, user.actor, user.random.choice([None, 7])
    ),
]


def act_at_random(user: RandomUser, barrier: Barrier) -> int:
    """Return the number of completed actions; refusals and rows deleted since do not count."""
    done = 0
    barrier.wait()
    try:
        for _ in range(ACTIONS_PER_USER):
            with suppress(Refusal, ObjectDoesNotExist):
                user.random.choice(ACTIONS)(user)
                done += 1
    finally:
        connection.close()
    return done


def players_in(round_: Round) -> list[int]:
    """Return the ids of all players at tables or with a bye, with duplicates."""
    pairings = round_.pairings.with_players()
    seated = [
        seat.player_id
        for pairing in pairings
        if pairing.match
        for seat in pairing.match.seats.all()
    ]
    return [*seated, *(pairing.bye.player_id for pairing in pairings if pairing.bye)]


@pytest.mark.parametrize("part", range(2))
def test_random_simultaneous_actions_cause_no_deadlock_or_double_seat(part: int):
    event = make_event(
        8,
        has_waiting_list=True,
        max_players=9,
        late_entry=LateEntry.HALF,
        drops_absent=True,
        confirm_after_minutes=0,
        no_show_minutes=0,
        registration_is_open=True,
    )
    start_round(event)
    barrier, owner = Barrier(THREADS), owner_of(event)
    users = [RandomUser(event, owner, part * THREADS + number) for number in range(THREADS)]

    with ThreadPoolExecutor(THREADS) as threads:
        done = list(threads.map(lambda user: act_at_random(user, barrier), users))

    assert sum(done) > THREADS * ACTIONS_PER_USER // 4
    assert Tournament.objects.get() == event
    for round_ in event.rounds:
        seated = players_in(round_)
        assert len(seated) == len(set(seated))
