"""From the click to the draft, in fields of every size."""

from collections.abc import Callable
from time import perf_counter

import pytest

from tests.checker import shape
from tests.checker.reading import ids_of
from tests.factories.tournaments import draft_round, fresh, make_event, play_round
from tournaments import queries

pytestmark = [pytest.mark.slow, pytest.mark.goal("G11")]


@pytest.mark.parametrize("players", [64, 500, 1_000])
def test_a_click_becomes_a_draft_of_everybody(players: int, figure: Callable[[str], None]):
    event = make_event(players)
    play_round(event)
    here = [one.number for one in event.registrations.filter(state="checked_in")]
    began = perf_counter()

    round_ = draft_round(fresh(event))

    figure(f"{players} players: {perf_counter() - began:.2f} s from the click to the draft")
    by_player = dict(event.registrations.values_list("player_id", "number"))
    told = [
        {"table": one.table_number, "seats": [{"id": by_player[seat.player_id]} for seat in seats]}
        for one in queries.pairings_by_table(round_)
        if one.match and (seats := one.match.seats.all())
    ]
    assert list(shape.seating_faults(told, here, "$")) == []
    assert list(shape.table_faults(told, "$")) == []
    assert len([id_ for entry in told for id_ in ids_of(entry)]) == players
