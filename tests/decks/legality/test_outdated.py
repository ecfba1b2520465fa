"""Card data older than the date of the check."""

from datetime import date

import pytest

from decks.card_data.readers import shipped_card_data
from decks.catalogue import shipped_tables
from decks.legality.records import find_outdated

STANDARD = shipped_tables("anr").formats.find("standard")
DAY = date(2025, 9, 17)


@pytest.mark.parametrize("as_of", [DAY, None])
def test_current_or_undated_data_is_not_outdated(as_of):
    assert STANDARD is not None
    assert find_outdated(STANDARD, as_of, DAY) is None


def test_older_data_names_its_day_and_the_newest_list():
    assert STANDARD is not None
    stale = find_outdated(STANDARD, DAY, date(2026, 5, 2))

    assert stale is not None
    assert stale.newest is not None
    assert "is from 17 September 2025, before 2 May 2026." in str(stale.as_document()["message"])
    assert f"known is {stale.newest.name}, in force since" in str(stale.as_document()["message"])


@pytest.mark.parametrize("format_id", ["standard", "startup", "eternal"])
def test_no_list_is_enforced_that_is_not_shipped(format_id: str):
    format_ = shipped_tables("anr").formats.find(format_id)
    assert format_ is not None

    current = format_.on(date(2030, 1, 1))

    assert current is not None
    assert current.restriction is not None
    assert current.restriction.id in {
        restriction.id for restriction in shipped_card_data("anr").restrictions
    }
