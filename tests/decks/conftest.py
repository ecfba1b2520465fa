"""The card table, loaded as on a fresh site."""

import pytest

from decks import services


@pytest.fixture
def cards(db: None) -> services.ImportReport:
    return services.import_cards()
