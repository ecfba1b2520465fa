"""Round 1 closes registration; later the staff have the last word."""

from tests.factories.tournaments import (
    enter_result,
    fresh,
    games_for,
    get_round,
    owner_of,
    start_round,
    tables_of,
)
from tournaments.models import Tournament
from tournaments.services import events, rounds


def test_registration_closes_with_round_1_and_stays_as_staff_set_it_later(event: Tournament):
    actor = owner_of(event)
    start_round(event)
    assert not fresh(event).registration_is_open
    assert event.log.filter(action="registration closed").get().reason == "Round 1 was published."

    events.set_registration(event, actor, is_open=True)
    for pairing in tables_of(get_round(event, 1)):
        enter_result(pairing, games_for(pairing))
    rounds.close(get_round(event, 1), actor)
    start_round(event)

    assert fresh(event).registration_is_open
