"""Rulings in the tables: a small list, or all that ships."""

import pytest

from decks.importer import import_cards
from rulings import importer
from tests.rulings.builders import digest_of


@pytest.fixture
def cards(db: None) -> None:
    import_cards()


@pytest.fixture
def small(cards: None) -> None:
    """Seven rulings on six subjects."""
    importer.load_digest(digest_of())


@pytest.fixture
def shipped(cards: None) -> None:
    """All 498 rulings."""
    importer.load_digest()
