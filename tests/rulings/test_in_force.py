"""The version of a ruling that is in force on a date."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from rulings import queries
from rulings.models import Ruling, RulingDocument, RulingVersion
from rulings.queries import RulingState, in_force_on, standing_on

PUBLISHED = date(1998, 12, 14)
FIRST, SECOND = date(1996, 4, 1), date(1997, 6, 1)
BETWEEN, LATER = date(1997, 5, 12), date(2001, 1, 1)
DAY = timedelta(days=1)


def document():
    return RulingDocument.objects.get_or_create(slug="list", title="List", published_on=PUBLISHED)[
        0
    ]


def ruling_of(serial, *days, withdrawn_on=None):
    """Create a ruling with a version for each date, in order."""
    ruling = Ruling.objects.create(
        document=document(),
        code=f"topic-{serial}",
        short_code=f"R-{serial:04d}",
        number=serial,
        section="general",
        subject="Topic",
        subject_key="topic",
        subject_slug="topic",
        kind="ruling",
        withdrawn_on=withdrawn_on,
    )
    for number, day in enumerate(days, start=1):
        RulingVersion.objects.create(
            ruling=ruling, number=number, text=f"Words {number}.", in_force_from=day
        )
    return ruling


def read(ruling):
    return queries.rulings_in_full().get(pk=ruling.pk)


def version_on(ruling, day):
    standing = standing_on(read(ruling), day)
    return standing.state, standing.version.number if standing.version else None


@pytest.fixture
def two_versions(db):
    return ruling_of(1, FIRST, SECOND)


def test_newest_started_version_is_in_force(two_versions):
    assert version_on(two_versions, FIRST - DAY) == (RulingState.NOT_YET, None)
    assert version_on(two_versions, FIRST) == (RulingState.IN_FORCE, 1)
    assert version_on(two_versions, SECOND - DAY) == (RulingState.IN_FORCE, 1)
    assert version_on(two_versions, SECOND) == (RulingState.IN_FORCE, 2)
    assert standing_on(read(two_versions), FIRST - DAY).since == FIRST
    assert standing_on(read(two_versions)).since == SECOND


def test_correction_of_the_same_day_replaces_the_earlier_version(db):
    assert version_on(ruling_of(1, FIRST, FIRST), FIRST) == (RulingState.IN_FORCE, 2)


def test_version_without_a_day_is_in_force_from_publication(db):
    ruling = ruling_of(1, None)

    assert version_on(ruling, PUBLISHED - DAY) == (RulingState.NOT_YET, None)
    assert version_on(ruling, PUBLISHED) == (RulingState.IN_FORCE, 1)


def test_ruling_ends_when_its_successor_starts(two_versions):
    superseding = ruling_of(2, BETWEEN, LATER)
    superseding.supersedes.add(two_versions)

    assert version_on(two_versions, BETWEEN - DAY) == (RulingState.IN_FORCE, 1)
    assert version_on(two_versions, BETWEEN) == (RulingState.SUPERSEDED, 1)
    # Its second version came after its end, so the first was the last in force.
    standing = standing_on(read(two_versions), LATER)
    assert (standing.since, standing.by, standing.version.number) == (BETWEEN, (superseding,), 1)
    assert version_on(superseding, LATER) == (RulingState.IN_FORCE, 2)


def test_ruling_ends_on_the_day_of_its_withdrawal(db):
    ruling = ruling_of(1, FIRST, withdrawn_on=BETWEEN)

    assert version_on(ruling, BETWEEN - DAY) == (RulingState.IN_FORCE, 1)
    assert version_on(ruling, BETWEEN) == (RulingState.WITHDRAWN, 1)


def test_earliest_end_counts(db):
    ruling = ruling_of(1, FIRST, withdrawn_on=LATER)
    ruling_of(2, BETWEEN).supersedes.add(ruling)

    assert version_on(ruling, LATER) == (RulingState.SUPERSEDED, 1)


def test_ruling_without_text_is_never_in_force(db):
    assert version_on(ruling_of(1), LATER) == (RulingState.NOT_YET, None)


def test_fully_loaded_ruling_needs_no_further_queries(two_versions, django_assert_num_queries):
    ruling_of(2, None).supersedes.add(two_versions)
    ruling = read(two_versions)

    with django_assert_num_queries(0):
        standing_on(ruling, LATER)


DAYS = st.dates(date(1996, 1, 1), date(2000, 1, 1))
VERSIONS = st.lists(st.none() | DAYS, max_size=3)


class BothWays(TestCase):
    """Comparison of the list filter with the standing of each ruling."""

    @given(
        st.lists(st.tuples(VERSIONS, st.none() | DAYS), min_size=1, max_size=4),
        st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=3),
        DAYS,
    )
    def test_filter_matches_the_standing(self, rows, supersedes, day):
        rulings_made = [
            ruling_of(serial, *days, withdrawn_on=withdrawn)
            for serial, (days, withdrawn) in enumerate(rows, start=1)
        ]
        for later_ruling, earlier_ruling in supersedes:
            if later_ruling != earlier_ruling and max(later_ruling, earlier_ruling) < len(
                rulings_made
            ):
                rulings_made[later_ruling].supersedes.add(rulings_made[earlier_ruling])

        in_force = set(in_force_on(Ruling.objects.all(), day))

        assert in_force == {
            ruling for ruling in queries.rulings_in_full() if standing_on(ruling, day).is_in_force
        }
