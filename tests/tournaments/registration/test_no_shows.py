from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from matches import records as matches_records
from matches.models import Match, MatchState
from matches.scoring.results import GameEnd
from tests.factories.pods import make_pods
from tests.factories.tournaments import (
    draft_round,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    player_number,
    sitting,
    start_round,
    table,
)
from tournaments.desk import timers
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import DroppedBy, Pairing, Registration, Round, Tournament
from tournaments.registration import no_shows, services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services


def minutes_later(minutes: float, event: Tournament) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False):
        timers.apply_due_changes()
    event.refresh_from_db()


def match_at(pairing: Pairing) -> Match:
    assert pairing.match_id is not None
    return Match.objects.get(pk=pairing.match_id)


def points_at(pairing: Pairing) -> list[object]:
    return [seat.points for seat in match_at(pairing).seats.all()]


def ends_at(pairing: Pairing) -> list[str]:
    return [game.end for game in match_at(pairing).games.all()]


def report_no_show(event: Tournament, place: int = 1) -> tuple[Pairing, Registration, Registration]:
    pairing = table(start_round(event), 1)
    players = sitting(pairing)
    absent, present = players[place], players[1 - place]
    no_shows.mark_missing(pairing, absent, Actor(player=present.player))
    return pairing, absent, present


def test_table_is_decided_after_the_minutes_and_the_player_dropped():
    event = make_event(4, no_show_minutes=10)
    pairing, absent, present = report_no_show(event)

    minutes_later(9, event)
    assert match_at(pairing).state == MatchState.OPEN
    minutes_later(10, event)

    assert points_at(pairing) == [20, 0]
    assert set(ends_at(pairing)) == {GameEnd.NO_SHOW}
    assert player_number(event, absent.number).dropped_by == DroppedBy.NO_SHOW
    assert player_number(event, present.number).is_active
    entry = event.log.get(action="no-show decided")
    assert (entry.user, entry.player, entry.pairing) == (None, None, pairing)
    assert entry.after["missing"] == absent.player.name
    assert (entry.reason, entry.shown_reason) == ("no_show", "The player did not arrive in time.")
    minutes_later(11, event)
    assert event.log.filter(action="no-show decided").count() == 1


def test_dropped_no_show_can_return():
    event = make_event(4, no_show_minutes=10)
    _, absent, _ = report_no_show(event)
    minutes_later(10, event)

    assert [entry.number for entry in event.registrations.dropped_for_absence()] == [absent.number]
    services.return_player(player_number(event, absent.number), owner_of(event))

    assert player_number(event, absent.number).is_active
    assert not event.registrations.dropped_for_absence()


def test_report_is_withdrawn_when_the_player_arrives():
    event = make_event(4, no_show_minutes=10)
    pairing, absent, _ = report_no_show(event)

    no_shows.mark_present(pairing, absent, Actor(player=absent.player))
    no_shows.mark_present(pairing, absent, Actor(player=absent.player))
    minutes_later(30, event)

    assert match_at(pairing).state == MatchState.OPEN
    assert event.log.filter(action="missed player came").count() == 1


def test_without_a_policy_only_staff_decide(event: Tournament):
    pairing, absent, _ = report_no_show(event)
    minutes_later(600, event)
    assert match_at(pairing).state == MatchState.OPEN

    no_shows.decide_no_show(pairing, owner_of(event))

    assert points_at(pairing) == [20, 0]
    assert event.log.get(action="no-show decided").shown_reason == "Decided by the staff."
    assert not player_number(event, absent.number).is_active
    with pytest.raises(no_shows.NotMissed, match="any more"):
        no_shows.decide_no_show(pairing, owner_of(event))


def test_clock_must_be_started():
    event = make_event(4, no_show_minutes=10)
    round_ = draft_round(event)
    rounds_services.publish_round(round_, owner_of(event))
    pairing = table(get_round(event, 1), 1)
    no_shows.mark_missing(pairing, sitting(pairing)[0], NOBODY)

    minutes_later(60, event)

    assert match_at(pairing).state == MatchState.OPEN


def test_paused_time_does_not_count():
    event = make_event(4, no_show_minutes=10)
    pairing, _, _ = report_no_show(event)
    start = timezone.now()
    with time_machine.travel(start + timedelta(minutes=5), tick=False):
        rounds_services.pause_clock(get_round(event, 1), owner_of(event))
    minutes_later(25, event)
    assert match_at(pairing).state == MatchState.OPEN
    with time_machine.travel(start + timedelta(minutes=25), tick=False):
        rounds_services.resume_clock(get_round(event, 1), owner_of(event))

    minutes_later(29, event)
    assert match_at(pairing).state == MatchState.OPEN
    minutes_later(31, event)
    assert match_at(pairing).is_settled


