"""Changes of results in closed rounds, on the staff pages."""

import re
from typing import Any

import pytest
from django.test import Client

from players.models import User
from tests.factories.cuts import event_with_cut, seed
from tests.factories.tournaments import (
    close_round,
    enter_result,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.pages import HTMX, path, text_of, url
from tests.tournaments.results.reporting import points, result_fields
from tests.tournaments.rounds.draft_steps import redraw, seats
from tests.tournaments.scenes import four_players
from tournaments.event.permissions import NOBODY
from tournaments.models import Round, Tournament
from tournaments.results import cuts, services

ENTER = "rounds/1/tables/1/enter/"
DECIDE = "rounds/1/tables/1/decide/"


def make_scene() -> Tournament:
    event = four_players()
    play_round(event)
    start_round(event)
    return event


@pytest.fixture
def closed_round(event: Tournament) -> Round:
    """Return round 1, closed, while round 2 is in progress."""
    return get_round(event, 1)


def corrected_fields(closed_round: Round, prefix: str = "") -> dict[str, Any]:
    """Return the form data of table 1 in which seat 2 wins game 1 instead."""
    changes = {"game_1_winner": "2", "game_1_points_1": "0", "game_1_points_2": "7"}
    return result_fields(table(closed_round, 1), prefix, **changes)


def mark_of(answer: Any) -> str:
    match = re.search(r'name="impact" value="([^"]+)"', answer.content.decode())
    assert match is not None
    return match[1]


@pytest.mark.parametrize(("place", "prefix"), [(ENTER, "t1-"), (DECIDE, "")])
def test_change_is_previewed_and_then_applied(
    desk: Client, event: Tournament, closed_round: Round, place: str, prefix: str
):
    pairing, fields = table(closed_round, 1), corrected_fields(closed_round, prefix)
    before = points(pairing)

    preview = desk.post(path(event, place), fields)

    assert preview.status_code == 200
    text = text_of(preview)
    assert "Nothing is recorded yet" in text
    assert "Standings:" in text
    assert "Later pairings of these players" in text
    assert points(pairing) == before
    assert "Required. Saved in the log." in text
    assert "See the next step on the desk" not in text
    assert text.index("Apply this result") < text.index("Recorded now")
    (reason,) = re.findall(rf'<(?:input|textarea)[^>]*name="{prefix}note"[^>]*>', preview.text)
    assert " required" in reason

    confirmed = {f"{prefix}note": "The slip says so.", "impact": mark_of(preview)}
    answer = desk.post(path(event, place), fields | confirmed)

    assert answer.status_code == 302
    assert points(pairing) == [10, 10]
    assert event.jobs.filter(state="queued", kind="recompute_standings").count() == 1


def test_change_without_a_reason_is_refused(desk: Client, event: Tournament, closed_round: Round):
    fields = corrected_fields(closed_round)
    seen = mark_of(desk.post(path(event, DECIDE), fields))

    answer = desk.post(path(event, DECIDE), {**fields, "impact": seen})

    assert answer.status_code == 409
    assert "Give the reason for the change" in text_of(answer)
    assert points(table(closed_round, 1)) != [10, 10]


def test_preview_keeps_every_typed_field(desk: Client, event: Tournament, closed_round: Round):
    fields = corrected_fields(closed_round, "t1-") | {"t1-note": 'the "slip" says so'}

    page = desk.post(path(event, ENTER), fields).content.decode()

    hidden_fields = dict(re.findall(r'type="hidden" name="(t1-[^"]+)" value="([^"]*)"', page))
    note = fields.pop("t1-note")
    assert hidden_fields == {name: str(value) for name, value in fields.items()}
    assert f'value="{note.replace(chr(34), "&quot;")}"' in page


def test_outdated_impact_is_shown_again(desk: Client, event: Tournament, closed_round: Round):
    fields = corrected_fields(closed_round, "t1-") | {"t1-note": "The slip says so."}
    seen = mark_of(desk.post(path(event, ENTER), fields))
    enter_result(table(closed_round, 2), sweep(2, 5))

    answer = desk.post(path(event, ENTER), {**fields, "impact": seen})

    assert answer.status_code == 409
    assert "Something else has changed" in text_of(answer)
    assert points(table(closed_round, 1)) != [10, 10]
    desk.post(path(event, ENTER), {**fields, "impact": mark_of(answer)})
    assert points(table(closed_round, 1)) == [10, 10]


def test_stale_change_is_refused_before_its_impact_is_shown(
    desk: Client, event: Tournament, closed_round: Round
):
    fields = corrected_fields(closed_round, "t1-")
    enter_result(table(closed_round, 1), sweep(2, 5))

    answer = desk.post(path(event, ENTER), fields)

    assert answer.status_code == 409
    assert 'name="impact"' not in answer.text
    assert "Someone changed this result" in text_of(answer)


def test_card_of_a_round_closed_since_must_be_sent_again(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    round_ = start_round(event)
    for pairing in tables_of(round_):
        enter_result(pairing, sweep(1, 1))
    fields = corrected_fields(round_, "t1-")
    close_round(round_)

    answer = desk.post(path(event, ENTER), fields, headers=HTMX)

    assert answer.status_code == 409
    assert "The round is closed now" in text_of(answer)
    # The next response is a whole page, which the browser shows, not the scripts.
    assert "data-closed" in answer.content.decode()
    assert points(table(round_, 1)) == [20, 1]


@pytest.fixture
def event_of_eight(owner: User) -> Tournament:
    return make_event(players=8, owner=owner)


def seats_field(answer, prefix: str = "") -> dict[str, str]:
    match = re.search(rf'name="{prefix}seated" value="([\d-]+)"', answer.content.decode())
    assert match is not None
    return {f"{prefix}seated": match[1]}


def test_card_of_a_re_paired_table_is_refused(desk: Client, event_of_eight: Tournament):
    round_ = start_round(event_of_eight)
    page = desk.get(path(event_of_eight, "rounds/1/results/"))
    before = seats(table(round_, 1))
    again = redraw(round_, reason="A player came late", keep=[])
    assert seats(table(again, 1)) != before

    row = {**result_fields(table(again, 1), "t1-"), **seats_field(page, "t1-")}
    answer = desk.post(path(event_of_eight, "rounds/1/tables/1/enter/"), row, headers=HTMX)

    assert answer.status_code == 422
    assert "seats of this table changed" in text_of(answer)
    assert "t1-forced" not in answer.content.decode()
    assert points(table(again, 1)) == [None, None]
    desk.post(
        path(event_of_eight, "rounds/1/tables/1/enter/"), {**row, **seats_field(answer, "t1-")}
    )
    assert points(table(again, 1)) == [20, 3]


def test_report_for_swapped_seats_is_refused(phone_of):
    event = event_with_cut(4)
    round_ = start_round(event)
    phone = phone_of(seed(event, 1))
    place = url("report", event, round_.number, 1)
    page = phone.get(place)
    cuts.choose_corp(table(round_, 1), seed(event, 4), owner_of(event))

    reported = {"game_1_winner": "1", "game_1_points_2": "3", "game_2_winner": "1"}
    answer = phone.post(place, {**reported, "game_2_points_2": "0", **seats_field(page)})

    assert "seats of this table changed" in text_of(answer)
    assert table(round_, 1).match.state == "open"


def test_result_for_a_re_paired_table_is_refused(event_of_eight: Tournament):
    round_ = start_round(event_of_eight)
    pairing = table(round_, 1)
    seat = pairing.match.seats.get(position=1)
    redraw(round_, reason="A player came late", keep=[])

    with pytest.raises(services.NotPlayable, match="re-paired"):
        services.report_result(pairing, seat, sweep(1), NOBODY)
    with pytest.raises(services.NotPlayable, match="re-paired"):
        services.decide_result(pairing, sweep(1), owner_of(event_of_eight), seen_version=1)
