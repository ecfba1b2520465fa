from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from matches.models import MatchState
from tests.factories.tournaments import (
    add_players,
    close_round,
    draft_round,
    enter_result,
    finish_round,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
    tables_of,
    work_off,
)
from tests.tournaments.undo.test_undo import last_entry, undo_last
from tournaments.desk import timers
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Round, RoundState, Tournament
from tournaments.registration import no_shows
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo


def clock_of(event: Tournament) -> tuple[Any, ...]:
    round_ = get_round(event, 1)
    minutes = [table.extra_minutes for table in tables_of(round_)]
    moments = (round_.started_at, round_.paused_at)
    return (str(round_.state), *moments, round_.paused_seconds, round_.extra_minutes, minutes)


def seats(round_: Round) -> list[list[str]]:
    return [
        [seat.player.name for seat in pairing.match.seats.all()] for pairing in tables_of(round_)
    ]


def test_entered_result_is_undone_and_redone(event: Tournament, pairing: Pairing):
    enter_result(pairing, games_for(pairing))

    assert undo_services.preview_undo(
        last_entry(event, "result entered"), owner_of(event)
    ).sentence == ("Table 1 of round 1 will have no result again.")
    undo_last(event, "result entered")

    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.OPEN
    undo_last(event, "result taken back")
    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.DECIDED


def test_changed_result_is_restored(event: Tournament, pairing: Pairing):
    enter_result(pairing, sweep(1, 3))
    enter_result(pairing, sweep(2, 0))
    first, second = (seat.player.name for seat in pairing.match.seats.all())

    sentence = undo_services.preview_undo(
        last_entry(event, "result changed"), owner_of(event)
    ).sentence
    undo_last(event, "result changed")

    assert sentence == f"Table 1 of round 1 will have this result again: {first} 20, {second} 3."
    assert [seat.points for seat in pairing.match.seats.all()] == [20, 3]


def test_confirmed_report_is_open_again(event: Tournament, pairing: Pairing):
    reporter, opponent = pairing.match.seats.all()
    results_services.report_result(pairing, reporter, sweep(1, 3), Actor(player=reporter.player))
    report = pairing.match.reports.get()
    results_services.confirm_report(pairing, opponent, report.pk, Actor(player=opponent.player))

    undo_last(event, "result confirmed")

    pairing.match.refresh_from_db()
    report.refresh_from_db()
    assert (pairing.match.state, report.state) == ("proposed", "proposed")


def test_later_change_is_named(event: Tournament, pairing: Pairing):
    enter_result(pairing, sweep(1, 3))
    enter_result(pairing, sweep(2, 0))

    with pytest.raises(CannotUndo, match=r"Result changed: round 1, table 1.* came later"):
        undo_last(event, "result entered")
    undo_last(event, "result changed")
    undo_last(event, "result entered")

    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.OPEN


def test_result_of_an_earlier_round_is_not_undone(event: Tournament):
    play_round(event)
    draft_round(event)

    with pytest.raises(CannotUndo, match=r"Round 2 was paired .*\. Change the result"):
        undo_last(event, "result entered")


def test_closed_round_keeps_its_results(event: Tournament):
    play_round(event)

    with pytest.raises(CannotUndo, match="Round 1 is closed"):
        undo_last(event, "result entered")


def test_undo_in_a_closed_round_recomputes_standings(event: Tournament):
    round_ = play_round(event)
    enter_result(table(round_, 1), sweep(2, 6))
    work_off(event)
    jobs = event.jobs.count()

    undo_last(event, "result changed")

    assert event.jobs.count() == jobs + 1


def test_publication_is_undone_and_redone(event: Tournament):
    round_ = draft_round(event)
    rounds_services.publish_round(round_, owner_of(event))

    undo_last(event, "round published")
    assert get_round(event, 1).state == RoundState.DRAFT
    undo_last(event, "round taken back")

    assert get_round(event, 1).state == RoundState.PUBLISHED


def test_republished_round_has_its_clock(event: Tournament, round_: Round):
    rounds_services.add_minutes(round_, 5, owner_of(event))
    rounds_services.add_table_minutes(table(round_, 1), 3, owner_of(event), "A deck check.")
    rounds_services.pause_clock(round_, owner_of(event))
    before = clock_of(event)

    undo_last(event, "round published")
    assert clock_of(event) == ("draft", None, None, 0, 0, [0, 0])
    undo_last(event, "round taken back")

    assert clock_of(event) == before
    assert (before[0], before[-1]) == ("running", [3, 0])


def test_table_minutes_are_not_restored_for_different_players(event: Tournament, round_: Round):
    rounds_services.add_table_minutes(table(round_, 1), 3, owner_of(event), "A deck check.")
    undo_last(event, "round published")
    first, second = (table(get_round(event, 1), number).match.seats.first() for number in (1, 2))
    ada, bo = (event.registrations.get(player=seat.player_id) for seat in (first, second))
    draft_changes.swap_seats(get_round(event, 1), ada, bo, owner_of(event))

    undo_last(event, "round taken back")

    assert clock_of(event)[-1] == [0, 0]


def test_republishing_does_not_close_registration(event: Tournament):
    rounds_services.publish_round(draft_round(event), owner_of(event))
    assert not fresh(event).registration_is_open
    settings_services.set_registration(fresh(event), owner_of(event), is_open=True)

    undo_last(event, "round published")
    undo_last(event, "round taken back")

    assert get_round(event, 1).state == RoundState.PUBLISHED
    assert fresh(event).registration_is_open


