from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    fresh,
    join,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import path, text_of, url
from tournaments.event.permissions import Actor
from tournaments.models import LateEntry, Pairing, Registration, Round, Tournament
from tournaments.registration import no_shows, pages, services
from tournaments.registration.pages import players_at_table
from tournaments.results.my_rounds import round_lines
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


@pytest.fixture
def full_event(owner: User) -> Tournament:
    return make_event(players=2, owner=owner, max_players=2, has_waiting_list=True)


def test_roster_counts_and_finds_waiting_players(desk: Client, full_event: Tournament):
    join(full_event, "Mia")

    page: Any = desk.get(path(full_event, "roster/?state=waiting"))
    roster = page.context["roster"]
    assert "2 of 2 checked in" in text_of(page)
    assert "All 2 places are taken." in page.text
    assert [filter_.count for filter_ in roster.filters if filter_.is_chosen] == [1]
    assert [row.name for row in roster.rows if row.is_shown] == ["Mia"]


def test_waiting_player_sees_the_position(full_event: Tournament):
    code = path(full_event, "").replace(f"events/{full_event.slug}", f"join/{full_event.join_code}")
    client = Client()
    assert "Join the waiting list" in client.get(path(full_event, "")).content.decode()

    page = client.post(code, {"name": "Mia"}).content.decode()

    assert "is full. You are 1st on the waiting list." in page
    me = client.get(path(full_event, "me/")).content.decode()
    assert "You are 1st on the waiting list" in me
    assert "1 on the waiting list" in Client().get(path(full_event, "")).content.decode()
    assert Client().get(path(full_event, "players/3/")).status_code == 404


def test_code_gives_the_reason_against_joining(owner: User, begun_event: Tournament):
    full_event = make_event(players=2, owner=owner, max_players=2)
    Tournament.objects.filter(pk=begun_event.pk).update(registration_is_open=True)

    for event, words in (
        (full_event, "all 2 places are taken"),
        (begun_event, "late entry is closed"),
    ):
        assert words in Client().get(f"/join/{event.join_code}/").text


@pytest.fixture
def begun_event(owner: User) -> Tournament:
    event = make_event(players=5, owner=owner, checked_in=False, late_entry=LateEntry.NOBODY)
    services.check_in(list(event.registrations.exclude(number=5)), Actor(user=owner))
    start_round(event)
    return event


def test_late_player_is_added_or_checked_in_with_a_reason(desk: Client, begun_event: Tournament):
    page: Any = desk.get(path(begun_event, "roster/"))
    assert page.context["form"].fields["late_reason"].required
    assert page.context["roster"].row(5).tap == ""
    assert "Check in late" in desk.get(path(begun_event, "roster/5/entry/")).text

    refused = desk.post(path(begun_event, "roster/add/"), {"name": "Mia"})
    assert refused.status_code == 422
    assert "Give a reason to add this player." in refused.text
    assert 'value="Mia"' in refused.text
    desk.post(path(begun_event, "roster/add/"), {"name": "Mia", "late_reason": "The train"})
    desk.post(path(begun_event, "roster/5/let-in/"), {"reason": "The train"})

    assert begun_event.registrations.count() == 6
    assert player_number(begun_event, 5).is_active


def test_refused_name_stays_in_the_form(desk: Client, event: Tournament):
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    refused = desk.post(path(event, "roster/add/"), {"name": "Mia"})

    assert refused.status_code == 409
    assert 'value="Mia"' in refused.text


def test_player_who_joins_in_round_1_can_check_in(desk: Client, event: Tournament):
    start_round(event)
    Tournament.objects.filter(pk=event.pk).update(
        registration_is_open=True, starts_on=timezone.localdate()
    )
    phone = Client()
    phone.post(f"/join/{event.join_code}/", {"name": "Lena"})
    entry = event.registrations.get(player__name="Lena")

    shown = text_of(desk.get(path(event)))
    assert "1 player is not checked in: Lena Check in" in " ".join(shown.split())
    assert "I am here" in phone.get(path(event, "me/")).text
    phone.post(path(event, "me/check-in/"))

    entry.refresh_from_db()
    assert (entry.is_active, entry.joined_in_round) == (True, 2)
    assert "not checked in" not in text_of(desk.get(path(event)))


def test_late_player_cannot_check_in_when_late_entry_is_over(event: Tournament):
    start_round(event)
    Tournament.objects.filter(pk=event.pk).update(
        registration_is_open=True, starts_on=timezone.localdate()
    )
    entry = join(event, "Lena")
    assert entry.can_check_in()

    entry.tournament.late_entry = LateEntry.NOBODY

    assert not entry.can_check_in()


@pytest.fixture
def event_of_five(owner: User) -> Tournament:
    return make_event(players=5, owner=owner)


def test_meeting_is_seated_shown_and_cleared(
    event_of_five: Tournament, desk: Client, client: Client
):
    assert "No seats assigned" in client.get(url("meeting", event_of_five)).text
    assert desk.post(url("meeting_seat", event_of_five), {"seats": "3"}).status_code == 422

    answer = desk.post(url("meeting_seat", event_of_five), {"seats": "4"}, follow=True)

    assert "5 players seated" in answer.text
    lines = client.get(url("meeting", event_of_five)).context["lines"]
    assert [(line.name, line.table) for line in lines][-2:] == [("Di", 1), ("Ed", 2)]
    own = (
        browser_of("player", event_of_five, player_number(event_of_five, 5))
        .get(url("meeting", event_of_five))
        .text
    )
    assert "You sit at <strong>table 2</strong>" in own
    page = desk.post(url("meeting_clear", event_of_five), follow=True).text
    assert ("Seat the players" in page, "Seats by name" in page) == (True, False)
    assert fresh(event_of_five).meeting_seats is None


