"""An event in its second round, cards and rulings."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tests.factories.formats import make_card, make_format
from tests.factories.library import load_cards, load_few_rulings, load_rulings
from tests.shared_rows import shared_rows
from tournaments.models import Tournament


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Allow database access in all tests."""


@pytest.fixture
def api() -> APIClient:
    return APIClient()


@pytest.fixture(scope="module")
def second_round(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Tournament]:
    yield from shared_rows(django_db_blocker, _second_round)


@pytest.fixture
def event(second_round: Tournament, db: None) -> Tournament:
    """Seven players; round 1 is closed, and table 1 of round 2 has a result."""
    return make.fresh(second_round)


def _second_round() -> Tournament:
    tournament = make.make_event(players=7)
    make.play_round(tournament)
    make.play_round(tournament, tables=[1])
    return tournament


@pytest.fixture
def library(db: None) -> None:
    """All cards of `onr`, one of `anr` with a format, and a few rulings."""
    load_cards()
    make_format(make_card("Sure Gamble"))
    load_few_rulings()


@pytest.fixture
def all_rulings(db: None) -> None:
    load_cards()
    load_rulings()
