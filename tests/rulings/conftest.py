"""Stored rulings: a small list, or all shipped rulings."""

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
    """All 498 shipped rulings."""
    load_rulings()


@pytest.fixture
def small_list(cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped list by the small list; the shipped reversals stay."""
    monkeypatch.setattr(importer, "shipped_digest", digest_of)
    monkeypatch.setattr(importer, "shipped_facts", facts_of)
