"""A player's page of an event: check-in, table, bye, results and drops."""

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from players.services import rename_player
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise, take_back
from tests.factories.pods import make_pods
from tests.factories.tournaments import (
    add_players,
    add_staff,
    enter_result,
    finish_round,
    fresh,
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    sitting,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import FRAGMENT, url
from tournaments.models import DroppedBy, Registration, Standing, Tournament
from tournaments.my_event.pages import player_day
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def page(phone_of, tournament: Tournament, number: int = 1):
    return phone_of(player_number(tournament, number)).get(url("my_event", tournament))


def words(response) -> str:
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

    def test_withdrawn_penalty_is_not_shown(self, event: Tournament, phone_of):
        take_back(penalise(player_number(event, 1), PenaltyKind.GAME_LOSS))

        assert "Game loss" not in words(page(phone_of, event, 1))

    def test_earlier_penalty_is_listed_below(self, event: Tournament, phone_of):
        play_round(event)
        penalise(player_number(event, 1))
        start_round(event)

        shown = words(page(phone_of, event, 1))

        assert "My penalties Warning: Tardiness" in shown


def test_table_opponent_and_first_side_are_shown(event: Tournament, phone_of):
    round_ = start_round(event)
    registration = player_number(event, 1)
    pairing = round_.pairing_of(registration.player)

    response = page(phone_of, event)

    now = response.context["now"]
    assert now.table.table == pairing.table_number
    assert now.opponents[0].name in response.text
    seat = words(response)
    side = now.me.role.label
    assert f"Table {pairing.table_number} Round 1 of 2 {side} first" in seat
    assert f"against {now.opponents[0].name}" in seat
    assert "Report the result" in response.text


@pytest.mark.parametrize(
    ("settings", "words_of_page"),
    [
        ({"planned_rounds": 2}, "Take a break until round 2. Your table appears here"),
        (
            {"planned_rounds": 1},
            "That was the last round. The final standings or the cut come next.",
        ),
        (
            {"planned_rounds": 1, "planned_cut": 4},
            "That was the last round. The top 4 cut comes next.",
        ),
        (
            {"planned_rounds": 2, "day_two_on": date(2030, 5, 5), "day_two_round": 2},
            "Day 2 begins with round 2 on",
        ),
    ],
)
def test_settled_table_shows_what_comes_next(
    phone_of, settings: dict[str, Any], words_of_page: str
):
    tournament = make_event(players=4, **settings)
    pairing = table(start_round(tournament), 1)
    number = sitting(pairing)[0].number
    before = words(page(phone_of, tournament, number))
    enter_result(pairing, sweep(1, 3))

    after = words(page(phone_of, tournament, number))

    assert "Your result is in" not in before
    assert f"Your result is in {words_of_page}" in after


def test_missing_decks_are_asked_for_until_they_are_submitted(phone_of):
    tournament = make_event(players=4)
    start_round(tournament)
    wanted = words(page(phone_of, tournament, 1))
    settings = Tournament.objects.filter(pk=tournament.pk)

    settings.update(decks_required=False)
    optional = words(page(phone_of, tournament, 1))

    assert "Your decks are missing This event requires decks from all players." in wanted
    assert "Submit the Corp deck" in wanted
    assert "Your decks are missing" not in optional


def test_bye_shows_its_points_and_the_next_round_if_any(phone_of):
    tournament = make_event(players=3, planned_rounds=2)
    first = start_round(tournament)
    number = first.pairings.get(match=None).bye.number
    with_bye = words(page(phone_of, tournament, number))
    assert "You have the bye" in with_bye
    assert "20 points" in with_bye
    assert "Be back for round 2." in with_bye
    registration_services.drop_player(player_number(tournament, number), owner_of(tournament))
    assert "Be back" not in words(page(phone_of, tournament, number))

    registration_services.return_player(player_number(tournament, number), owner_of(tournament))
    finish_round(first)
    last = start_round(tournament)
    sitting_out = last.pairings.get(match=None).bye.number
    follows = "This is the last round. The final standings or the cut come next."
    assert follows in words(page(phone_of, tournament, sitting_out))
    finish_round(last)
    assert "That was the last round." in words(page(phone_of, tournament, number))


def test_suggested_number_of_rounds_does_not_end_the_event(phone_of):
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
    assert "Round 1 is over Your table for round 2 appears here automatically." in words(response)


def test_personal_pages_are_not_cached(event: Tournament, phone_of):
    assert "no-store" in page(phone_of, event)["Cache-Control"]
    client = phone_of(player_number(event, 1))
    assert "no-store" in client.get(reverse("tournaments:mine"))["Cache-Control"]
    deck = client.get(url("deck", event, "corp"))
    assert "no-store" in deck["Cache-Control"]


def test_stranger_is_redirected_with_advice(event: Tournament, client):
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
def test_player_checks_in_on_the_local_day_of_the_event(phone_of, moment, zone, *, is_here):
    tournament = make_event(players=2, checked_in=False, starts_on=date(2026, 5, 2), time_zone=zone)
    client = phone_of(player_number(tournament, 1))
    with time_machine.travel(moment):
        assert ("I am here" in client.get(url("my_event", tournament)).text) is is_here
        pages = [client.post(url("my_check_in", tournament), follow=True).text for _ in range(2)]

    assert ("Ask the staff to check you in" in pages[1]) is not is_here
    assert player_number(tournament, 1).is_active is is_here
    assert not player_number(tournament, 2).is_active


def test_player_cannot_check_in_once_round_1_is_paired(phone_of):
    tournament = make_event(players=2, starts_on=date(2026, 5, 2))
    late = add_players(tournament, 1, checked_in=False)[0]
    start_round(tournament)
    assert "You are not checked in" in words(page(phone_of, tournament, late.number))
    with time_machine.travel(datetime(2026, 5, 2, 9, tzinfo=UTC)):
        phone_of(late).post(url("my_check_in", tournament))

    assert not player_number(tournament, 3).is_active


def test_table_is_finished_before_a_drop(event: Tournament, phone_of):
    start_round(event)
    client = phone_of(player_number(event, 1))

    seat = words(client.post(url("my_drop", event), follow=True))

    assert "You drop after this round" in seat
    assert "Finish your table and report its result" in seat
    assert "Report the result" in seat


def test_drop_can_be_undone_until_the_next_round_is_published(event: Tournament, phone_of):
    play_round(event)
    client = phone_of(player_number(event, 1))
    client.post(url("my_drop", event))
    assert "Undo: stay in the event" in client.get(url("my_event", event)).text

    returned = client.post(url("my_return", event), follow=True)

    assert player_number(event, 1).is_active
    assert "You are back in the event" in returned.text
    client.post(url("my_drop", event))
    start_round(event)
    late = client.post(url("my_return", event), follow=True)
    assert not player_number(event, 1).is_active
    assert "A round was paired without you" in late.text
    assert "Undo" not in late.text


@pytest.mark.parametrize(
    ("by", "reason", "can_return"),
    [
        (DroppedBy.PLAYER, "You have dropped from this event", True),
        (DroppedBy.STAFF, "The staff removed you from the event", False),
        (DroppedBy.NO_SHOW, "You were missing at your table", False),
        (DroppedBy.ABSENT, "not here for round", False),
    ],
)
def test_dropped_player_sees_the_reason(event: Tournament, phone_of, by, reason, can_return):
    play_round(event)
    event.registrations.filter(number=1).update(
        state="dropped", dropped_by=by, dropped_at=timezone.now()
    )

    seat = words(page(phone_of, event))

    assert reason in seat
    assert ("Undo: stay in the event" in seat) is can_return
    assert ("Ask the staff" in seat) is not can_return


def test_missing_player_of_a_pod_does_not_decide_the_pod_for_a_reader(phone_of):
    tournament = make_pods(4, no_show_minutes=10)
    start_round(tournament)

    seat = words(page(phone_of, tournament))

    assert seat.count("10 minutes after the start of the round") == 3
    assert "you win" not in seat


def test_single_game_has_no_first_side_and_names_have_pronouns(phone_of):
    tournament = make_event(players=2, game="anr", scoring_rule="anr_single")
    opponent = player_number(tournament, 2).player
    rename_player(opponent, opponent.name, "she/her")
    start_round(tournament)

    seat = words(page(phone_of, tournament))

    assert re.search(rf"(Corp|Runner) against {opponent.name} \(she/her\)", seat)


def test_player_meeting_shows_the_table(event: Tournament, phone_of):
    registration_services.seat_meeting(event, owner_of(event), seats=4)
    table = player_number(event, 1).meeting_table

    assert f"Table {table} Before round 1 You are checked in" in words(page(phone_of, event))


def test_waiting_player_sees_the_position_on_the_list(phone_of):
    tournament = make_event(players=2)
    tournament.registrations.filter(number=2).update(state="waiting")

    seat = words(page(phone_of, tournament, 2))

    assert "You are 1st on the waiting list" in seat
    assert "I am here" not in seat


def test_finished_event_shows_the_place(phone_of):
    tournament = make_event(players=2)
    play_round(tournament)
    settings_services.finish_event(fresh(tournament), owner_of(tournament))
    numbers = {player_number(tournament, n).current_standing().rank: n for n in (1, 2)}

    assert "The event is over You won the event" in words(page(phone_of, tournament, numbers[1]))
    assert "The event is over You finished 2nd" in words(page(phone_of, tournament, numbers[2]))


def test_my_events_link_to_the_desk_for_staff_and_to_the_table_for_players(client, phone_of):
    owner = make_user()
    tournament = make_event(players=1, owner=owner)
    client.force_login(owner)

    as_staff = client.get(reverse("tournaments:mine"))
    as_player = phone_of(player_number(tournament, 1)).get(reverse("tournaments:mine"))

    assert url("desk", tournament) in as_staff.text
    assert url("my_event", tournament) not in as_staff.text
    assert url("my_event", tournament) in as_player.text
    assert url("desk", tournament) not in as_player.text


def test_streamer_sees_the_event_without_a_desk_and_stranger_sees_no_event(client):
    tournament = make_event(players=1)
    assert "You are not signed in on this device" in client.get(reverse("tournaments:mine")).text
    client.force_login(add_staff(tournament, "streamer"))

    text = client.get(reverse("tournaments:mine")).text

    assert "Spring Run" in text
    assert url("desk", tournament) not in text


def test_shared_content_follows_every_change(event: Tournament, phone_of):
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


def test_player_missing_in_newer_standings_sees_older_standings(event: Tournament):
    play_round(event)
    play_round(event)
    dropped = player_number(event, 1)
    Standing.objects.filter(registration=dropped, snapshot__round__number=2).delete()

    day = player_day(dropped, get_round(event, 2))

    assert [line.round.number for line in day.rounds] == [1, 2]
    assert day.standing.snapshot.round.number == 1


def test_my_table_leads_to_the_only_event_or_to_a_running_round(client, phone_of):
    event = make_event(players=4)
    phone = phone_of(player_number(event, 1))
    assert phone.get("/my-table/")["Location"] == url("my_event", event)
    next_month = make_event(players=0, name="Next month", owner=make_user())
    player = player_number(event, 1).player
    Registration.objects.create(tournament=next_month, player=player, number=1)

    before = phone.get("/my-table/")["Location"]
    start_round(event)

    assert before == client.get("/my-table/")["Location"] == reverse("tournaments:mine")
    assert phone.get("/my-table/")["Location"] == url("my_event", event)


def test_reason_of_the_pairing_unfolds_on_the_players_page(event: Tournament, phone_of):
    start_round(event)

    response = page(phone_of, event)

    assert "Why am I playing them?" in words(response)
    assert response.context["why"].sentences
    assert '<details class="disclosure" id="why-paired">' in response.text


def test_phone_bar_is_for_players_only(event: Tournament, phone_of, client):
    start_round(event)

    bar = page(phone_of, event).text.partition('class="phone-bar')[2].partition("</nav>")[0]

    assert re.findall(r">(\w+)</a>", bar) == ["Table", "Pairings", "Standings", "Me"]
    assert "phone-bar" not in client.get(url("pairings", event)).text
