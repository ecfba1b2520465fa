"""The line above the result entry: its codes, the rows that stay fresh, and what a page costs."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import User
from tests.factories.pods import make_pods
from tests.factories.tournaments import enter_result, make_event, start_round, sweep, table
from tests.tournaments.views.pages import text_of
from tests.tournaments.views.staff.conftest import HTMX, path
from tests.tournaments.views.staff.telling import typed
from tournaments.actors import Actor
from tournaments.models import Round, Tournament
from tournaments.services import results

RESULTS = "rounds/1/results/"


def queries_of(ask) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert ask().status_code == 200
    return len(seen)


@pytest.mark.parametrize(
    ("rule", "game", "told"),
    [
        ("onr_runner_only", "onr", "0 both games ran out of time Before a code: c conceded"),
        ("anr_double", "anr", "x1 first player won game 1, which counts twice"),
        ("anr_single", "anr", "0 draw 9 intentional draw"),
    ],
)
def test_the_codes_of_the_rule_stand_on_the_page(
    desk: Client, owner: User, rule: str, game: str, told: str
):
    event = make_event(players=4, owner=owner, game=game, scoring_rule=rule)
    start_round(event)

    assert told in text_of(desk.get(path(event, RESULTS)))


def test_for_pods_victory_points_are_typed(desk: Client, owner: User):
    event = make_pods(4, owner=owner)
    start_round(event)

    page = desk.get(path(event, RESULTS))

    assert "The victory points of seat 1, 2 and so on" in text_of(page)
    assert '<script id="entry-fills" type="application/json">{}</script>' in page.content.decode()


def test_the_page_says_when_every_result_is_in(desk: Client, event: Tournament, round_: Round):
    before = desk.get(path(event, RESULTS)).content.decode()
    for number in (1, 2):
        enter_result(table(round_, number), sweep(1))
    after = desk.get(path(event, RESULTS)).content.decode()

    assert "<p data-waiting>" in before
    assert "<p data-all-in hidden>" in before
    assert "<p data-waiting hidden>" in after
    assert "<p data-all-in>" in after


def test_rows_are_asked_for_again_and_unchanged_ones_cost_nothing(
    desk: Client, event: Tournament, round_: Round
):
    rows = desk.get(path(event, RESULTS), headers={"X-Fragment": "1"})
    assert rows.content.decode().count("<tbody") == 2
    assert "<html" not in rows.content.decode()

    again = {"X-Fragment": "1", "If-None-Match": rows["ETag"]}
    assert desk.get(path(event, RESULTS), headers=again).status_code == 304

    enter_result(table(round_, 1), sweep(1))
    fresh = desk.get(path(event, RESULTS), headers=again).content.decode()
    versions = re.findall(r'data-version="(\d+)"', fresh)
    assert versions == ["2", "1"]


def test_a_row_says_when_its_report_counts_by_itself(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, confirm_after_minutes=15, time_zone="Asia/Tokyo")
    pairing = table(start_round(event), 1)
    seat = pairing.match.seats.select_related("player").get(position=1)
    results.report(pairing, seat, sweep(1), Actor(player=seat.player))
    at = pairing.match.reports.get().created_at + timedelta(minutes=15)

    said = text_of(desk.get(path(event, RESULTS)))

    assert f"counts by itself at {at.astimezone(ZoneInfo('Asia/Tokyo')):%H:%M}" in said


def test_the_notes_of_a_table_are_a_step_away(desk: Client, event: Tournament, round_: Round):
    page = desk.get(path(event, RESULTS)).content.decode()

    assert path(event, "rounds/1/tables/2/decide/#notes") in page


def test_a_saved_row_costs_the_same_with_60_tables_as_with_3(desk: Client, owner: User):
    costs = []
    for players in (6, 120):
        event = make_event(players=players, owner=owner)
        fields = typed(table(start_round(event), 1), "t1-")
        enter = path(event, "rounds/1/tables/1/enter/")
        costs.append(
            queries_of(lambda enter=enter, fields=fields: desk.post(enter, fields, headers=HTMX))
        )

    assert costs[0] == costs[1]
    assert costs[0] <= 60
