"""Seats at the player meeting."""

from tournaments.meeting_plan import Guest, tables_of


def test_the_numbers_of_the_room_come_first_and_then_those_behind_the_highest():
    assert tables_of([Guest()] * 6, 2, room=(7, 4)) == (7, 7, 4, 4, 8, 8)


def test_a_fixed_table_takes_more_guests_than_it_seats():
    assert tables_of([Guest(fixed=1)] * 3 + [Guest()], 2) == (1, 1, 1, 2)
