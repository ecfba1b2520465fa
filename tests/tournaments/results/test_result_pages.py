"""Rows of results entered by staff."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import (
    enter_result,
    make_event,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.pages import FRAGMENT, HTMX, path, text_of
from tests.tournaments.results.reporting import dispute, points, typed
from tests.tournaments.scenes import at_tables
from tournaments.event.permissions import Actor
from tournaments.models import Round, Tournament
from tournaments.results import services

make_scene = at_tables


def test_saved_row_is_shown_settled(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)

    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), typed(pairing, "t1-"), headers=HTMX)

    assert answer.status_code == 200
    assert points(pairing) == [20, 3]
    page = answer.content.decode()
    assert page.strip().startswith('<tbody id="table-1"')
    assert "data-settled" in page
    assert "is-saved" in page
    assert "Table 1: Ada 20, Bo 3." in text_of(answer)


def test_a_row_works_without_scripts(desk: Client, event: Tournament, round_: Round):
    answer = desk.post(path(event, "rounds/1/tables/2/enter/"), typed(table(round_, 2), "t2-"))

    assert answer["Location"] == path(event, "rounds/1/results/#table-2")
    assert points(table(round_, 2)) == [20, 3]


def test_an_impossible_row_is_refused_with_its_reason_and_its_fields(
    desk: Client, event: Tournament, round_: Round
):
    pairing = table(round_, 1)
    fields = typed(pairing, "t1-", game_1_points_1="5")

    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), fields, headers=HTMX)

    assert answer.status_code == 422
    assert "won by agenda points with 5, but 7 are needed" in text_of(answer)
    assert re.search(r'name="t1-game_1_points_1"[^>]*value="5"', answer.content.decode())
    assert points(pairing) == [None, None]

    assert "t1-forced" in answer.content.decode()
    without_a_note = desk.post(
        path(event, "rounds/1/tables/1/enter/"), {**fields, "t1-forced": "on"}, headers=HTMX
    )
    assert without_a_note.status_code == 409
    assert "Say in the note why" in text_of(without_a_note)
    desk.post(
        path(event, "rounds/1/tables/1/enter/"),
        {**fields, "t1-forced": "on", "t1-note": "house rule"},
    )
    assert points(pairing) == [20, 3]


def test_refused_row_without_scripts_keeps_its_input(
    desk: Client, event: Tournament, round_: Round
):
    fields = typed(table(round_, 1), "t1-", game_1_winner="")

    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), fields)

    assert answer.status_code == 422
    assert "Game 1: choose who won, or Nobody." in text_of(answer)
    # An incomplete result cannot be forced.
    assert "t1-forced" not in answer.content.decode()
    assert "<html" in answer.content.decode()


@pytest.mark.check(28)
def test_a_stale_row_shows_both_values_and_can_be_saved_again(
    desk: Client, event: Tournament, round_: Round
):
    pairing = table(round_, 1)
    old = typed(pairing, "t1-")
    enter_result(pairing, sweep(2, 5))

    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), old, headers=HTMX)

    assert answer.status_code == 409
    said = text_of(answer)
    assert "Now recorded: game 1: Runner won (agenda points; Corp 5, Runner 7)" in said
    assert "You entered: game 1: Corp won (agenda points; Corp 7, Runner 3)" in said
    assert points(pairing) == [5, 20]
    seen = re.search(r'name="t1-seen" value="(\d+)"', answer.content.decode())
    assert seen is not None
    desk.post(path(event, "rounds/1/tables/1/enter/"), {**old, "t1-seen": seen[1]})
    assert points(pairing) == [20, 3]


def test_change_is_described_with_the_old_and_the_new_result(
    desk: Client, event: Tournament, round_: Round
):
    pairing = table(round_, 1)
    enter_result(pairing, sweep(2, 0))

    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), typed(pairing, "t1-"), follow=True)

    said = text_of(answer)
    assert "Table 1 was game 1: Runner won (agenda points; Corp 0, Runner 7)" in said
    assert "Now: game 1: Corp won (agenda points; Corp 7, Runner 3)" in said


def test_a_reported_row_holds_the_report_and_a_disputed_one_is_empty(
    desk: Client, event: Tournament, round_: Round
):
    first, second = tables_of(round_)
    ada = first.match.seats.get(position=1)
    services.report_result(first, ada, sweep(1, 3), Actor(player=ada.player))
    dispute(second)

    page = desk.get(path(event, "rounds/1/results/")).content.decode()

    assert re.search(r'name="t1-game_1_points_2"[^>]*value="3"', page)
    assert not re.search(r'name="t2-game_1_points_2"[^>]*value=', page)


def test_saved_row_can_be_undone(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    answer = desk.post(path(event, "rounds/1/tables/1/enter/"), typed(pairing, "t1-"), headers=HTMX)
    entry = re.search(r'name="entry" value="(\d+)"', answer.content.decode())
    assert entry is not None

    back = desk.post(path(event, "rounds/1/tables/1/take-back/"), {"entry": entry[1]}, headers=HTMX)

    assert back.status_code == 200
    assert "Table 1 is as it was before: no result." in text_of(back)
    assert "data-settled" not in back.content.decode()
    assert points(pairing) == [None, None]
    assert event.log.first().undoes == event.log.get(pk=entry[1])


def test_second_undo_is_refused(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    desk.post(path(event, "rounds/1/tables/1/enter/"), typed(pairing, "t1-"))
    entry = {"entry": event.log.first().pk}
    place = path(event, "rounds/1/tables/1/take-back/")
    assert desk.post(place, entry).status_code == 302

    again = desk.post(place, entry)

    assert again.status_code == 409
    assert "This was already undone." in text_of(again)


def test_entry_of_a_different_table_undoes_nothing(desk: Client, event: Tournament, round_: Round):
    desk.post(path(event, "rounds/1/tables/1/enter/"), typed(table(round_, 1), "t1-"))
    entry = {"entry": event.log.first().pk}

    answer = desk.post(path(event, "rounds/1/tables/2/take-back/"), entry)

    assert answer.status_code == 409
    assert points(table(round_, 1)) == [20, 3]


RESULTS = "rounds/1/results/"


def test_page_shows_that_every_result_is_in(desk: Client, event: Tournament, round_: Round):
    before = desk.get(path(event, RESULTS)).content.decode()
    for number in (1, 2):
        enter_result(table(round_, number), sweep(1))
    after = desk.get(path(event, RESULTS)).content.decode()

    assert "<p data-waiting>" in before
    assert "<p data-all-in hidden>" in before
    assert "<p data-waiting hidden>" in after
    assert "<p data-all-in>" in after


def test_unchanged_rows_are_answered_with_304(desk: Client, event: Tournament, round_: Round):
    rows = desk.get(path(event, RESULTS), headers=FRAGMENT)
    assert rows.content.decode().count("<tbody") == 2
    assert "<html" not in rows.content.decode()

    again = {**FRAGMENT, "If-None-Match": rows["ETag"]}
    assert desk.get(path(event, RESULTS), headers=again).status_code == 304

    enter_result(table(round_, 1), sweep(1))
    fresh = desk.get(path(event, RESULTS), headers=again).content.decode()
    versions = re.findall(r'data-version="(\d+)"', fresh)
    assert versions == ["2", "1"]


def test_row_shows_when_its_report_is_confirmed_by_time(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, confirm_after_minutes=15, time_zone="Asia/Tokyo")
    pairing = table(start_round(event), 1)
    seat = pairing.match.seats.select_related("player").get(position=1)
    services.report_result(pairing, seat, sweep(1), Actor(player=seat.player))
    at = pairing.match.reports.get().created_at + timedelta(minutes=15)

    said = text_of(desk.get(path(event, RESULTS)))

    assert f"counts automatically at {at.astimezone(ZoneInfo('Asia/Tokyo')):%H:%M}" in said
