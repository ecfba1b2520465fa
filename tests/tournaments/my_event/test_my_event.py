"""The phone page through a day: check-in, table, bye, results, leaving."""

import re
from datetime import UTC, date, datetime

import pytest
import time_machine
from django.urls import reverse

from players.services import rename_player
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    add_players,
    add_staff,
    finish_round,
    fresh,
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.pages import FRAGMENT, url
from tournaments.models import (
    DroppedBy,
    Registration,
    RegistrationState,
    Standing,
    Tournament,
)
from tournaments.my_event.pages import player_day
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def page(phone_of, tournament: Tournament, number: int = 1):
    return phone_of(player_number(tournament, number)).get(url("my_event", tournament))


def words(response) -> str:
    """What can be read in the part that refreshes, blanks as one."""
    live = response.text.partition("data-poll=")[2].partition("data-poll-status")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", live).split())


class TestMyPenalties:
    def test_penalty_is_shown_to_its_player_with_the_reason(self, event: Tournament, phone_of):
        start_round(event)
        penalise(player_number(event, 1), text="Came at 10:20.")

        shown = words(page(phone_of, event, 1))

        assert "Warning: Tardiness Came at 10:20. Round 1, table" in shown
        assert "Tardiness" not in words(page(phone_of, event, 2))
        me = f"/api/v1/events/{event.slug}/me/"
        (penalty,) = phone_of(player_number(event, 1)).get(me).json()["penalties"]
        assert (penalty["kind"], penalty["reason"]) == ("warning", "Came at 10:20.")
        assert phone_of(player_number(event, 2)).get(me).json()["penalties"] == []

    def test_withdrawn_penalty_is_gone(self, event: Tournament, phone_of):
        take_back(penalise(player_number(event, 1), PenaltyKind.GAME_LOSS))

        assert "Game loss" not in words(page(phone_of, event, 1))

    def test_earlier_penalty_stays_below(self, event: Tournament, phone_of):
        play_round(event)
        penalise(player_number(event, 1))
        start_round(event)

        shown = words(page(phone_of, event, 1))

        assert "My penalties Warning: Tardiness" in shown


def test_the_table_the_opponent_and_the_first_role_are_there(event: Tournament, phone_of):
    round_ = start_round(event)
    registration = player_number(event, 1)
    pairing = round_.pairing_of(registration.player)

    response = page(phone_of, event)

    now = response.context["now"]
    assert now.table.table == pairing.table_number
    assert now.opponents[0].name in response.text
    seat = words(response)
    assert f"Round 1 of 2 Table {pairing.table_number} You are" in seat
    assert f"first against {now.opponents[0].name}" in seat
    assert "Report the result" in response.text


def test_a_bye_says_its_points(phone_of):
    tournament = make_event(players=3)
    round_ = start_round(tournament)
    number = round_.pairings.get(match=None).bye.number

    response = page(phone_of, tournament, number)

    assert "You have the bye" in response.text
    assert "20 points" in response.text


def test_nobody_is_asked_back_who_has_no_next_round(phone_of):
    tournament = make_event(players=3, planned_rounds=2)
    first = start_round(tournament)
    number = first.pairings.get(match=None).bye.number
    assert "Be back for round 2." in words(page(phone_of, tournament, number))
    registration_services.drop_player(player_number(tournament, number), owner_of(tournament))
    assert "Be back" not in words(page(phone_of, tournament, number))

    registration_services.return_player(player_number(tournament, number), owner_of(tournament))
    finish_round(first)
    last = start_round(tournament)
    sitting_out = last.pairings.get(match=None).bye.number
    follows = "This is the last round. Standings or the cut follow."
    assert follows in words(page(phone_of, tournament, sitting_out))
    finish_round(last)
    assert "That was the last round." in words(page(phone_of, tournament, number))


def test_a_suggested_number_of_rounds_ends_nothing(phone_of):
    tournament = make_event(players=3)
    for number in (1, 2):
        round_ = start_round(tournament)
        assert round_.number == number
        bye = round_.pairings.get(match=None).bye.number
        assert f"Be back for round {number + 1}." in words(page(phone_of, tournament, bye))
        finish_round(round_)

    assert "The next table appears here" in words(page(phone_of, tournament, 1))


def test_results_and_standing_after_a_round(event: Tournament, phone_of):
    play_round(event)
    snapshot = event.snapshots.newest()
    assert snapshot is not None

    response = page(phone_of, event)

    assert response.context["standing"].rank == snapshot.rows.get(registration__number=1).rank
    assert len(response.context["rounds"]) == 1
    assert "is closed. The next table appears here" in response.text


