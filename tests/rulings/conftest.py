"""Rulings in the tables: a small list, or all that ships."""

import pytest

from tests.factories.library import load_cards, load_few_rulings, load_rulings


@pytest.fixture
def cards(db: None) -> None:
    load_cards()


@pytest.fixture
def small(cards: None) -> None:
    """Seven rulings on six subjects."""
    load_few_rulings()


@pytest.fixture
def shipped(cards: None) -> None:
    """All 498 rulings."""
    load_rulings()
