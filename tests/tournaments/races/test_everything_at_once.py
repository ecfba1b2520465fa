"""All that desk and players can do, at once and by lot: nothing waits for ever, nothing breaks."""

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

HANDS, ACTS = 8, 40
Act = Callable[["Hand"], object]
Row = TypeVar("Row", bound=Model)


def match_of(table: Pairing) -> Match:
    assert table.match is not None
    return table.match


class Hand:
    """One of many who push buttons by lot."""

    def __init__(self, event: Tournament, actor: Actor, number: int) -> None:
        self.event, self.actor = event, actor
        self.lot = random.Random(number)

    @property
    def round(self) -> Round:
        latest = self.event.latest_round()
        if latest is None:
            raise ObjectDoesNotExist
        return latest

    @property
    def table(self) -> Pairing:
        tables = self.round.pairings.exclude(match=None)
        return self._one(tables.select_related("match", "round__stage__tournament"))

    @property
    def player(self) -> Registration:
        return self._one(self.event.registrations.select_related("player", "tournament"))

    def _one(self, rows: QuerySet[Row]) -> Row:
        found = list(rows)
        if not found:
            raise ObjectDoesNotExist
        return self.lot.choice(found)

    @property
    def seat(self) -> tuple[Pairing, Seat]:
        table = self.table
        return table, self.lot.choice(list(match_of(table).seats.select_related("player")))


def report(hand: Hand) -> None:
    table, seat = hand.seat
    result = hand.lot.choice([games_for(table), sweep(1), sweep(2)])
    results_services.report_result(table, seat, result, Actor(player=seat.player))


def answer(hand: Hand) -> None:
    table, seat = hand.seat
    newest = match_of(table).reports.last()
    act = hand.lot.choice([results_services.confirm_report, results_services.dispute_report])
    act(table, seat, newest.pk if newest else 0, Actor(player=seat.player))


def decide(hand: Hand) -> None:
    table = hand.table
    results_services.decide_result(
        table, sweep(1), hand.actor, seen_version=match_of(table).version
    )


def decide_all(hand: Hand) -> None:
    for table in hand.round.open_tables():
        results_services.decide_result(
            table, sweep(2), hand.actor, seen_version=match_of(table).version
        )


def miss(hand: Hand) -> None:
    table, seat = hand.seat
    place = hand.event.registrations.select_related("player").get(player=seat.player)
    act = hand.lot.choice([no_shows.mark_missing, no_shows.mark_missing, no_shows.mark_present])
    act(table, place, hand.actor)


def take_back(hand: Hand) -> None:
    entries = list(hand.event.log.filter(action__in=undo_services.UNDO_RULES).order_by("-pk")[:12])
    undo_services.undo(hand.lot.choice(entries), hand.actor)


def call(hand: Hand) -> None:
    open_ = judging_queries.open_calls(hand.event)
    if not open_ or hand.lot.random() < 0.5:
        calls.raise_call(hand.table, hand.actor, "Card")
    else:
        waiting = hand.lot.choice(open_).call
        moves: list[Callable[..., object]] = [
            *(calls.take, calls.give_back, calls.escalate, calls.answer),
            lambda event, call, actor: calls.appeal(event, call, actor),
        ]
        hand.lot.choice(moves)(hand.event, waiting, hand.actor)


def swap(hand: Hand) -> None:
    draft_changes.swap_seats(hand.round, hand.player, hand.player, hand.actor)


def next_round(hand: Hand) -> None:
    force = hand.lot.choice(["", "", "no time"])
    job = draft_changes.request_pairing(
        hand.event, hand.event.next_round_number(), hand.actor, force_reason=force
    )
    tasks.pair_round(job.pk)


def work(hand: Hand) -> None:
    for job in hand.event.jobs.filter(state="queued"):
        jobs.task_of(job)(job.pk)


def try_out(hand: Hand) -> None:
    practice_services.delete_practice(
        practice_services.create_practice(hand.event, hand.actor, with_rounds=True)
    )


