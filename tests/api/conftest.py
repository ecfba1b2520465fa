"""What there is to read: an event in its second round, cards and rulings."""

import pytest
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tests.factories.formats import make_card, make_format
from tests.factories.library import load_cards, load_few_rulings, load_rulings
from tournaments.models import Tournament


@pytest.fixture
def api() -> APIClient:
    """A stranger's client."""
    return APIClient()


@pytest.fixture
def event(db: None) -> Tournament:
    """Seven players; round 1 is closed, and table 1 of round 2 has a result."""
    tournament = make.make_event(players=7)
    make.play_round(tournament)
    make.play_round(tournament, tables=[1])
    return make.fresh(tournament)


@pytest.fixture
def library(db: None) -> None:
    """All cards of `onr`, one of `anr` with a format, and a few rulings."""
    load_cards()
    make_format(make_card("Sure Gamble"))
    load_few_rulings()


@pytest.fixture
def all_rulings(db: None) -> None:
    """All cards and all rulings that ship."""
    load_cards()
    load_rulings()
