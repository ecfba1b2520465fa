"""Any event that goes out, comes in and goes out again is the same; nothing is lost on the way."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from tests.factories.whole_events import documents
from tournaments import exports, queries
from tournaments.models import Tournament
from tournaments.services import importing
from tournaments.sheets import whole_event

pytestmark = [pytest.mark.django_db, pytest.mark.goal("G13")]

Json = Any
FEW, MANY = 5, 400
# Each example is taken back, so all may share a database.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def stored(document: Json) -> Tournament:
    tournament = importing.import_file(json.dumps(document).encode(), trusted=True).tournament
    assert tournament is not None
    return tournament


def told(tournament: Tournament, *, private: bool) -> Json:
    """The document, without the log: that an event was imported is new in it."""
    document = json.loads(json.dumps(whole_event.document(tournament, private=private)))
    if private:
        document["event"]["private"]["log"] = []
    return document


def ranked(tournament: Tournament) -> Json:
    """The standings after every closed round, with all tie-breakers."""
    numbers = queries.closed_round_numbers(tournament)
    found = [queries.newest_snapshot(tournament, number) for number in numbers]
    return [
        [(row.rank, row.registration.number, row.match_points, row.tie_breakers) for row in rows]
        for rows in (queries.standing_rows(one) for one in found if one)
    ]


def holds(there: Json, wanted: Json, path: str = "$") -> None:
    """Everything that was wanted is there; keys that were left out may say anything."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            holds(there[key], value, f"{path}.{key}")
    elif isinstance(wanted, list):
        assert len(there) == len(wanted), path
        for place, value in enumerate(wanted):
            holds(there[place], value, f"{path}[{place}]")
    else:
        assert there == wanted, path


def assert_comes_back_equal(document: Json) -> None:
    with transaction.atomic():
        event = stored(document)
        whole = told(event, private=True)
        again = stored(whole)

        holds(whole["event"], document["event"])
        assert told(again, private=True) == whole
        assert told(again, private=False) == told(event, private=False)
        assert ranked(again) == ranked(event)
        if event.game != "free_radicals":
            assert exports.nrtm(again, page="x") == exports.nrtm(event, page="x")
        transaction.set_rollback(True)


@settings(max_examples=FEW, suppress_health_check=SHARED)
@given(document=documents())
def test_an_event_comes_back_equal(document: Json):
    assert_comes_back_equal(document)


@pytest.mark.slow
@settings(max_examples=MANY, suppress_health_check=SHARED)
@given(document=documents())
def test_many_events_come_back_equal(document: Json):
    assert_comes_back_equal(document)
