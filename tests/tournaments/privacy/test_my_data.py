"""What we keep about you: shown whole, taken away, kept longer, erased after two questions."""

import json
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client, TestCase
from django.utils import timezone

from players.models import Player
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.privacy.canary import Canary, make_canary
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

pytestmark = pytest.mark.check(40)

SURE = {"sure": "yes"}


@pytest.fixture
def over() -> Tournament:
    """An event of two guests that is over."""
    event = make_event(players=2)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    return fresh(event)


def test_a_person_reads_and_takes_away_everything():
    canary: Canary = make_canary()
    browser = logged_in(canary.user)

    page = browser.get("/me/data/").content.decode()
    file = browser.post("/me/data/file/")

    document = json.loads(file.content)
    assert file["Content-Disposition"] == 'attachment; filename="datafort-about-me.json"'
    empty = {key for key, rows in document.items() if not rows}
    # She uploaded nothing, imported no file, was invited by name, was never merged.
    assert empty == {"programs", "uploads", "files", "invitations", "notes", "records"}
    assert document["player"][0]["former_names"] == ["Zanna Old"]
    assert {one["list"].splitlines()[0] for one in document["decks"]} == {"// by Zanarić Q."}
    assert [one["penalty"] for one in document["penalties"]] == ["warning", "warning"]
    assert "A secret lozenge on the table." in {one["reason"] for one in document["penalties"]}
    for words in ("Zanarić Q.", "z@canary.example", "zy-plays", "Zanna Old", "Shown", "Hidden"):
        assert words in page
    # Nothing that opens anything, and nothing a judge keeps to themselves.
    text = file.content.decode() + page
    for secret in (canary.user.password, "has a secret lozenge", "nervous", "shouted"):
        assert secret not in text


def test_a_guest_reads_and_takes_away_everything_and_nothing_of_a_draft(event: Tournament):
    start_round(event)
    place = player_number(event, 1)
    browser = claim(Client(), place.player)

    document = json.loads(browser.post("/me/data/file/").content)

    assert [one["event"] for one in document["registrations"]] == [event.name]
    assert [one["round"] for one in document["results"]] == [1]
    assert document["account"] == document["tokens"] == []
    assert [one["state"] for one in document["registrations"]] == ["checked_in"]
    assert "<dd><bdi>checked in</bdi></dd>" in browser.get("/me/data/").content.decode()


@pytest.mark.parametrize(
    ("weeks", "command", "of_backups"),
    [
        (8, "", "within 57 days, by 26 Jan 2027."),
        (0, "copy-backup", "within 15 days, by 15 Dec 2026."),
        (None, "", "Backups, for as long as the operator of this site stores them."),
    ],
)
@pytest.mark.parametrize("is_guest", [False, True])
def test_page_about_erasing_shows_how_long_backups_keep_the_name(
    over: Tournament, settings, tmp_path, weeks, command: str, of_backups: str, *, is_guest: bool
):
    settings.BACKUP_FOLDER = "" if weeks is None else str(tmp_path)
    settings.BACKUP_WEEKS, settings.BACKUP_COMMAND = weeks, command
    place = player_number(over, 1)
    browser = logged_in(over.staff.get().user) if is_guest else claim(Client(), place.player)
    address = f"/events/{over.slug}/roster/{place.number}/erase/" if is_guest else "/me/erase/"

    with time_machine.travel(datetime(2026, 11, 30, 12, tzinfo=UTC)):
        page = browser.get(address).text

    assert of_backups in unescape(page)
    assert ("Copies of backups on other machines" in page) is bool(command)


def test_erased_person_is_shown_how_long_backups_keep_the_name(over, settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path)
    settings.BACKUP_DAYS, settings.BACKUP_WEEKS = 30, 4
    place = player_number(over, 1)
    browser = claim(Client(), place.player)
    assert "for up to 31 days longer" in browser.get("/me/data/").text

    page = browser.post("/me/erase/", {**SURE, "typed": place.player.name}).text

    assert "contain your name for up to 31 more days, until " in page


def test_a_guest_is_erased_after_two_questions(over: Tournament):
    place = player_number(over, 1)
    browser, name = claim(Client(), place.player), place.player.name

    first = browser.get("/me/erase/")
    second = browser.post("/me/erase/", SURE)
    wrong = browser.post("/me/erase/", {**SURE, "typed": "somebody"})
    assert [page.status_code for page in (first, second, wrong)] == [200, 200, 422]
    assert Player.objects.get(pk=place.player_id).name == name

    last = browser.post("/me/erase/", {**SURE, "typed": name.upper()})

    assert f"Player {place.player_id}" in last.content.decode()
    assert Player.objects.get(pk=place.player_id).name == f"Player {place.player_id}"
    assert browser.get("/me/data/").status_code == 302


