"""Locks and rate limit of the impact computation."""

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client

from core import rate_limits
from tests.factories.tournaments import (
    enter_result,
    get_round,
    make_event,
    make_user,
    play_round,
    start_round,
    sweep,
    table,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.results.reporting import result_fields
from tournaments.models import Tournament
from tournaments.results import queries as results_queries
from tournaments.results.serializers import numbers_at
from tournaments.web.serializers import result_to_body


def make_scene() -> Tournament:
    event = make_event(players=4, owner=make_user(OWNER))
    play_round(event)
    return event


@pytest.fixture
def transaction_counts() -> Iterator[list[int]]:
    """Record the number of open transactions at each computation of an impact."""
    depths: list[int] = []
    compute = results_queries.compute_impact

    def count_transactions(*arguments: Any) -> results_queries.Impact:
        depths.append(len(connection.savepoint_ids))
        return compute(*arguments)

    with patch.object(results_queries, "compute_impact", count_transactions):
        yield depths


def send(event: Tournament, client: Client, seen_impact: str = "", **headers: str) -> Any:
    """Enter a different result for table 1 in the API."""
    pairing = table(get_round(event, 1), 1)
    assert pairing.match is not None
    numbers = numbers_at(pairing.match, event.registrations_at(pairing.match))
    body = {
        "result": result_to_body(sweep(2, 5), numbers),
        "version": pairing.match.version,
        "note": "The slip says so.",
    }
    if seen_impact:
        body["impact_version"] = seen_impact
    path = f"/api/v1/events/{event.slug}/rounds/1/tables/1/result/"
    return client.put(path, json.dumps(body), "application/json", headers=headers)


def confirm(event: Tournament, desk: Client) -> Any:
    """Review the impact of a different result for table 1, then apply it."""
    mark = send(event, desk).json()["errors"]["impact"]["version"]
    return send(event, desk, mark, **{"Idempotency-Key": "once"})


def test_api_computes_once_without_a_lock(
    event: Tournament, desk: Client, transaction_counts: list[int]
):
    around = len(connection.savepoint_ids)

    answer = confirm(event, desk)

    assert answer.status_code == 200
    assert transaction_counts == [around, around]


def test_page_computes_once_without_a_lock(
    event: Tournament, desk: Client, transaction_counts: list[int]
):
    around = len(connection.savepoint_ids)
    page = f"/events/{event.slug}/rounds/1/tables/1/enter/"
    pairing = table(get_round(event, 1), 1)
    second_result = {"game_1_winner": "2", "game_1_points_1": "3", "game_1_points_2": ""}
    form = result_fields(pairing, "t1-", **second_result)

    preview = desk.post(page, form)
    mark = preview.context["impact"].mark
    saved = desk.post(page, {**form, "impact": mark, "t1-note": "The slip says so."})

    assert saved.status_code == 302
    assert transaction_counts == [around, around]


def test_change_after_computing_is_computed_again(
    event: Tournament, desk: Client, transaction_counts: list[int]
):
    mark = send(event, desk).json()["errors"]["impact"]["version"]
    compute = results_queries.compute_impact

    def change_during_computation(*arguments: Any) -> results_queries.Impact:
        impact = compute(*arguments)
        if len(transaction_counts) == 2:
            enter_result(table(get_round(event, 1), 2), sweep(2, 3))
        return impact

    with patch.object(results_queries, "compute_impact", change_during_computation):
        answer = send(event, desk, mark)

    assert answer.json()["code"] == "impact_changed"
    assert len(transaction_counts) == 3


def test_result_of_an_open_round_does_not_change_the_impact(
    event: Tournament, desk: Client, transaction_counts: list[int]
):
    start_round(event)
    mark = send(event, desk).json()["errors"]["impact"]["version"]
    compute = results_queries.compute_impact

    def report_during_computation(*arguments: Any) -> results_queries.Impact:
        impact = compute(*arguments)
        enter_result(table(get_round(event, 2), 1), sweep(1))
        return impact

    with patch.object(results_queries, "compute_impact", report_during_computation):
        answer = send(event, desk, mark)

    assert answer.status_code == 200
    assert len(transaction_counts) == 2


def test_simultaneous_second_correction_is_refused(
    event: Tournament, desk: Client, transaction_counts: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rate_limits, "WAIT_SECONDS", 0)

    with rate_limits.staff_turn("impact", str(event.pk)) as has_turn:
        refused = send(event, desk)
    another = make_event(players=2, name="Another")
    with rate_limits.staff_turn("impact", str(another.pk)):
        seen = send(event, desk)

    assert has_turn
    assert (refused.status_code, refused.json()["code"]) == (409, "busy")
    assert seen.json()["code"] == "impact_not_seen"
    assert len(transaction_counts) == 1
