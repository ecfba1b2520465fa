"""Players checked in, dropped, back again, removed and given links."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, User
from tests.factories.tournaments import (
    add_players,
    draft_round,
    make_event,
    make_user,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.pages import url
from tests.tournaments.views.staff.conftest import path
from tournaments.models import RegistrationState, Tournament


@pytest.fixture
def event(owner: User) -> Tournament:
    return make_event(players=2, owner=owner, checked_in=False)


def names(event: Tournament) -> list[str]:
    return [entry.player.name for entry in event.registrations.order_by("number")]


def test_a_tap_checks_in_and_swaps_the_row(desk: Client, event: Tournament):
    answer = desk.post(path(event, "roster/1/check-in/"), headers={"HX-Request": "true"})

    page = answer.content.decode()
    assert player_number(event, 1).state == RegistrationState.CHECKED_IN
    assert page.strip().startswith('<tr id="player-1"')
    assert "<strong>1 of 2</strong> checked in" in page
    assert 'hx-swap-oob="true"' in page


def test_a_tap_works_without_scripts(desk: Client, event: Tournament):
    answer = desk.post(path(event, "roster/1/check-in/"))

    assert answer["Location"] == path(event, "roster/#player-1")


def test_all_who_wait_are_checked_in_and_those_who_dropped_stay_away(
    desk: Client, event: Tournament
):
    desk.post(path(event, "roster/2/drop/"))

    desk.post(path(event, "roster/check-in/"))

    states = [entry.state for entry in event.registrations.order_by("number")]
    assert states == [RegistrationState.CHECKED_IN, RegistrationState.DROPPED]
    desk.post(path(event, "roster/2/return/"))
    assert player_number(event, 2).is_active
    desk.post(path(event, "roster/2/not-here/"))
    assert player_number(event, 2).state == RegistrationState.REGISTERED


def test_who_has_been_paired_cannot_be_removed(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    start_round(event)

    answer = desk.post(path(event, "roster/1/remove/"), follow=True)

    assert "Ada has been paired. Drop the player instead." in answer.content.decode()
    assert len(names(event)) == 2


def test_a_player_is_removed(desk: Client, event: Tournament):
    desk.post(path(event, "roster/1/remove/"))

    assert names(event) == ["Bo"]


def test_a_first_round_bye_is_given_and_taken(desk: Client, event: Tournament):
    desk.post(path(event, "roster/1/bye/"), {"bye": "yes"})
    assert player_number(event, 1).first_round_bye

    desk.post(path(event, "roster/1/bye/"), {"bye": "no"})
    assert not player_number(event, 1).first_round_bye


def test_a_personal_link_is_shown_once_and_ends_the_former(desk: Client, event: Tournament):
    asked = desk.get(path(event, "roster/1/link/")).content.decode()
    assert "A new link ends the former one" in asked
    assert "/claim/" not in asked

    first = desk.post(path(event, "roster/1/link/"))
    second = desk.post(path(event, "roster/1/link/"))

    links = [
        re.search(r'id="claim-link">(.*?)<', answer.content.decode()) for answer in (first, second)
    ]
    old, new = (link[1].removeprefix("http://testserver") for link in links if link)
    assert "data:image/svg+xml" in first.content.decode()
    assert first["Referrer-Policy"] == "no-referrer"
    assert Client().get(old, follow=True).status_code == 410
    assert Client().get(new, follow=True).status_code == 200
    assert "claim link given" in [entry.action for entry in event.log.all()]


def test_somebody_erased_meanwhile_gets_no_link(desk: Client, event: Tournament):
    Player.objects.filter(pk=player_number(event, 1).player_id).update(erased_at=timezone.now())

    page = desk.post(path(event, "roster/1/link/"))

    assert page.status_code == 200
    assert "asked to be forgotten" in page.content.decode()


def test_a_player_with_an_account_needs_no_link(desk: Client, event: Tournament):
    Player.objects.filter(pk=player_number(event, 1).player_id).update(user=make_user())

    answer = desk.post(path(event, "roster/1/link/"))

    page = answer.content.decode()
    assert "logging in is the way to this player" in page
    assert 'id="claim-link"' not in page


def test_joined_late_is_marked(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    start_round(event)
    add_players(event, 1)

    assert "From round 2" in desk.get(path(event, "roster/")).content.decode()


def main_button(desk: Client, event: Tournament, number: int) -> str:
    page = desk.get(path(event, "roster/")).content.decode()
    row = page[page.index(f'id="player-{number}"') :]
    button = re.search(r"<button[^>]*>(.*?)</button>", row, re.DOTALL)
    assert button is not None
    return re.sub(r"<[^>]+>", "", button[1]).split(" ")[0].strip()


def test_a_late_entry_is_dropped_once_paired_and_not_here_before(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    assert main_button(desk, event, 1) == "Not"
    play_round(event)
    (late,) = add_players(event, 1)

    assert main_button(desk, event, 1) == "Drop"
    assert main_button(desk, event, late.number) == "Not"
    draft_round(event)
    assert main_button(desk, event, late.number) == "Drop"

    row = desk.post(
        path(event, f"roster/{late.number}/check-in/"), headers={"HX-Request": "true"}
    ).content.decode()
    assert path(event, f"roster/{late.number}/drop/") in row
    assert path(event, f"roster/{late.number}/not-here/") not in row


def test_a_seed_and_a_group_are_set_from_the_row(desk: Client, event: Tournament):
    desk.post(path(event, "roster/1/seed/"), {"seed": "2", "avoid_group": " The  car "})

    entry = player_number(event, 1)
    assert (entry.seed, entry.avoid_group) == (2, "The car")
    assert "Group <bdi>The car</bdi>" in desk.get(path(event, "roster/")).content.decode()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"seed": "0"}, "whole number from 1 to 9999"),
        ({"seed": "two"}, "whole number from 1 to 9999"),
        ({"avoid_group": "x" * 41}, "at most 40 letters"),
    ],
)
def test_a_seed_or_group_that_cannot_be_is_refused(
    desk: Client, event: Tournament, typed: dict[str, str], words: str
):
    answer = desk.post(path(event, "roster/1/seed/"), typed, follow=True)

    assert words in answer.content.decode()
    assert player_number(event, 1).seed is None


def test_the_staff_set_a_fixed_table_and_the_stream(event: Tournament):
    staff = Client()
    staff.force_login(event.staff.get().user)
    address = url("wishes", event, 2)

    staff.post(address, {"fixed_table": "12", "avoids_stream": "on"})
    wrong = staff.post(address, {"fixed_table": "twelve"}, follow=True)

    entry = player_number(event, 2)
    assert (entry.fixed_table, entry.avoids_stream) == (12, True)
    assert "A table is a number from 1 to 9999" in wrong.content.decode()


def test_a_player_may_stay_away_from_the_cameras():
    event = make_event(players=4, feature_tables="1")
    phone = browser_of("player", event, player_number(event, 1))
    address = url("my_stream", event)

    phone.post(address, {"avoids": "yes"})
    assert player_number(event, 1).avoids_stream
    phone.post(address, {"avoids": "no"})
    assert not player_number(event, 1).avoids_stream
