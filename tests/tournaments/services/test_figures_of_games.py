"""What the games of an event bring into its standings."""

from tests.factories.tournaments import make_event, play_round, sweep
from tournaments import field
from tournaments.standings import Played, standings


def test_agenda_points_of_both_games_are_told_to_the_standings() -> None:
    event = make_event(2)
    play_round(event, play=lambda _: sweep(1, loser_points=3))
    rows = standings(field.records(event), ("agenda_point_difference",), seed=1)
    tables = [entry for one in field.records(event) for entry in one.rounds if entry]

    assert [row.values["agenda_point_difference"] for row in rows] == [8, -8]
    assert {entry.agenda_points for entry in tables if isinstance(entry, Played)} == {
        (14, 6),
        (6, 14),
    }


def test_a_bye_brings_no_agenda_points() -> None:
    event = make_event(3)
    play_round(event)
    rows = standings(field.records(event), ("agenda_point_difference",), seed=1)

    assert sum(int(row.values["agenda_point_difference"] or 0) for row in rows) == 0
