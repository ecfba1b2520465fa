"""Attacks by requests: waiting times of readers and staff during each.

Figures are compared with the goals of `make bench`.
"""

import math
from collections.abc import Callable, Iterator

import pytest

from tests.live_site import Site
from tests.rehearsed_site import MISSING
from tools.attack.measuring import new_event
from tools.attack.requests import (
    CASES,
    CONNECTIONS,
    Case,
    attacked_scaled_site,
    attacked_site,
    event_today,
    measure,
    pages_of_players,
    refusals_of_players,
)

pytestmark = [pytest.mark.slow, pytest.mark.goal("G18")]


@pytest.fixture(scope="module")
def attacked() -> Iterator[Site]:
    with attacked_site() as site:
        yield site


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_staff_and_readers_get_responses_during_the_attack(
    attacked: Site, case: Case, figure: Callable[[str], None]
):
    alone, during_attack = measure(case, new_event(attacked), turns=4)

    assert math.inf not in during_attack
    figure(f"{case.name}: {during_attack}; alone: {alone}")


@pytest.mark.skipif(bool(MISSING), reason=f"The site of deploy/ needs {', '.join(MISSING)}.")
def test_documented_site_responds_during_requests_for_player_pages(figure: Callable[[str], None]):
    [case] = [case for case in CASES if case.prepare is pages_of_players]
    with attacked_scaled_site() as site:
        alone, during_attack = measure(case, new_event(site), turns=4)

    assert math.inf not in during_attack
    figure(f"site of deploy/, {case.name}: {during_attack}; alone: {alone}")


@pytest.mark.parametrize("connections", [4, CONNECTIONS])
def test_guests_of_a_hall_can_check_decks_during_the_attack(attacked: Site, connections: int):
    assert refusals_of_players(event_today(attacked), connections) == 0
