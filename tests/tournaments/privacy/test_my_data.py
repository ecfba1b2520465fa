"""Personal data: shown, downloaded, kept longer, erased after two confirmations."""

import json
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

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
from tests.tournaments.privacy.canary import make_canary
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

pytestmark = pytest.mark.check(40)

ERASE = "/me/erase/"


@pytest.fixture
def finished_event() -> Tournament:
    """A finished event of two guests."""
    event = make_event(players=2)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    return fresh(event)


def erase(browser: Client, name: str, path: str = ERASE) -> Any:
    """Submit both steps."""
    return browser.post(path, {"sure": "yes", "typed": name})


def erase_guest_path(event: Tournament, number: int = 1) -> str:
    return f"/events/{event.slug}/roster/{number}/erase/"


class TestMyData:
    def test_account_sees_and_downloads_all_personal_data(self):
        canary = make_canary()
        browser = logged_in(canary.user)

        page = browser.get("/me/data/").content.decode()
        file = browser.post("/me/data/file/")

        document = json.loads(file.content)
        assert file["Content-Disposition"] == 'attachment; filename="datafort-about-me.json"'
        empty = {key for key, rows in document.items() if not rows}
        # The canary has no uploads, imports, accepted invitations or merges.
        assert empty == {"programs", "uploads", "files", "invitations", "notes", "records"}
        assert document["player"][0]["former_names"] == ["Zanna Old"]
        assert {deck["list"].splitlines()[0] for deck in document["decks"]} == {"// by Zanarić Q."}
        assert [row["penalty"] for row in document["penalties"]] == ["warning", "warning"]
        assert "A secret lozenge on the table." in {row["reason"] for row in document["penalties"]}
        for words in ("Zanarić Q.", "z@canary.example", "zy-plays", "Zanna Old", "Shown", "Hidden"):
            assert words in page
        # No credentials, and no private notes of judges.
        text = file.content.decode() + page
        for secret in (canary.user.password, "has a secret lozenge", "nervous", "shouted"):
            assert secret not in text

    def test_guest_sees_all_personal_data_except_drafts(self, event: Tournament):
        start_round(event)
        browser = claim(Client(), player_number(event, 1).player)

        document = json.loads(browser.post("/me/data/file/").content)

        assert [row["event"] for row in document["registrations"]] == [event.name]
        assert [row["state"] for row in document["registrations"]] == ["checked_in"]
        assert [row["round"] for row in document["results"]] == [1]
        assert document["account"] == document["tokens"] == []
        assert "<dd><bdi>checked in</bdi></dd>" in browser.get("/me/data/").content.decode()

    def test_my_page_warns_before_automatic_erasure_and_extends_the_stay(
        self, finished_event: Tournament, settings
    ):
        settings.FORGET_AFTER_MONTHS = 12
        browser = claim(Client(), player_number(finished_event, 1).player)
        assert "Your data will be erased" not in browser.get("/me/").content.decode()

        long_ago = timezone.now() - timedelta(days=340)
        Tournament.objects.update(starts_on=long_ago.date(), finished_at=long_ago)
        Player.objects.update(created_at=long_ago)
        assert "Your data will be erased" in browser.get("/me/").content.decode()

        with TestCase.captureOnCommitCallbacks(execute=True):
            browser.post("/me/stay/")
        assert "Your data will be erased" not in browser.get("/me/").content.decode()


class TestBackups:
    @pytest.mark.parametrize(
        ("weeks", "command", "sentence"),
        [
            (8, "", "within 57 days, by 26 Jan 2027."),
            (0, "copy-backup", "within 15 days, by 15 Dec 2026."),
            (None, "", "Backups, for as long as the operator of this site stores them."),
        ],
    )
    @pytest.mark.parametrize("is_guest", [False, True])
    def test_erasure_page_states_the_retention_of_backups(
        self,
        finished_event: Tournament,
        settings,
        tmp_path,
        weeks,
        command,
        sentence,
        *,
        is_guest: bool,
    ):
        settings.BACKUP_FOLDER = "" if weeks is None else str(tmp_path)
        settings.BACKUP_WEEKS, settings.BACKUP_COMMAND = weeks, command
        organiser, player = finished_event.staff.get().user, player_number(finished_event, 1).player
        browser = logged_in(organiser) if is_guest else claim(Client(), player)

        with time_machine.travel(datetime(2026, 11, 30, 12, tzinfo=UTC)):
            page = browser.get(erase_guest_path(finished_event) if is_guest else ERASE).text

        assert sentence in unescape(page)
        assert ("Copies of backups on other machines" in page) is bool(command)

    def test_erased_person_sees_the_retention_of_backups(self, finished_event, settings, tmp_path):
        settings.BACKUP_FOLDER = str(tmp_path)
        settings.BACKUP_DAYS, settings.BACKUP_WEEKS = 30, 4
        player = player_number(finished_event, 1).player
        browser = claim(Client(), player)
        assert "for up to 31 days longer" in browser.get("/me/data/").text

        page = erase(browser, player.name).text

        assert "contain your name for up to 31 more days, until " in page


