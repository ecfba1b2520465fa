from collections.abc import Callable

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from players.models import User
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    join,
    make_event,
    make_user,
    owner_of,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import FRAGMENT, path
from tournaments.models import Registration, Tournament, codes
from tournaments.registration import roster_changes, services


def make_scene() -> Tournament:
    return make_event(players=3, owner=make_user(OWNER), checked_in=False)


def code_address(entry: Registration) -> str:
    return reverse("tournaments:check_in_code", args=[codes.check_in_code(entry.pk)])


def scanned(browser: Client, event: Tournament, **fields: str) -> tuple[str, str]:
    answer = browser.post(path(event, "roster/scan/"), fields, headers=FRAGMENT)
    assert answer.status_code == 200
    return answer["X-Outcome"], answer.content.decode()


def test_tick_checks_in_and_out(desk: Client, event: Tournament):
    answer = desk.post(path(event, "roster/tick/"), {"tick": "2 here"}, headers=FRAGMENT)
    assert answer.json() == {"is_on": True, "count": 1, "words": "Bo is here."}

    answer = desk.post(path(event, "roster/tick/"), {"tick": "2 away"}, headers=FRAGMENT)
    assert answer.json() == {"is_on": False, "count": 0, "words": "Bo is not here."}

    without_script = desk.post(path(event, "roster/tick/"), {"tick": "2 here"})
    assert without_script["Location"] == path(event, "roster/tick/") + "#tick-2"
    assert player_number(event, 2).is_active


def test_name_is_matched_without_accents(desk: Client, event: Tournament):
    roster_changes.add_entries(
        event, [roster_changes.NewEntry("\u0141ukasz Wei\u00df")], owner_of(event)
    )

    page = desk.get(path(event, "roster/tick/")).text

    assert 'data-tick-name="lukasz weiss"' in page


def test_paired_player_cannot_be_checked_out(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)

    answer = desk.post(path(event, "roster/tick/"), {"tick": "2 away"}, headers=FRAGMENT)

    assert answer.status_code == 409
    assert "Drop the player instead" in answer.json()["words"]
    assert answer.json()["is_on"] is True


@pytest.mark.parametrize("tick", ["", "9 here", "x here", "2"])
def test_invalid_tick_changes_nothing(desk: Client, event: Tournament, tick: str):
    answer = desk.post(path(event, "roster/tick/"), {"tick": tick}, headers=FRAGMENT)

    assert answer.status_code in (200, 302)
    assert not event.registrations.filter(state="checked_in").exists()


def test_check_in_list_is_sent_again_only_after_a_change(desk: Client, event: Tournament):
    first = desk.get(path(event, "roster/tick/"), headers=FRAGMENT)
    known = {**FRAGMENT, "If-None-Match": first["ETag"]}
    assert desk.get(path(event, "roster/tick/"), headers=known).status_code == 304

    services.check_in([player_number(event, 1)], owner_of(event))

    assert desk.get(path(event, "roster/tick/"), headers=known).status_code == 200


def test_code_checks_in_once(desk: Client, event: Tournament):
    code = f"https://example.org{code_address(player_number(event, 2))}"

    outcome, words = scanned(desk, event, code=code)
    assert (outcome, "Bo" in words) == ("in", True)
    outcome, words = scanned(desk, event, code=code)
    assert (outcome, "Already checked in." in words) == ("already", True)

    assert event.log.filter(action="player checked in").count() == 1


def test_refused_codes_give_the_reason(desk: Client, event: Tournament):
    second_event = make_event(players=1, name="Other")
    two = player_number(event, 2)
    removed = codes.check_in_code(player_number(event, 3).pk)
    roster_changes.remove_player(player_number(event, 3), owner_of(event))
    services.drop_player(two, owner_of(event))
    Tournament.objects.filter(pk=event.pk).update(max_players=1, has_waiting_list=True)
    waiting = join(event, "Mia")
    forged = signing.Signer(salt="another", sep=".").sign(str(player_number(event, 1).pk))

    for words, code in {
        "another event": codes.check_in_code(player_number(second_event, 1).pk),
        "no longer on the roster": removed,
        "Out of the event (dropped by the staff)": codes.check_in_code(two.pk),
        "1st on the waiting list": codes.check_in_code(waiting.pk),
        "not a check-in code": forged,
    }.items():
        outcome, page = scanned(desk, event, code=code)
        assert (outcome, words in page) == ("no", True), words
    assert not event.registrations.filter(state="checked_in").exists()


def test_typed_number_or_name_checks_in(desk: Client, event: Tournament):
    assert scanned(desk, event, typed="2")[0] == "in"
    assert scanned(desk, event, typed=" ada ")[0] == "in"
    outcome, page = scanned(desk, event, typed="Zed")
    assert (outcome, "No player on the roster is called Zed" in page) == ("no", True)


def test_ambiguous_name_shows_a_choice(desk: Client, owner: User):
    event = make_event(players=14, owner=owner, checked_in=False)

    _, page = scanned(desk, event, typed="Bo")
    assert "Which player?" not in page  # The exact name takes precedence over Bo 2.
    _, page = scanned(desk, event, typed="Ad")

    assert "Which player?" in page
    assert not player_number(event, 1).is_active


def test_page_of_a_code_checks_in(desk: Client, event: Tournament):
    address = code_address(player_number(event, 2))

    page = desk.get(address).content.decode()
    assert "Check in" in page
    page = desk.post(address).content.decode()

    assert "Checked in." in page
    assert player_number(event, 2).is_active


def test_page_of_a_code_shows_strangers_no_name(event: Tournament):
    address = code_address(player_number(event, 2))
    Tournament.objects.update(visibility="private")

    for browser in (Client(), logged_in(User.objects.create_user("stranger"))):
        for page in (browser.get(address), browser.post(address)):
            assert page.status_code == 200
            assert "Bo" not in page.content.decode()
            assert event.name not in page.content.decode()

    assert not player_number(event, 2).is_active
    assert Client().get(address[:-3] + "x/").status_code == 404


def test_player_sees_their_own_code(event: Tournament, phone_of: Callable[[Registration], Client]):
    answer = phone_of(player_number(event, 1)).get(path(event, "me/check-in.svg"))

    assert answer["Content-Type"] == "image/svg+xml"
    assert "private" in answer["Cache-Control"]
    assert Client().get(path(event, "me/check-in.svg")).status_code == 404


def test_badges_leave_out_dropped_players(desk: Client, event: Tournament):
    services.drop_player(player_number(event, 3), owner_of(event))

    page = desk.get(path(event, "roster/badges/")).content.decode()

    assert page.count("Check-in code of") == 2
