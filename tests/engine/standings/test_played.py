"""Who played whom at one table, and what each took from it."""

from engine.standings import Played, Taken, opponents_at, played


def test_everybody_at_a_table_met_everybody_else_in_the_order_of_the_seats():
    assert opponents_at([3, 1, 2]) == {3: (1, 2), 1: (3, 2), 2: (3, 1)}


def test_two_players_compare_their_agenda_points():
    table = played({1: Taken(13, 1, 10), 2: Taken(10, 1, 7)})

    assert table == {1: Played((2,), 13, 1, (10, 7)), 2: Played((1,), 10, 1, (7, 10))}


def test_agenda_points_of_one_side_alone_are_compared_with_nothing():
    assert played({1: Taken(10, 1, 10), 2: Taken(0)})[1].agenda_points is None


def test_a_pod_compares_no_agenda_points():
    table = played({1: Taken(5), 2: Taken(3), 3: Taken(2)})

    assert table[2] == Played((1, 3), 3)
