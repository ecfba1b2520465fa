"""A match goes back to what it was, rows and reports alike."""

import pytest

from core.errors import StaleVersion
from matches import records, services
from matches.models import Match, ReportState
from matches.scoring import MatchResult
from matches.services import held
from tests.factories.tournaments import sweep
from tests.matches.builders import back, decide, made, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return made("onr_runner_only", "Ada", "Bo")


@pytest.mark.parametrize(
    ("rule", "result"),
    [
        ("onr_runner_only", sweep(2, 3)),
        ("anr_double", MatchResult(totals=(6, 0))),
        ("free_radicals", MatchResult(victory_points=(5, 3), factions=("farmers", "couriers"))),
    ],
)
def test_a_table_without_a_result_is_one_again(rule: str, result: MatchResult):
    match = made(rule, "Ada", "Bo")
    before, memory = rows(match), services.remembered(held(match))

    decide(match, result)
    changed = rows(match)
    back(match, memory)

    assert rows(match) == before != changed
    assert Match.objects.get(pk=match.pk).settled_at is None


def test_the_result_before_comes_back(match: Match):
    decide(match, sweep(1, 3))
    before, memory = rows(match), services.remembered(held(match))

    decide(match, sweep(2, 5))
    again = back(match, memory)

    assert rows(match) == before
    assert records.settled_result(again) == sweep(1, 3)


def test_a_confirmed_report_waits_for_its_answer_again(match: Match):
    ada, bo = match.seats.order_by("position")
    services.propose(held(match), ada, sweep(1, 3))
    report, memory = match.reports.get(), services.remembered(held(match))

    services.confirm(held(match), bo, report.pk)
    match = back(match, memory)

    assert match.state == "proposed"
    assert list(match.reports.values_list("seat", "state")) == [
        (ada.pk, ReportState.PROPOSED),
        (bo.pk, ReportState.SUPERSEDED),
    ]
    assert services.confirm(held(match), bo, report.pk).state == "confirmed"


def test_nothing_goes_back_over_a_newer_result(match: Match):
    memory, seen = services.remembered(held(match)), match.version
    decide(match, sweep(1, 3))

    with pytest.raises(StaleVersion):
        services.restore(match, memory, seen_version=seen)