@pytest.mark.check(25)
def test_an_account_that_came_long_ago_is_asked_for_its_password(over: Tournament):
    owner, guest = owner_of(over).user, player_number(over, 1)
    assert owner is not None
    browser = logged_in(owner, lately=False)
    of_a_guest = f"/events/{over.slug}/roster/{guest.number}/erase/"
    sure_of_guest = {**SURE, "typed": guest.player.name}

    for path, typed in (
        ("/me/data/file/", {}),
        ("/me/erase/", {**SURE, "typed": str(owner)}),
        (of_a_guest, sure_of_guest),
    ):
        answer = browser.post(path, typed)
        assert answer.status_code == 302
        assert "reauthenticate" in answer["Location"]
    assert not Player.objects.exclude(erased_at=None).exists()
    assert logged_in(owner).post(of_a_guest, sure_of_guest)["Location"].endswith("/roster/")


def test_the_owner_of_an_open_event_hands_it_over_first():
    mara = make_user("mara")
    event = make_event(players=2, owner=mara)
    browser = logged_in(mara)

    answer = browser.post("/me/erase/", {**SURE, "typed": "mara"})

    assert answer.status_code == 409
    assert event.name in answer.content.decode()
    mara.refresh_from_db()
    assert mara.is_active


def test_who_plays_leaves_first(event: Tournament):
    start_round(event)
    place = player_number(event, 1)
    browser, typed = claim(Client(), place.player), {**SURE, "typed": place.player.name}

    shown = browser.get("/me/erase/")
    assert (shown.status_code, "Not now" in shown.text) == (200, True)
    assert browser.post("/me/erase/", typed).status_code == 409
    registration_services.drop_player(place, owner_of(event))
    assert browser.post("/me/erase/", typed).status_code == 200


def test_a_place_at_an_event_to_come_is_given_back():
    event = make_event(players=3)
    place = player_number(event, 1)

    claim(Client(), place.player).post("/me/erase/", {**SURE, "typed": place.player.name})

    place.refresh_from_db()
    assert place.state == "dropped"


def test_who_leaves_learns_nothing_of_a_draft(event: Tournament):
    place = player_number(event, 1)
    browser = claim(Client(), place.player)
    before = browser.get("/me/erase/").status_code
    round_ = draft_round(event)

    assert browser.get("/me/erase/").status_code == before == 200
    browser.post("/me/erase/", {**SURE, "typed": place.player.name})

    with pytest.raises(rounds_services.DraftIsOld):
        rounds_services.publish_round(round_, owner_of(event))


def test_an_organiser_erases_their_own_guest_and_nobody_elses(over: Tournament):
    owner = owner_of(over).user
    assert owner is not None
    place, other = player_number(over, 1), player_number(over, 2)
    elsewhere = make_event(players=0, name="Elsewhere")
    registration_services.register_player(elsewhere, other.player, owner_of(elsewhere))
    browser = logged_in(owner)

    def erase(number: int, name: str) -> int:
        path = f"/events/{over.slug}/roster/{number}/erase/"
        return browser.post(path, {**SURE, "typed": name}).status_code

    assert erase(place.number, place.player.name) == 302
    assert Player.objects.get(pk=place.player_id).erased_at is not None
    assert erase(other.number, other.player.name) == 409
    assert Player.objects.get(pk=other.player_id).erased_at is None


def test_the_page_that_erases_a_guest_names_no_event_its_reader_may_not_know(over: Tournament):
    owner, place = owner_of(over).user, player_number(over, 1)
    assert owner is not None
    for name, visibility in (("Open cup", "public"), ("Secret", "private"), ("Quiet", "unlisted")):
        other = make_event(players=0, name=name, visibility=visibility)
        registration_services.register_player(other, place.player, owner_of(other))

    path = f"/events/{over.slug}/roster/{place.number}/erase/"
    page = logged_in(owner).get(path).content.decode()

    assert "(Open cup, other events)" in page
    assert "Secret" not in page
    assert "Quiet" not in page


def test_my_page_shows_when_i_am_forgotten_and_lets_me_stay(over: Tournament, settings):
    settings.FORGET_AFTER_MONTHS = 12
    player = player_number(over, 1).player
    browser = claim(Client(), player)
    assert "You are forgotten" not in browser.get("/me/").content.decode()

    long_ago = timezone.now() - timedelta(days=340)
    Tournament.objects.update(starts_on=long_ago.date(), finished_at=long_ago)
    Player.objects.update(created_at=long_ago)
    assert "You are forgotten" in browser.get("/me/").content.decode()

    with TestCase.captureOnCommitCallbacks(execute=True):
        browser.post("/me/stay/")
    assert "You are forgotten" not in browser.get("/me/").content.decode()
