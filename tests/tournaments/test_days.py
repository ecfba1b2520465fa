"""What is asked for all players of an event in one go is what each is told when asked alone."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.factories.cuts import event_with_cut
from tests.factories.pods import make_pods, places
from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    fresh,
    get_round,
    make_event,
    owner_of,
    place_of,
    play_round,
    player_number,
    seats_of,
    start_round,
    sweep,
    table,
)
from tournaments.models import Absence, Standing, Tournament
from tournaments.services import absences, events, registrations, results
from tournaments.sheets import halls
from tournaments.sheets.days import KnownDay, days_of
from tournaments.sheets.halls import hall_of, table_lines_now
from tournaments.sheets.my_place import my_place
from tournaments.sheets.tables import table_lines

pytestmark = pytest.mark.django_db


def before_the_first_round() -> Tournament:
    tournament = make_event(players=4)
    draft_round(tournament)
    return tournament


def in_the_middle() -> Tournament:
    """A bye, somebody who left, somebody who came late; a result, a report, somebody missed."""
    tournament = make_event(players=9, no_show_minutes=10)
    owner = owner_of(tournament)
    play_round(tournament)
    registrations.drop(player_number(tournament, 3), owner)
    add_players(tournament, 2)
    round_ = start_round(tournament)
    enter_result(table(round_, 1), sweep(2))
    told, missing = table(round_, 2), table(round_, 3)
    results.report(told, seats_of(told)[0], sweep(1), owner)
    gone = place_of(tournament, seats_of(missing)[0].player)
    absences.tell(missing, gone, owner)
    return tournament


def between_rounds() -> Tournament:
    tournament = make_event(players=5)
    play_round(tournament)
    play_round(tournament)
    draft_round(tournament)
    return tournament


def at_pods() -> Tournament:
    tournament = make_pods(7)
    play_round(tournament, play=places)
    start_round(tournament)
    return tournament


def in_a_cut() -> Tournament:
    tournament = event_with_cut(4)
    start_round(tournament)
    return tournament


@pytest.mark.parametrize(
    "made", [before_the_first_round, in_the_middle, between_rounds, at_pods, in_a_cut]
)
def test_a_day_is_the_same_alone_and_among_all(made: Callable[[], Tournament]):
    tournament = fresh(made())
    hall = hall_of(tournament)

    days = days_of(tournament, hall.round)

    assert len(days) == tournament.registrations.count()
    for place in tournament.registrations.select_related("player", "tournament"):
        known, alone = days[place.player_id], hall.day_of(place, None)
        assert known.day.rounds == alone.rounds
        assert known.day.standing == alone.standing
        assert known.moves == my_place(place.player, tournament.slug).moves


def test_who_is_missed_is_known_at_their_table_alone():
    tournament = fresh(in_the_middle())
    missing = Absence.objects.get()
    table = {seat.player_id for seat in missing.pairing.match.seats.all()}

    days = days_of(tournament, hall_of(tournament).round)

    told = {player: known.day.missed for player, known in days.items() if known.day.missed}
    assert told == dict.fromkeys(table, frozenset({missing.registration.number}))


def test_who_is_in_no_newer_standings_keeps_the_old_ones():
    tournament = make_event(players=4)
    play_round(tournament)
    play_round(tournament)
    gone = player_number(tournament, 1)
    Standing.objects.filter(registration=gone, snapshot__round__number=2).delete()

    days = days_of(tournament, get_round(tournament, 2))

    assert days[gone.player_id].day.standing.snapshot.round.number == 1


def test_a_result_makes_the_day_of_its_table_new_and_no_other(django_assert_num_queries):
    tournament = make_event()
    play_round(tournament)
    round_ = start_round(tournament)
    hall, told = hall_of(fresh(tournament)), table(round_, 1)
    one, other = (seats_of(table(round_, number))[0].player for number in (1, 2))
    hall.day_of(place_of(tournament, one), my_place(one, tournament.slug).moves)

    results.report(told, seats_of(told)[0], sweep(1), owner_of(tournament))

    place, moves = place_of(tournament, one), my_place(one, tournament.slug).moves
    with django_assert_num_queries(2):
        day = hall.day_of(place, moves)
    assert [line.table.state for line in day.rounds] == ["decided", "proposed"]
    alone = hall.day_of(place, None)
    assert (day.rounds, day.standing) == (alone.rounds, alone.standing)
    place, moves = place_of(tournament, other), my_place(other, tournament.slug).moves
    with django_assert_num_queries(0):
        hall.day_of(place, moves)


@pytest.mark.parametrize("made", [in_the_middle, between_rounds, at_pods, in_a_cut])
def test_the_tables_of_a_hall_are_those_of_the_round(made: Callable[[], Tournament]):
    tournament = fresh(made())
    round_ = hall_of(tournament).round
    assert round_ is not None

    for me in (None, player_number(tournament, 2)):
        player = None if me is None else me.player
        assert table_lines_now(round_, me) == table_lines(round_, player)


def test_only_a_table_that_has_moved_is_asked_for_again(django_assert_max_num_queries):
    tournament = make_event(players=20)
    round_ = start_round(tournament)
    hall = hall_of(fresh(tournament))
    hall.table_lines()
    first, last = table(round_, 1), table(round_, 10)

    results.report(first, seats_of(first)[0], sweep(1), owner_of(tournament))
    results.report(last, seats_of(last)[0], sweep(2), owner_of(tournament))
    results.report(last, seats_of(last)[1], sweep(2), owner_of(tournament))

    with django_assert_max_num_queries(4):
        lines = hall.table_lines()
    assert lines == table_lines(round_)
    assert (lines[0].state, lines[9].state) == ("proposed", "confirmed")
    with django_assert_max_num_queries(1):
        hall.table_lines()


def test_many_who_come_at_once_ask_once(monkeypatch: pytest.MonkeyPatch):
    tournament = fresh(between_rounds())
    place = place_of(tournament, player_number(tournament, 1).player)
    hall, asked, may_end = hall_of(tournament), [], Event()
    known = days_of(tournament, hall.round)

    def ask(*_: object) -> dict[int, KnownDay]:
        asked.append(1)
        assert may_end.wait(10)
        return known

    monkeypatch.setattr(halls, "days_of", ask)
    with ThreadPoolExecutor(4) as hands:
        moves = known[place.player_id].moves
        told = [hands.submit(hall.day_of, place, moves) for _ in range(8)]
        may_end.set()
        assert {id(day.result(10)) for day in told} == {id(known[place.player_id].day)}
    assert len(asked) == 1


def test_an_older_row_takes_nothing_newer_away():
    tournament = fresh(between_rounds())
    old = fresh(tournament)
    events.change_settings(tournament, owner_of(tournament), planned_rounds=5)
    new = hall_of(fresh(tournament))

    assert hall_of(old).version == old.hall_version < new.version
    assert hall_of(fresh(tournament)) is new
