"""Changes taken back after other things have happened at the same place."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from matches.models import MatchState
from tests.factories.tournaments import (
    close_round,
    enter_result,
    games_for,
    get_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.services.test_undo import back, last, state_of
from tournaments import due, queries
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.services import absences, drafting, registrations, results, rounds, undo
from tournaments.services.undo import CannotUndo


def test_a_report_that_is_open_again_gives_the_other_their_time_again():
    event = make_event(players=4, confirm_after_minutes=15)
    pairing = table(start_round(event), 1)
    seat = pairing.match.seats.get(position=1)
    results.report(pairing, seat, sweep(1, 3), Actor(player=seat.player))
    later = timezone.now() + timedelta(minutes=16)
    with time_machine.travel(later, tick=False):
        due.carry_out()
        back(event, "result confirmed by time")
        due.carry_out()
    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.PROPOSED

    with time_machine.travel(later + timedelta(minutes=16), tick=False):
        due.carry_out()

    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.CONFIRMED


def test_a_result_never_comes_back_for_other_players(event: Tournament):
    round_ = start_round(event)
    pairing, other = table(round_, 1), table(round_, 2)
    enter_result(pairing, sweep(1, 3))
    back(event, "result entered")
    rounds.unpublish(get_round(event, 1), owner_of(event), "wrong seats")
    one, two = (
        event.registrations.get(player=at.match.seats.first().player) for at in (pairing, other)
    )
    drafting.swap_seats(get_round(event, 1), one, two, owner_of(event))
    rounds.publish(get_round(event, 1), owner_of(event))

    with pytest.raises(CannotUndo, match="Others sit"):
        back(event, "result taken back")


def test_what_it_touches_in_a_closed_round_is_told_first(event: Tournament):
    pairing = table(start_round(event), 1)
    names = [seat.player.name for seat in pairing.match.seats.all()]
    for one in tables_of(get_round(event, 1)):
        enter_result(one, sweep(2, 3))
    enter_result(pairing, sweep(1, 6))
    assert undo.plan(last(event, "result changed"), owner_of(event)).impact is None
    close_round(get_round(event, 1))

    told = undo.plan(last(event, "result changed"), owner_of(event)).impact

    points = {move.name: (move.points, move.new_points) for move in told.moved}
    assert [points[name] for name in names] == [(20, 3), (6, 20)]


def test_who_is_missed_now_is_found_though_they_were_missed_before(event: Tournament):
    first = table(start_round(event), 1)
    ada = event.registrations.get(player=first.match.seats.first().player)
    absences.tell(first, ada, owner_of(event))
    for pairing in tables_of(get_round(event, 1)):
        enter_result(pairing, games_for(pairing))
    close_round(get_round(event, 1))
    start_round(event)
    second = queries.pairing_of(get_round(event, 2), ada.player)
    assert second is not None
    absences.tell(second, ada, owner_of(event))

    back(event, "player missed")

    assert not second.absences.exists()


def test_who_gave_up_waiting_waits_again_or_has_the_place_that_came_free():
    event = make_event(players=2, max_players=2, has_waiting_list=True, registration_is_open=True)
    waiting = [registrations.register_guest(event, name) for name in ("Mia", "Noor")]
    for one in waiting:
        registrations.drop(one, owner_of(event))
    mia, noor = (entry for entry in event.log.filter(action="player dropped").order_by("pk"))

    undo.undo(mia, owner_of(event))
    assert state_of(waiting[0]) == "waiting"
    registrations.drop(player_number(event, 1), owner_of(event))
    assert state_of(waiting[0]) == "registered"
    registrations.drop(player_number(event, 2), owner_of(event))
    undo.undo(noor, owner_of(event))

    assert state_of(waiting[1]) == "registered"
    assert last(event, "player on the waiting list").undoes == noor
