"""The phone page through a day: check-in, table, bye, results, leaving."""

from datetime import UTC, date, datetime

import pytest
import time_machine
from django.urls import reverse

from tests.factories.tournaments import (
    add_players,
    add_staff,
    draft_round,
    fresh,
    make_event,
    make_user,
    play_round,
    player_number,
    start_round,
)
from tournaments import queries
from tournaments.models import RegistrationState, Tournament

pytestmark = pytest.mark.django_db


def url(name: str, tournament: Tournament, *args: object) -> str:
    return reverse(f"tournaments:{name}", args=[tournament.slug, *args])


def page(phone_of, tournament: Tournament, number: int = 1):
    return phone_of(player_number(tournament, number)).get(url("my_event", tournament))


def test_the_table_the_opponent_and_the_first_role_are_there(phone_of):
    tournament = make_event()
    round_ = start_round(tournament)
    registration = player_number(tournament, 1)
    pairing = queries.pairing_of(round_, registration.player)

    response = page(phone_of, tournament)

    now = response.context["now"]
    assert now.table.table == pairing.table_number
    assert now.opponents[0].name in response.text
    assert f"<span>Table</span> {pairing.table_number}</p>" in response.text
    assert "Report the result" in response.text


def test_a_bye_says_its_points(phone_of):
    tournament = make_event(players=3)
    round_ = start_round(tournament)
    number = round_.pairings.get(match=None).bye.number

    response = page(phone_of, tournament, number)

    assert "You have the bye" in response.text
    assert "20 points" in response.text


def test_a_draft_is_not_seen(phone_of):
    tournament = make_event()
    draft_round(tournament)

    response = page(phone_of, tournament)

    assert response.context["now"] is None
    assert "You are checked in" in response.text


def test_results_and_standing_after_a_round(phone_of):
    tournament = make_event()
    play_round(tournament)

    response = page(phone_of, tournament)

    assert response.context["standing"].rank in range(1, 9)
    assert len(response.context["rounds"]) == 1
    assert "is closed. The next table appears here" in response.text


def test_personal_pages_are_kept_nowhere(phone_of):
    tournament = make_event()

    assert "no-store" in page(phone_of, tournament)["Cache-Control"]
    client = phone_of(player_number(tournament, 1))
    assert "no-store" in client.get(reverse("tournaments:mine"))["Cache-Control"]
    deck = client.get(url("deck", tournament, "corp"))
    assert "no-store" in deck["Cache-Control"]


def test_a_phone_nobody_knows_is_told_the_ways_in(client):
    tournament = make_event()

    response = client.get(url("my_event", tournament), follow=True)

    assert "This device does not know you" in response.text
    fragment = client.get(url("my_event", tournament), headers={"X-Fragment": "1"})
    assert fragment.status_code == 404


def test_a_player_checks_in_on_the_day(phone_of):
    tournament = make_event(players=2, checked_in=False, starts_on=date(2026, 5, 2))
    client = phone_of(player_number(tournament, 1))
    with time_machine.travel(datetime(2026, 5, 2, 9, tzinfo=UTC)):
        assert "I am here" in client.get(url("my_event", tournament)).text
        client.post(url("my_check_in", tournament))
        client.post(url("my_check_in", tournament))

    assert player_number(tournament, 1).state == RegistrationState.CHECKED_IN
    assert player_number(tournament, 2).state == RegistrationState.REGISTERED


def test_the_day_is_that_of_the_place(phone_of):
    tournament = make_event(
        players=1, checked_in=False, starts_on=date(2026, 5, 2), time_zone="Pacific/Auckland"
    )
    client = phone_of(player_number(tournament, 1))
    with time_machine.travel(datetime(2026, 5, 1, 21, tzinfo=UTC)):
        client.post(url("my_check_in", tournament))

    assert player_number(tournament, 1).is_active


def test_nobody_checks_in_the_day_before(phone_of):
    tournament = make_event(players=1, checked_in=False, starts_on=date(2026, 5, 2))
    client = phone_of(player_number(tournament, 1))
    with time_machine.travel(datetime(2026, 5, 1, 9, tzinfo=UTC)):
        response = client.post(url("my_check_in", tournament), follow=True)

    assert "Ask the staff to check you in" in response.text
    assert not player_number(tournament, 1).is_active


def test_nobody_checks_in_once_round_1_is_paired(phone_of):
    tournament = make_event(players=2, starts_on=date(2026, 5, 2))
    late = add_players(tournament, 1, checked_in=False)[0]
    start_round(tournament)
    with time_machine.travel(datetime(2026, 5, 2, 9, tzinfo=UTC)):
        phone_of(late).post(url("my_check_in", tournament))

    assert not player_number(tournament, 3).is_active


def test_a_player_leaves_and_stays_in_the_standings(phone_of):
    tournament = make_event()
    play_round(tournament)
    client = phone_of(player_number(tournament, 1))

    response = client.post(url("my_drop", tournament), follow=True)

    assert player_number(tournament, 1).state == RegistrationState.DROPPED
    assert "You have left this event" in response.text


@pytest.mark.parametrize("name", ["my_check_in", "my_drop"])
def test_changes_want_a_post_and_a_player(client, phone_of, name):
    tournament = make_event()

    assert phone_of(player_number(tournament, 1)).get(url(name, tournament)).status_code == 405
    assert client.post(url(name, tournament)).status_code == 404
    assert fresh(tournament).registrations.filter(state="checked_in").count() == 8


def test_my_events_hold_what_i_play_and_what_i_run(client, phone_of):
    owner = make_user()
    tournament = make_event(players=1, owner=owner)
    client.force_login(owner)

    as_staff = client.get(reverse("tournaments:mine"))
    as_player = phone_of(player_number(tournament, 1)).get(reverse("tournaments:mine"))

    assert url("desk", tournament) in as_staff.text
    assert url("my_event", tournament) not in as_staff.text
    assert url("my_event", tournament) in as_player.text
    assert url("desk", tournament) not in as_player.text


def test_a_streamer_has_the_event_and_no_desk(client):
    tournament = make_event(players=1)
    client.force_login(add_staff(tournament, "streamer"))

    text = client.get(reverse("tournaments:mine")).text

    assert "Spring Run" in text
    assert url("desk", tournament) not in text


def test_a_stranger_has_no_events(client):
    make_event(players=1)

    assert "does not know you yet" in client.get(reverse("tournaments:mine")).text


def test_the_number_of_queries_does_not_grow_with_the_field(
    phone_of, django_assert_max_num_queries
):
    counts = []
    for players in (8, 40):
        tournament = make_event(players=players, name=f"Run of {players}")
        play_round(tournament)
        start_round(tournament)
        client = phone_of(player_number(tournament, 1))
        client.get(url("my_event", tournament))
        with django_assert_max_num_queries(40) as counted:
            client.get(url("my_event", tournament))
        counts.append(len(counted))

    assert counts[0] == counts[1]