def test_personal_pages_are_kept_nowhere(event: Tournament, phone_of):
    assert "no-store" in page(phone_of, event)["Cache-Control"]
    client = phone_of(player_number(event, 1))
    assert "no-store" in client.get(reverse("tournaments:mine"))["Cache-Control"]
    deck = client.get(url("deck", event, "corp"))
    assert "no-store" in deck["Cache-Control"]


def test_a_phone_nobody_knows_is_shown_the_ways_in(event: Tournament, client):
    response = client.get(url("my_event", event), follow=True)

    assert "You are not signed in as a player" in response.text
    fragment = client.get(url("my_event", event), headers=FRAGMENT)
    assert fragment.status_code == 404


@pytest.mark.parametrize(
    ("moment", "zone", "is_here"),
    [
        (datetime(2026, 5, 2, 9, tzinfo=UTC), "UTC", True),
        (datetime(2026, 5, 1, 21, tzinfo=UTC), "Pacific/Auckland", True),
        (datetime(2026, 5, 1, 9, tzinfo=UTC), "UTC", False),
    ],
)
def test_a_player_checks_in_on_the_day_of_the_place(phone_of, moment, zone, *, is_here):
    tournament = make_event(players=2, checked_in=False, starts_on=date(2026, 5, 2), time_zone=zone)
    client = phone_of(player_number(tournament, 1))
    with time_machine.travel(moment):
        assert ("I am here" in client.get(url("my_event", tournament)).text) is is_here
        pages = [client.post(url("my_check_in", tournament), follow=True).text for _ in range(2)]

    assert ("Ask the staff to check you in" in pages[1]) is not is_here
    assert player_number(tournament, 1).is_active is is_here
    assert not player_number(tournament, 2).is_active


def test_nobody_checks_in_once_round_1_is_paired(phone_of):
    tournament = make_event(players=2, starts_on=date(2026, 5, 2))
    late = add_players(tournament, 1, checked_in=False)[0]
    start_round(tournament)
    with time_machine.travel(datetime(2026, 5, 2, 9, tzinfo=UTC)):
        phone_of(late).post(url("my_check_in", tournament))

    assert not player_number(tournament, 3).is_active


def test_a_player_leaves_and_stays_in_the_standings(event: Tournament, phone_of):
    play_round(event)
    client = phone_of(player_number(event, 1))

    response = client.post(url("my_drop", event), follow=True)

    assert player_number(event, 1).state == RegistrationState.DROPPED
    assert player_number(event, 1).dropped_by == DroppedBy.PLAYER
    assert "You have left this event" in response.text


def test_a_table_is_finished_before_leaving(event: Tournament, phone_of):
    start_round(event)
    client = phone_of(player_number(event, 1))

    seat = words(client.post(url("my_drop", event), follow=True))

    assert "You leave after this round" in seat
    assert "Finish your table and report its result" in seat
    assert "Report the result" in seat


def test_leaving_can_be_undone_until_the_next_round_is_published(event: Tournament, phone_of):
    play_round(event)
    client = phone_of(player_number(event, 1))
    client.post(url("my_drop", event))
    assert "Undo: I stay" in client.get(url("my_event", event)).text

    back = client.post(url("my_return", event), follow=True)

    assert player_number(event, 1).is_active
    assert "You are in the event again" in back.text
    client.post(url("my_drop", event))
    start_round(event)
    late = client.post(url("my_return", event), follow=True)
    assert not player_number(event, 1).is_active
    assert "A round was paired without you" in late.text
    assert "Undo" not in late.text


def test_whom_the_staff_took_out_only_the_staff_take_back(event: Tournament, phone_of):
    play_round(event)
    registration = player_number(event, 1)
    registration_services.drop_player(registration, owner_of(event))

    seat = words(page(phone_of, event))

    assert "The staff took you out of the event" in seat
    assert "Ask the staff" in seat
    assert "Undo" not in seat


@pytest.mark.parametrize(
    ("by", "said"),
    [
        (DroppedBy.NO_SHOW, "You were missing at your table"),
        (DroppedBy.ABSENT, "not here for round"),
    ],
)
def test_who_is_out_is_shown_why(event: Tournament, phone_of, by, said):
    play_round(event)
    event.registrations.filter(number=1).update(state="dropped", dropped_by=by)

    assert said in words(page(phone_of, event))


def test_a_single_game_has_no_first_role(phone_of):
    tournament = make_event(game="anr", scoring_rule="anr_single")
    start_round(tournament)

    seat = words(page(phone_of, tournament))

    assert re.search(r"You are (Corp|Runner) against", seat)