class TestEraseSelf:
    def test_guest_is_erased_after_two_steps(self, finished_event: Tournament):
        player = player_number(finished_event, 1).player
        browser = claim(Client(), player)

        first = browser.get(ERASE)
        second = browser.post(ERASE, {"sure": "yes"})
        wrong = erase(browser, "somebody")
        assert [page.status_code for page in (first, second, wrong)] == [200, 200, 422]
        assert Player.objects.get(pk=player.pk).name == player.name

        last = erase(browser, player.name.upper())

        assert f"Player {player.pk}" in last.content.decode()
        assert Player.objects.get(pk=player.pk).name == f"Player {player.pk}"
        assert browser.get("/me/data/").status_code == 302

    def test_owner_must_transfer_an_open_event_before_erasure(self):
        mara = make_user("mara")
        event = make_event(players=2, owner=mara)

        answer = erase(logged_in(mara), "mara")

        assert answer.status_code == 409
        assert event.name in answer.content.decode()
        mara.refresh_from_db()
        assert mara.is_active

    def test_player_must_drop_from_a_running_event_before_erasure(self, event: Tournament):
        start_round(event)
        place = player_number(event, 1)
        browser = claim(Client(), place.player)

        shown = browser.get(ERASE)
        assert (shown.status_code, "Not possible yet" in shown.text) == (200, True)
        assert erase(browser, place.player.name).status_code == 409
        registration_services.drop_player(place, owner_of(event))
        assert erase(browser, place.player.name).status_code == 200

    def test_player_is_dropped_from_a_future_event(self):
        place = player_number(make_event(players=3), 1)

        erase(claim(Client(), place.player), place.player.name)

        place.refresh_from_db()
        assert place.state == "dropped"

    def test_page_reveals_nothing_about_a_draft(self, event: Tournament):
        player = player_number(event, 1).player
        browser = claim(Client(), player)
        before = browser.get(ERASE).status_code
        draft = draft_round(event)

        assert browser.get(ERASE).status_code == before == 200
        erase(browser, player.name)

        with pytest.raises(rounds_services.DraftIsOld):
            rounds_services.publish_round(draft, owner_of(event))


@pytest.mark.check(25)
def test_old_login_requires_the_password_again(finished_event: Tournament):
    owner, guest = owner_of(finished_event).user, player_number(finished_event, 1).player
    assert owner is not None
    browser, path = logged_in(owner, lately=False), erase_guest_path(finished_event)

    for answer in (
        browser.post("/me/data/file/"),
        erase(browser, str(owner)),
        erase(browser, guest.name, path),
    ):
        assert answer.status_code == 302
        assert "reauthenticate" in answer["Location"]
    assert not Player.objects.exclude(erased_at=None).exists()
    assert erase(logged_in(owner), guest.name, path)["Location"].endswith("/roster/")


class TestEraseGuest:
    def test_organiser_erases_only_guests_of_their_own_events(self, finished_event: Tournament):
        own, shared = (
            player_number(finished_event, 1).player,
            player_number(finished_event, 2).player,
        )
        foreign_event = make_event(players=0, name="Elsewhere")
        registration_services.register_player(foreign_event, shared, owner_of(foreign_event))
        browser = logged_in(owner_of(finished_event).user)

        assert erase(browser, own.name, erase_guest_path(finished_event, 1)).status_code == 302
        assert Player.objects.get(pk=own.pk).erased_at is not None
        assert erase(browser, shared.name, erase_guest_path(finished_event, 2)).status_code == 409
        assert Player.objects.get(pk=shared.pk).erased_at is None

    def test_page_names_only_events_that_the_organiser_may_know(self, finished_event: Tournament):
        player = player_number(finished_event, 1).player
        for name, visibility in (
            ("Open cup", "public"),
            ("Secret", "private"),
            ("Quiet", "unlisted"),
        ):
            event = make_event(players=0, name=name, visibility=visibility)
            registration_services.register_player(event, player, owner_of(event))

        page = (
            logged_in(owner_of(finished_event).user)
            .get(erase_guest_path(finished_event))
            .content.decode()
        )

        assert "(Open cup, other events)" in page
        assert "Secret" not in page
        assert "Quiet" not in page
