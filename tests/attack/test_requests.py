"""Each attack by requests, beside readers and staff. The figures are the goals of `make bench`."""

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
def test_staff_and_readers_are_answered_beside(
    attacked: Site, case: Case, figure: Callable[[str], None]
):
    alone, beside = measure(case, new_event(attacked), turns=4)

    assert math.inf not in beside
    figure(f"{case.name}: {beside}; alone: {alone}")


@pytest.mark.skipif(bool(MISSING), reason=f"The site of deploy/ needs {', '.join(MISSING)}.")
def test_site_of_docs_answers_beside_pages_of_players(figure: Callable[[str], None]):
    [case] = [case for case in CASES if case.prepare is pages_of_players]
    with attacked_scaled_site() as site:
        alone, beside = measure(case, new_event(site), turns=4)

    assert math.inf not in beside
    figure(f"site of deploy/, {case.name}: {beside}; alone: {alone}")


@pytest.mark.parametrize("connections", [4, CONNECTIONS])
def test_guests_of_a_hall_check_decks_beside(attacked: Site, connections: int):
    assert refusals_of_players(event_today(attacked), connections) == 0