def test_late_report_leaves_time_to_answer():
    event = make_event(4, no_show_minutes=10)
    pairing = table(start_round(event), 1)
    start = timezone.now()
    with time_machine.travel(start + timedelta(minutes=30), tick=False):
        no_shows.mark_missing(pairing, sitting(pairing)[1], NOBODY)

    minutes_later(31, event)
    assert match_at(pairing).state == MatchState.OPEN
    minutes_later(33, event)
    assert match_at(pairing).is_settled


def test_table_without_players_has_no_points():
    event = make_event(4, no_show_minutes=10)
    pairing, _, present = report_no_show(event)
    no_shows.mark_missing(pairing, present, owner_of(event))

    minutes_later(12, event)

    assert points_at(pairing) == [0, 0]
    assert {GameEnd.JUDGE} == set(ends_at(pairing))
    assert event.registrations.filter(dropped_by=DroppedBy.NO_SHOW).count() == 2


@pytest.mark.parametrize("rule", ["anr_double", "anr_single"])
def test_no_show_in_android_scoring(rule: str):
    event = make_event(4, game="anr", scoring_rule=rule, no_show_minutes=10)
    pairing, _, present = report_no_show(event, place=0)
    minutes_later(12, event)
    assert points_at(pairing) == ([0, 6] if rule == "anr_double" else [0, 3])
    # Agenda points do not count here, so none are stored.
    assert matches_records.settled_result(match_at(pairing)).agenda_points(1) is None

    second_pairing = table(get_round(event, 1), 2)
    for entry in sitting(second_pairing):
        no_shows.mark_missing(second_pairing, entry, owner_of(event))
    minutes_later(12, event)
    assert points_at(second_pairing) == [0, 0]
    assert present.is_active


def test_pod_plays_on_without_a_missing_player():
    event = make_pods(4, no_show_minutes=10)
    pairing = table(start_round(event), 1)
    players = sitting(pairing)
    no_shows.mark_missing(pairing, players[0], NOBODY)
    minutes_later(12, event)

    assert match_at(pairing).state == MatchState.OPEN
    assert player_number(event, players[0].number).dropped_by == DroppedBy.NO_SHOW
    for entry in players[1:3]:
        no_shows.mark_missing(pairing, entry, NOBODY)
    minutes_later(15, event)

    assert points_at(pairing) == [2, 2, 2, 5]


def test_reported_result_cancels_the_no_show():
    event = make_event(4, no_show_minutes=10)
    pairing, absent, present = report_no_show(event)
    seat = pairing.match.seats.get(player=present.player)
    results_services.report_result(pairing, seat, games_for(pairing), Actor(player=present.player))

    minutes_later(12, event)

    assert match_at(pairing).state == MatchState.PROPOSED
    with pytest.raises(no_shows.NotMissed, match="A result has been reported"):
        no_shows.mark_missing(pairing, absent, owner_of(event))


def test_player_is_reported_once_and_only_at_their_own_table(event: Tournament):
    pairing, absent, present = report_no_show(event)
    no_shows.mark_missing(pairing, absent, Actor(player=present.player))
    player_of_table_2 = sitting(table(get_round(event, 1), 2))[0]

    with pytest.raises(no_shows.NotMissed, match="does not sit"):
        no_shows.mark_missing(pairing, player_of_table_2, owner_of(event))

    assert pairing.absences.count() == 1
    assert event.log.filter(action="player missed").count() == 1


def test_closed_round_has_no_no_show():
    event = make_event(2)
    pairing, _, _ = report_no_show(event)
    Round.objects.filter(pk=pairing.round_id).update(state="closed", closed_at=timezone.now())

    with pytest.raises(no_shows.NotMissed, match="not being played now"):
        no_shows.decide_no_show(pairing, owner_of(fresh(event)))


def test_report_at_a_changed_table_has_no_effect():
    event = make_event(4, no_show_minutes=10)
    pairing, absent, _ = report_no_show(event)
    round_ = get_round(event, 1)
    rounds_services.unpublish_round(round_, owner_of(event), "wrong seats")
    player_of_table_2 = sitting(table(round_, 2))[1]
    draft_changes.swap_seats(get_round(event, 1), absent, player_of_table_2, owner_of(event))
    rounds_services.publish_round(get_round(event, 1), owner_of(event))
    rounds_services.start_round(get_round(event, 1), owner_of(event))

    minutes_later(30, event)

    assert match_at(pairing).state == MatchState.OPEN
    assert player_number(event, absent.number).is_active
