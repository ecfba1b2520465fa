"""Rulings in the tables: a small list, or all that ships."""

import pytest

from rulings import importer
from tests.factories.library import load_cards, load_few_rulings, load_rulings
from tests.rulings.builders import digest_of, facts_of


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


@pytest.fixture
def small_list(cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small list takes the place of the one that ships; its reversals are those that ship."""
    importer.shipped_reversals()
    monkeypatch.setattr(importer, "shipped_digest", digest_of)
    monkeypatch.setattr(importer, "shipped_facts", facts_of)
