"""The event most tests play with; a module with another evening in mind makes its own."""

import pytest
from django.core.cache import caches

from tests.factories.tournaments import make_event, start_round, table
from tournaments.models import Pairing, Round, Tournament


@pytest.fixture(autouse=True)
def _empty_cache():
    """Finished pages are kept by the address of their event, and many tests name theirs alike."""
    for name in caches.settings:
        caches[name].clear()


@pytest.fixture
def event(db: None) -> Tournament:
    """Four players, here; no round yet."""
    return make_event(players=4)


@pytest.fixture
def round_(event: Tournament) -> Round:
    """Round 1, running."""
    return start_round(event)


@pytest.fixture
def pairing(round_: Round) -> Pairing:
    """Table 1 of round 1."""
    return table(round_, 1)
