"""A result of a closed round: seen first, then applied."""

import re
from typing import Any

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import (
    close_round,
    enter_result,
    make_event,
    play_round,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.views.pages import text_of
from tests.tournaments.views.staff.conftest import HTMX, path
from tests.tournaments.views.staff.telling import points, typed
from tournaments.models import Round, Tournament

ENTER = "rounds/1/tables/1/enter/"
DECIDE = "rounds/1/tables/1/decide/"


@pytest.fixture
def closed(event: Tournament) -> Round:
    """Round 1, closed, with round 2 running."""
    round_ = play_round(event)
    start_round(event)
    return round_


def mended(closed: Round, prefix: str = "") -> dict[str, Any]:
    """Table 1: seat 2 wins game 1 instead."""
    changes = {"game_1_winner": "2", "game_1_points_1": "0", "game_1_points_2": "7"}
    return typed(table(closed, 1), prefix, **changes)


def mark_of(answer: Any) -> str:
    found = re.search(r'name="impact" value="([^"]+)"', answer.content.decode())
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("place", "prefix"), [(ENTER, "t1-"), (DECIDE, "")])
def test_a_change_is_shown_and_then_applied(
    desk: Client, event: Tournament, closed: Round, place: str, prefix: str
):
    pairing, fields = table(closed, 1), mended(closed, prefix)
    before = points(pairing)

    preview = desk.post(path(event, place), fields)

    assert preview.status_code == 200
    said = text_of(preview)
    assert "Nothing is recorded yet" in said
    assert "Standings:" in said
    assert "Later pairings of these players" in said
    assert points(pairing) == before

    sure = {f"{prefix}note": "The slip says so.", "impact": mark_of(preview)}
    answer = desk.post(path(event, place), fields | sure)

    assert answer.status_code == 302
    assert points(pairing) == [10, 10]
    assert event.jobs.filter(state="queued", kind="recompute_standings").count() == 1


def test_a_change_without_a_reason_is_asked_for_one(desk: Client, event: Tournament, closed: Round):
    fields = mended(closed)
    seen = mark_of(desk.post(path(event, DECIDE), fields))

    answer = desk.post(path(event, DECIDE), {**fields, "impact": seen})

    assert answer.status_code == 409
    assert "Say why the result changes" in text_of(answer)
    assert points(table(closed, 1)) != [10, 10]


def test_the_page_sends_again_all_that_was_typed(desk: Client, event: Tournament, closed: Round):
    fields = mended(closed, "t1-") | {"t1-note": 'the "slip" says so'}

    page = desk.post(path(event, ENTER), fields).content.decode()

    kept = dict(re.findall(r'type="hidden" name="(t1-[^"]+)" value="([^"]*)"', page))
    note = fields.pop("t1-note")
    assert kept == {name: str(value) for name, value in fields.items()}
    assert f'value="{note.replace(chr(34), "&quot;")}"' in page


def test_what_is_not_as_it_was_seen_is_shown_again(desk: Client, event: Tournament, closed: Round):
    fields = mended(closed, "t1-") | {"t1-note": "The slip says so."}
    seen = mark_of(desk.post(path(event, ENTER), fields))
    enter_result(table(closed, 2), sweep(2, 5))

    answer = desk.post(path(event, ENTER), {**fields, "impact": seen})

    assert answer.status_code == 409
    assert "Something else has changed meanwhile" in text_of(answer)
    assert points(table(closed, 1)) != [10, 10]
    desk.post(path(event, ENTER), {**fields, "impact": mark_of(answer)})
    assert points(table(closed, 1)) == [10, 10]


def test_a_result_somebody_else_changed_is_refused_first(
    desk: Client, event: Tournament, closed: Round
):
    fields = mended(closed, "t1-")
    enter_result(table(closed, 1), sweep(2, 5))

    answer = desk.post(path(event, ENTER), fields)

    assert answer.status_code == 409
    assert "Somebody changed this result" in text_of(answer)


def test_a_row_of_a_round_that_was_closed_meanwhile_asks_to_be_sent_again(
    desk: Client, event: Tournament, round_: Round
):
    for pairing in tables_of(round_):
        enter_result(pairing, sweep(1, 1))
    fields = mended(round_, "t1-")
    close_round(round_)

    answer = desk.post(path(event, ENTER), fields, headers=HTMX)

    assert answer.status_code == 409
    assert "The round was closed meanwhile" in text_of(answer)
    # Sent again it goes to a page, not into the row.
    assert "hx-post" not in answer.content.decode()
    assert points(table(round_, 1)) == [20, 1]


def test_an_open_round_needs_no_look(desk: Client, event: Tournament, round_: Round):
    assert desk.post(path(event, ENTER), mended(round_, "t1-")).status_code == 302


def test_the_page_costs_the_same_for_any_number_of_players(
    desk: Client, owner: User, django_assert_max_num_queries
):
    for players in (6, 48):
        event = make_event(players=players, owner=owner)
        round_ = play_round(event)
        fields = mended(round_, "t1-")
        with django_assert_max_num_queries(48):
            assert desk.post(path(event, ENTER), fields).status_code == 200
