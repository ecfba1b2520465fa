"""Clock controls on the desk, and clocks on public pages."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, get_round, table
from tests.tournaments.pages import FRAGMENT, path, text_of
from tournaments.models import Round, StaffRole, Tournament


def press(browser: Client, event: Tournament, action: str, **fields: object):
    return browser.post(path(event, f"rounds/1/clock/{action}/"), fields, follow=True)


def words(answer) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def test_desk_pauses_and_resumes_the_clock(desk: Client, event: Tournament, round_: Round):
    shown = press(desk, event, "pause")
    assert "Resume the clock" in text_of(shown)
    assert 'data-clock="paused"' in shown.text

    shown = press(desk, event, "resume", seen=shown.context["clock_controls"].pause_mark)
    assert "Pause the clock" in text_of(shown)
    assert words(shown) == []


def test_minutes_for_all_tables_change_every_clock_once(
    client: Client, desk: Client, event: Tournament, round_: Round
):
    before = client.get(path(event, "pairings/")).context["clock"].end

    shown = press(desk, event, "add", minutes=5, seen=0)
    press(desk, event, "add", minutes=5, seen=0)

    assert words(shown) == ["5 minutes added: round 1."]
    assert client.get(path(event, "pairings/")).context["clock"].end == before + 5 * 60_000


@pytest.mark.parametrize("minutes", ["", "0", "x", "61", "1.5", "9" * 400])
def test_invalid_minutes_are_refused(desk: Client, event: Tournament, round_: Round, minutes: str):
    shown = press(desk, event, "add", minutes=minutes, seen=0)

    assert "whole number" in words(shown)[0]
    assert get_round(event, 1).extra_minutes == 0


def test_judge_changes_the_time_of_a_table_only(event: Tournament, round_: Round):
    judge = logged_in(add_staff(event, StaffRole.JUDGE))

    shown = press(judge, event, "table", table=2, minutes=3, reason="Long judge call")
    refused = judge.post(path(event, "rounds/1/clock/add/"), {"minutes": 5})

    assert words(shown) == ["3 minutes added for table 2."]
    assert "Table 2: +3 min" in shown.text
    assert "Pause the clock" not in text_of(shown)
    assert refused.status_code == 403


def test_table_form_sent_twice_counts_once(desk: Client, event: Tournament, round_: Round):
    page = desk.get(path(event, "rounds/1/clock/table/")).text
    name, value = re.findall(r'type="hidden" name="(\w+)" value="(\w{32})"', page)[0]

    for _ in range(2):
        shown = press(desk, event, "table", **{"table": 2, "minutes": 3, name: value})
        assert words(shown) == ["3 minutes added for table 2."]

    assert table(round_, 2).extra_minutes == 3


def test_unknown_table_and_invalid_input_are_refused(
    desk: Client, event: Tournament, round_: Round
):
    nowhere = press(desk, event, "table", table=99, minutes=3)
    assert "There is no such table in this round." in nowhere.text
    assert nowhere.status_code == 422
    for fields in ({}, {"table": "x", "minutes": 3}, {"table": 1, "minutes": "x"}):
        shown = press(desk, event, "table", **fields)
        assert shown.status_code == 422
        assert "Time for one table" in shown.text


def test_time_page_has_its_table_and_requires_a_clock(
    desk: Client, event: Tournament, round_: Round
):
    shown = desk.get(path(event, "rounds/1/clock/table/?table=2"))
    assert 'name="table" value="2"' in shown.text
    assert "Add time" in shown.text

    Round.objects.filter(pk=round_.pk).update(state="closed", closed_at=round_.started_at)
    assert "Add time" not in desk.get(path(event, "rounds/1/clock/table/")).text


def test_table_page_includes_its_extra_minutes(
    client: Client, desk: Client, event: Tournament, round_: Round
):
    press(desk, event, "table", table=1, minutes=3)

    room = client.get(path(event, "pairings/")).context["clock"]
    shown = client.get(path(event, "rounds/1/tables/1/"))

    assert shown.context["clock"].end == room.end + 3 * 60_000
    assert "including 3 extra minutes for table 1" in shown.text


@pytest.mark.parametrize("page", ["", "pairings/", "projector/", "rounds/1/tables/1/"])
def test_pages_of_the_round_show_the_same_clock(
    client: Client, event: Tournament, round_: Round, page: str
):
    end = round(round_.started_at.timestamp() * 1000) + event.round_minutes * 60_000

    text = client.get(path(event, page)).text

    assert f'data-clock-end="{end}"' in text
    assert "js/clock.js" in text


@pytest.mark.check(39)
def test_responses_have_the_server_time(client: Client, event: Tournament):
    page = client.get(path(event, "pairings/"), headers=FRAGMENT)
    again = client.get(
        path(event, "pairings/"), headers={**FRAGMENT, "If-None-Match": page["ETag"]}
    )
    with CaptureQueriesContext(connection) as queries:
        alone = client.get("/time/")

    assert [page.status_code, again.status_code, alone.status_code] == [200, 304, 204]
    moments = [int(answer["Datafort-Now"]) for answer in (page, again, alone)]
    assert moments == sorted(moments)
    assert len(queries) == 0


def test_page_without_scripts_has_the_end_of_the_round(
    client: Client, event: Tournament, round_: Round
):
    page = text_of(client.get(path(event, "pairings/")))

    assert re.search(r"Round 1 ends at \d\d:\d\d", page)
