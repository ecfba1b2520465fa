"""Card tables, loaded as on a new site."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from tests.factories.library import load_cards


@pytest.fixture
def cards(db: None) -> None:
    load_cards()


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """A function that writes a list to a file."""

    def write(text: str) -> Path:
        path = tmp_path / "list.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def loaded_anr_cards(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The cards of `anr`, loaded once per module and removed afterwards."""
    with django_db_blocker.unblock(), transaction.atomic():
        load_cards("anr")
        yield
        transaction.set_rollback(True)


@pytest.fixture
def anr_cards(loaded_anr_cards: None, db: None) -> None:
    """All cards, formats and ban lists of `anr`; changes of the test are rolled back."""