def test_changes_before_unpublishing_do_not_block_republishing(event: Tournament):
    play_round(event)
    rounds_services.publish_round(draft_round(event), owner_of(event))
    registration_services.drop_player(player_number(event, 1), owner_of(event))
    add_players(event, 1)
    enter_result(table(get_round(event, 1), 1), sweep(2, 6))

    undo_last(event, "round published")
    undo_last(event, "round taken back")

    assert get_round(event, 2).state == RoundState.PUBLISHED


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (
            lambda event: registration_services.drop_player(
                player_number(event, 1), owner_of(event)
            ),
            "dropped after",
        ),
        (lambda event: add_players(event, 1), "checked in after"),
        (
            lambda event: enter_result(table(get_round(event, 1), 1), sweep(2, 6)),
            "A result of an earlier round was changed",
        ),
    ],
)
def test_changes_after_unpublishing_block_republishing(
    event: Tournament, moves: Callable[[Tournament], object], message: str
):
    play_round(event)
    rounds_services.publish_round(draft_round(event), owner_of(event))
    registration_services.drop_player(player_number(event, 2), owner_of(event))
    undo_last(event, "round published")
    moves(event)

    with pytest.raises(CannotUndo, match=message):
        undo_last(event, "round taken back")


def test_round_with_results_is_not_unpublished(event: Tournament, pairing: Pairing):
    enter_result(pairing, games_for(pairing))

    with pytest.raises(CannotUndo, match="A result has been reported at"):
        undo_last(event, "round published")


def test_closed_round_is_reopened_until_the_next_is_paired(event: Tournament):
    play_round(event)

    undo_last(event, "round closed")
    assert not get_round(event, 1).is_closed
    undo_last(event, "round reopened")
    assert get_round(event, 1).is_closed

    undo_last(event, "round closed")
    close_round(get_round(event, 1))
    draft_round(event)
    with pytest.raises(CannotUndo, match="Discard its draft"):
        undo_services.undo(
            event.log.filter(action="round closed", undoes=None).latest("pk"), owner_of(event)
        )


def test_swap_in_a_discarded_draft_is_not_undone(event: Tournament):
    round_ = draft_round(event)
    draft_changes.swap_seats(
        round_, player_number(event, 1), player_number(event, 2), owner_of(event)
    )
    swap = last_entry(event, "seats swapped")
    draft_changes.discard_draft(round_, owner_of(event))

    with pytest.raises(CannotUndo, match="discarded"):
        undo_services.undo(swap, owner_of(event))


def test_clock_changes_are_undone(event: Tournament, round_: Round):
    rounds_services.pause_clock(round_, owner_of(event))
    rounds_services.add_minutes(round_, 10, owner_of(event))

    undo_last(event, "clock paused")
    undo_last(event, "minutes added")

    round_ = get_round(event, 1)
    assert (round_.paused_at, round_.extra_minutes) == (None, 0)


def test_missing_report_is_undone(event: Tournament, pairing: Pairing):
    seat = pairing.match.seats.first()
    no_shows.mark_missing(pairing, event.registrations.get(player=seat.player), owner_of(event))

    undo_last(event, "player missed")

    assert not pairing.absences.exists()


def test_reopened_report_restarts_the_time_to_answer():
    event = make_event(players=4, confirm_after_minutes=15)
    pairing = table(start_round(event), 1)
    seat = pairing.match.seats.get(position=1)
    results_services.report_result(pairing, seat, sweep(1, 3), Actor(player=seat.player))
    later = timezone.now() + timedelta(minutes=16)
    with time_machine.travel(later, tick=False):
        timers.apply_due_changes()
        undo_last(event, "result confirmed by time")
        timers.apply_due_changes()
    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.PROPOSED

    with time_machine.travel(later + timedelta(minutes=16), tick=False):
        timers.apply_due_changes()

    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.CONFIRMED


def test_result_is_not_restored_for_different_players(event: Tournament, round_: Round):
    pairing, second_pairing = table(round_, 1), table(round_, 2)
    enter_result(pairing, sweep(1, 3))
    undo_last(event, "result entered")
    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "wrong seats")
    first, second = (
        event.registrations.get(player=swapped.match.seats.first().player)
        for swapped in (pairing, second_pairing)
    )
    draft_changes.swap_seats(get_round(event, 1), first, second, owner_of(event))
    rounds_services.publish_round(get_round(event, 1), owner_of(event))

    with pytest.raises(CannotUndo, match="Other players sit"):
        undo_last(event, "result taken back")


def test_preview_shows_the_impact_on_a_closed_round(event: Tournament, pairing: Pairing):
    names = [seat.player.name for seat in pairing.match.seats.all()]
    for pairing_ in tables_of(get_round(event, 1)):
        enter_result(pairing_, sweep(2, 3))
    enter_result(pairing, sweep(1, 6))
    assert (
        undo_services.preview_undo(last_entry(event, "result changed"), owner_of(event)).impact
        is None
    )
    close_round(get_round(event, 1))

    impact = undo_services.preview_undo(last_entry(event, "result changed"), owner_of(event)).impact

    points = {move.name: (move.points, move.new_points) for move in impact.moved}
    assert [points[name] for name in names] == [(20, 3), (6, 20)]


def test_missing_report_of_the_current_round_is_undone(event: Tournament):
    first = table(start_round(event), 1)
    ada = event.registrations.get(player=first.match.seats.first().player)
    no_shows.mark_missing(first, ada, owner_of(event))
    finish_round(get_round(event, 1))
    start_round(event)
    second = get_round(event, 2).pairing_of(ada.player)
    assert second is not None
    no_shows.mark_missing(second, ada, owner_of(event))

    undo_last(event, "player missed")

    assert not second.absences.exists()
