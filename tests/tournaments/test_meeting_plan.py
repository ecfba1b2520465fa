"""Seats at the player meeting."""

from tournaments.meeting_plan import Guest, tables_of


def test_players_fill_the_tables_in_the_order_of_their_names():
    assert tables_of([Guest()] * 5, 2) == (1, 1, 2, 2, 3)


def test_a_fixed_table_is_kept_and_its_place_taken_from_the_others():
    guests = [Guest(), Guest(fixed=1), Guest(), Guest()]

    assert tables_of(guests, 2) == (1, 1, 2, 2)


def test_a_latecomer_gets_the_next_free_seat_and_nobody_moves():
    guests = [Guest(seated=1), Guest(seated=2), Guest(seated=2), Guest()]

    assert tables_of(guests, 2) == (1, 2, 2, 1)


def test_the_numbers_of_the_room_come_first_and_then_those_behind_the_highest():
    assert tables_of([Guest()] * 6, 2, room=(7, 4)) == (7, 7, 4, 4, 8, 8)


def test_a_fixed_table_takes_more_guests_than_it_seats():
    assert tables_of([Guest(fixed=1)] * 3 + [Guest()], 2) == (1, 1, 1, 2)