def test_pronouns_stand_beside_the_name(phone_of):
    tournament = make_event(players=2)
    other = player_number(tournament, 2).player
    rename_player(other, other.name, "she/her")
    start_round(tournament)

    assert f"against {other.name} (she/her)" in words(page(phone_of, tournament))


def test_the_player_meeting_says_the_table(event: Tournament, phone_of):
    registration_services.seat_meeting(event, owner_of(event), seats=4)
    table = player_number(event, 1).meeting_table

    assert f"Player meeting Table {table} You are checked in" in words(page(phone_of, event))


def test_who_is_not_checked_in_after_the_start_is_asked_to_check_in(phone_of):
    tournament = make_event(players=2)
    late = add_players(tournament, 1, checked_in=False)[0]
    start_round(tournament)

    assert "You are not checked in" in words(page(phone_of, tournament, late.number))


def test_the_waiting_list_is_a_state_of_its_own(phone_of):
    tournament = make_event(players=2)
    tournament.registrations.filter(number=2).update(state="waiting")

    seat = words(page(phone_of, tournament, 2))

    assert "You are 1st on the waiting list" in seat
    assert "I am here" not in seat


def test_the_end_says_the_place(phone_of):
    tournament = make_event(players=2)
    play_round(tournament)
    settings_services.finish_event(fresh(tournament), owner_of(tournament))
    rank = player_number(tournament, 1).current_standing().rank

    assert f"The event is over You finished {rank}" in words(page(phone_of, tournament))


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


def test_a_streamer_has_the_event_and_no_desk_and_a_stranger_has_nothing(client):
    tournament = make_event(players=1)
    assert "You are not signed in on this device" in client.get(reverse("tournaments:mine")).text
    client.force_login(add_staff(tournament, "streamer"))

    text = client.get(reverse("tournaments:mine")).text

    assert "Spring Run" in text
    assert url("desk", tournament) not in text


def test_what_all_players_share_is_new_after_every_change(event: Tournament, phone_of):
    round_ = start_round(event)
    owner = owner_of(event)
    seen = []

    for change in (
        lambda: None,
        lambda: rounds_services.pause_clock(round_, owner),
        lambda: rounds_services.add_minutes(round_, 5, owner, seen=0),
        lambda: settings_services.change_settings(event, owner, planned_rounds=5),
        lambda: rounds_services.unpublish_round(round_, owner, "A wrong seat"),
    ):
        change()
        seen.append(words(page(phone_of, event)))

    assert "Round 1 of 2" in seen[0]
    assert "Paused" in seen[1]
    assert "Paused" not in seen[0]
    assert seen[2] != seen[1]
    assert "Round 1 of 5" in seen[3]
    assert "You are checked in" in seen[4]


def test_who_is_in_no_newer_standings_keeps_the_old_ones(event: Tournament):
    play_round(event)
    play_round(event)
    gone = player_number(event, 1)
    Standing.objects.filter(registration=gone, snapshot__round__number=2).delete()

    day = player_day(gone, get_round(event, 2))

    assert [line.round.number for line in day.rounds] == [1, 2]
    assert day.standing.snapshot.round.number == 1


def test_my_table_is_the_only_event_that_is_not_over(phone_of):
    event = make_event(players=2)
    client = phone_of(player_number(event, 1))

    assert client.get("/my-table/")["Location"] == url("my_event", event)


def test_of_several_events_my_table_is_where_a_round_is_played(phone_of):
    event = make_event(players=4)
    player = player_number(event, 1).player
    other = make_event(players=0, name="Next month", owner=make_user())
    Registration.objects.create(tournament=other, player=player, number=1)
    client = phone_of(player_number(event, 1))

    before = client.get("/my-table/")["Location"]
    start_round(event)

    assert before == reverse("tournaments:mine")
    assert client.get("/my-table/")["Location"] == url("my_event", event)


def test_a_stranger_has_no_table_yet(client):
    assert client.get("/my-table/")["Location"] == reverse("tournaments:mine")


def test_why_these_meet_is_open_on_the_own_page(event: Tournament, phone_of):
    start_round(event)

    response = page(phone_of, event)

    assert "Why am I playing them?" in words(response)
    assert response.context["why"].sentences
    assert '<details class="disclosure" id="why-paired" open>' in response.text


def test_four_ways_stand_at_the_bottom_of_a_players_phone(event: Tournament, phone_of, client):
    start_round(event)

    bar = page(phone_of, event).text.partition('class="phone-bar')[2].partition("</nav>")[0]

    assert re.findall(r">(\w+)</a>", bar) == ["Table", "Pairings", "Standings", "Me"]
    assert "phone-bar" not in client.get(url("pairings", event)).text
