"""Penalties on what is closed already, and on a bracket."""

import pytest

from rulings.guide import PenaltyKind
from tests.factories.cuts import event_with_cut
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    close_round,
    enter_result,
    get_round,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
)
from tests.tournaments.services.penalties.talk import match_of, points, position, table_with
from tournaments import queries
from tournaments.models import Tournament
from tournaments.services import penalties, rounds

MATCH, OUT = PenaltyKind.MATCH_LOSS, PenaltyKind.DISQUALIFICATION


def test_a_bracket_that_went_on_refuses_it():
    event = event_with_cut(4)
    first = play_round(event, play=lambda _: sweep(1))
    start_round(event)
    pairing = tables_of(first)[0]
    winner = event.registrations.get(player=pairing.match.seats.get(position=1).player_id)

    with pytest.raises(penalties.CannotApply, match="A later game of the bracket"):
        penalise(winner, MATCH, pairing=pairing)

    assert points(first, winner)[0] == 20


def test_a_closed_round_keeps_a_result_at_every_table(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    given = penalise(ada, MATCH)
    for pairing in queries.open_tables(round_):
        enter_result(pairing, sweep(1))
    close_round(round_)

    with pytest.raises(penalties.CannotApply, match="Enter what was played at this table first"):
        take_back(given)
    assert points(round_, ada) == (0, 20)

    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    take_back(given)
    assert points(round_, ada) == (20, 0)


def test_who_is_disqualified_after_a_win_loses_the_next_game_of_the_bracket():
    event = event_with_cut(4)
    first = play_round(event, play=lambda _: sweep(1))
    pairing = tables_of(first)[0]
    winner = event.registrations.get(player=pairing.match.seats.get(position=1).player_id)
    given = penalise(winner, OUT)
    assert given.pairing is None

    second = start_round(event)

    assert match_of(second, winner).is_settled
    assert points(second, winner)[0] == 0
    rounds.unpublish(get_round(event, second.number), owner_of(event), "The wrong room.")
    rounds.publish(get_round(event, second.number), owner_of(event))
    assert match_of(second, winner).is_settled
    assert points(first, winner)[0] == 20