def test_meeting_pages_point_to_the_pairings_after_round_1_is_published(
    event_of_five: Tournament, desk: Client, client: Client
):
    services.seat_meeting(event_of_five, owner_of(event_of_five), seats=2)
    rounds_services.publish_round(draft_round(event_of_five), owner_of(event_of_five))

    assert "No seats assigned" in client.get(url("meeting", event_of_five)).text
    assert "Round 1 is published" in desk.get(url("meeting_desk", event_of_five)).text
    refused = desk.post(url("meeting_seat", event_of_five), {"seats": "2"}, follow=True)
    assert "Round 1 is published, so players sit at its tables." in refused.text


PhoneOf = Callable[[Registration], Client]


@pytest.fixture
def pairing(owner: User) -> Pairing:
    event = make_event(players=4, owner=owner, no_show_minutes=10)
    return table(start_round(event), 1)


def door_list(event: Tournament, round_: Round | None = None) -> pages.DeskAttendance:
    return pages.desk_attendance(event, round_, event.registrations.count_by_state())


def event_of(pairing: Pairing) -> Tournament:
    return pairing.round.stage.tournament


def address(pairing: Pairing, name: str) -> str:
    return url(name, event_of(pairing), pairing.round.number, pairing.table_number)


def test_opponent_reports_a_missing_player_who_answers(pairing: Pairing, phone_of: PhoneOf):
    present, absent = players_at_table(pairing)

    phone_of(present).post(address(pairing, "missing"), {"player": absent.number})
    missed = pages.attendance_of_player(absent, pairing.round, round_lines(absent)[0])
    assert (missed.i_am_missed, missed.table, missed.decided_after) == (True, 1, 10)
    shown = pages.attendance_of_player(present, pairing.round, round_lines(present)[0])
    assert [(seat.number, seat.is_missed) for seat in shown.opponents] == [(absent.number, True)]

    phone_of(absent).post(address(pairing, "came"), {"player": absent.number})
    assert not pairing.absences.exists()


def test_players_report_only_at_their_own_table(pairing: Pairing, phone_of: PhoneOf):
    _, absent = players_at_table(pairing)
    other_player = players_at_table(table(pairing.round, 2))[0]

    for name in ("missing", "came"):
        answer = phone_of(other_player).post(address(pairing, name), {"player": absent.number})
        assert answer.status_code == 403
    answer = phone_of(absent).post(address(pairing, "missing"), {"player": other_player.number})
    assert answer.status_code == 302

    assert not event_of(pairing).log.filter(action="player missed").exists()


def test_staff_report_and_decide_a_no_show(desk: Client, pairing: Pairing):
    present, absent = players_at_table(pairing)
    page = desk.get(address(pairing, "absences")).content.decode()
    assert page.count(">Mark as missing<") == 2

    page = desk.post(
        address(pairing, "missing"), {"player": absent.number}, follow=True
    ).content.decode()
    assert "Mark as here" in page
    assert "10 minutes into the round" in page
    at_desk = door_list(event_of(pairing), pairing.round)
    assert [(line.table, line.missed) for line in at_desk.missed] == [(1, (absent,))]

    desk.post(address(pairing, "no_show"))

    assert not player_number(event_of(pairing), absent.number).is_active
    assert player_number(event_of(pairing), present.number).is_active
    page = desk.get(address(pairing, "absences")).content.decode()
    assert "nobody can be marked as missing" in page
    again = desk.post(address(pairing, "no_show"), follow=True).content.decode()
    assert "Nobody is marked as missing at table 1 any more" in again


@pytest.mark.parametrize("player", ["", "99", "9" * 30])
def test_unknown_player_is_refused(desk: Client, pairing: Pairing, player: str):
    answer = desk.post(address(pairing, "missing"), {"player": player}, follow=True)

    assert "Choose one of the players at table 1" in answer.content.decode()


def test_desk_returns_a_dropped_no_show(desk: Client, pairing: Pairing):
    _, absent = players_at_table(pairing)
    no_shows.mark_missing(pairing, absent, owner_of(event_of(pairing)))
    no_shows.decide_no_show(pairing, owner_of(event_of(pairing)))
    event = event_of(pairing)
    assert [entry.number for entry in door_list(event).left_behind] == [absent.number]

    return_url = url("return", event, absent.number)
    answer = desk.post(return_url, {"next": "desk"})

    assert answer["Location"] == url("desk", event)
    assert not door_list(event)


def test_desk_forgets_a_no_show_once_the_next_round_is_published(pairing: Pairing):
    event = event_of(pairing)
    _, absent = players_at_table(pairing)
    no_shows.mark_missing(pairing, absent, owner_of(event))
    no_shows.decide_no_show(pairing, owner_of(event))
    enter_result(table(pairing.round, 2), sweep(1))
    close_round(pairing.round)
    draft = draft_round(event)
    assert [entry.number for entry in door_list(event).left_behind] == [absent.number]

    rounds_services.publish_round(draft, owner_of(event))

    assert not door_list(event).left_behind


def test_page_names_the_button_without_an_automatic_no_show(desk: Client, pairing: Pairing):
    Tournament.objects.update(no_show_minutes=None)

    page = text_of(desk.get(address(pairing, "absences")))

    assert "select “Stop waiting” on this page" in page


def test_page_names_the_effect_before_a_player_is_marked_as_missing(desk: Client, pairing: Pairing):
    page = text_of(desk.get(address(pairing, "absences")))

    assert "What happens if you mark a player as missing" in page
    assert "The missing player loses the match 10 minutes into the round" in page
    assert "The opponent then wins every game, and the missing player is dropped" in page
    assert "plays on" not in page