FORWARD: list[Act] = [
    decide_all,
    next_round,
    lambda hand: rounds_services.publish_round(hand.round, hand.actor, leave_out_latecomers=True),
    lambda hand: rounds_services.start_round(hand.round, hand.actor),
    lambda hand: rounds_services.close_round(hand.round, hand.actor),
]
ACTIONS: list[Act] = [
    report,
    report,
    report,
    answer,
    answer,
    decide,
    miss,
    take_back,
    take_back,
    call,
    swap,
    work,
    try_out,
    lambda hand: timers.apply_due_changes(),
    *FORWARD,
    *FORWARD,
    *FORWARD,
    lambda hand: rounds_services.unpublish_round(hand.round, hand.actor, "again"),
    lambda hand: rounds_services.reopen_round(hand.round, hand.actor, "again"),
    lambda hand: draft_changes.discard_draft(hand.round, hand.actor),
    lambda hand: draft_changes.pair_the_rest(hand.round, hand.actor, reason="again"),
    lambda hand: draft_changes.set_lock(hand.table, hand.actor, locked=hand.lot.random() < 0.5),
    lambda hand: rounds_services.pause_clock(hand.round, hand.actor),
    lambda hand: rounds_services.resume_clock(hand.round, hand.actor),
    lambda hand: rounds_services.add_minutes(hand.round, hand.lot.choice([5, -5]), hand.actor),
    lambda hand: rounds_services.add_table_minutes(hand.table, 3, hand.actor),
    lambda hand: no_shows.decide_no_show(hand.table, hand.actor),
    lambda hand: registration_services.drop_player(hand.player, hand.actor),
    lambda hand: registration_services.return_player(hand.player, hand.actor),
    lambda hand: registration_services.check_in([hand.player], hand.actor),
    lambda hand: registration_services.undo_check_in(hand.player, hand.actor),
    lambda hand: registration_services.register_guest(hand.event, "Guest", is_another=True),
    lambda hand: roster_changes.remove_player(hand.player, hand.actor),
    lambda hand: settings_services.change_settings(
        hand.event, hand.actor, max_players=hand.lot.choice((8, 9))
    ),
    lambda hand: settings_services.set_registration(hand.event, hand.actor, is_open=True),
    lambda hand: registration_services.seat_meeting(hand.event, hand.actor, seats=4),
    lambda hand: roster_changes.set_seed_and_group(hand.player, hand.actor, seed=1, avoid_group=""),
    lambda hand: roster_changes.set_fixed_table(
        hand.player, hand.actor, hand.lot.choice([None, 7])
    ),
]


def pushing(hand: Hand, barrier: Barrier) -> int:
    """How much this hand got done; a refusal, or a row that is gone meanwhile, is no harm."""
    done = 0
    barrier.wait()
    try:
        for _ in range(ACTS):
            with suppress(Refusal, ObjectDoesNotExist):
                hand.lot.choice(ACTIONS)(hand)
                done += 1
    finally:
        connection.close()
    return done


def places_in(round_: Round) -> list[int]:
    """Everybody who sits at a table of the round or has a bye in it, as often as they do."""
    pairings = round_.pairings.with_players()
    seated = [seat.player_id for one in pairings if one.match for seat in one.match.seats.all()]
    return [*seated, *(one.bye.player_id for one in pairings if one.bye)]


@pytest.mark.parametrize("lot", range(2))
def test_nothing_waits_for_ever_and_nothing_breaks(lot: int):
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
    barrier, owner = Barrier(HANDS), owner_of(event)
    everybody = [Hand(event, owner, lot * HANDS + number) for number in range(HANDS)]

    with ThreadPoolExecutor(HANDS) as threads:
        done = list(threads.map(lambda hand: pushing(hand, barrier), everybody))

    assert sum(done) > HANDS * ACTS // 4
    assert Tournament.objects.get() == event
    for round_ in event.rounds:
        seated = places_in(round_)
        assert len(seated) == len(set(seated))
