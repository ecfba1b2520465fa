"""Privacy settings of a player, and their effect on other slices."""

import pytest
from django.test import Client

from players.models import Player
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    fresh,
    hide,
    make_event,
    make_user,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tests.tournaments.pages import overlay
from tournaments.files import whole_event
from tournaments.models import Tournament

ADDRESS = "/me/privacy/"


def make_scene() -> Tournament:
    return make_event(players=6, feature_tables="1")


@pytest.fixture
def ada(event: Tournament) -> Player:
    return player_number(event, 1).player


class TestPage:
    def test_guest_saves_settings(self, ada: Player):
        phone = claim(Client(), ada)
        page = phone.get(ADDRESS).text
        for label in ("Name across events", "Hide my history", "Keep me off streams"):
            assert label in page
        assert ada.public_name == ada.name

        fields = {"shown_name": " A.  L. ", "hides_history": "on"}
        assert phone.post(ADDRESS, fields).status_code == 302

        ada.refresh_from_db()
        assert (ada.shown_name, ada.public_name) == ("A. L.", "A. L.")
        assert (ada.hides_history, ada.hides_from_streams) == (True, False)

    def test_invalid_name_is_refused(self, ada: Player):
        fields = {"shown_name": "Ada\u202e", "hides_history": "on"}
        response = claim(Client(), ada).post(ADDRESS, fields)

        ada.refresh_from_db()
        assert response.status_code == 422
        assert (ada.shown_name, ada.hides_history) == ("", False)

    def test_account_without_a_player_and_stranger_see_no_settings(self, event: Tournament):
        assert "has no player yet" in logged_in(make_user()).get(ADDRESS).text
        assert Client().get(ADDRESS)["Location"].startswith("/account/login/")


def test_player_off_streams_is_at_no_feature_table(event: Tournament, ada: Player):
    play_round(event)
    hide(ada, hides_from_streams=True)
    round_ = start_round(event)
    own = next(row for row in tables_of(round_) if row.match.seats.filter(player=ada).exists())

    assert own.table_number != 1
    assert overlay(event, f"table/{own.table_number}/")["is_shown"] is False


def test_change_reaches_cached_overlays(
    event: Tournament, ada: Player, django_capture_on_commit_callbacks
):
    play_round(event)
    standings = f"/events/{event.slug}/overlay/standings/"
    assert ada.name in Client().get(standings).text

    with django_capture_on_commit_callbacks(execute=True):
        hide(ada, hides_from_streams=True)

    assert ada.name not in Client().get(standings).text
    assert len([row for row in overlay(event, "standings/")["rows"] if row["number"] is None]) == 1


def test_pairings_of_the_event_keep_the_name(event: Tournament, ada: Player):
    hide(ada, shown_name="Ghost", hides_history=True, hides_from_streams=True)
    start_round(event)

    assert ada.name in Client().get(f"/events/{event.slug}/projector/").text
    assert "Ghost" not in Client().get(f"/events/{event.slug}/pairings/").text


def test_only_a_private_file_keeps_players_off_streams(event: Tournament, ada: Player):
    hide(ada, hides_from_streams=True)

    private = whole_event.event_document(fresh(event), private=True)["event"]["players"]
    public = whole_event.event_document(fresh(event))["event"]["players"]

    assert [player["name"] for player in private if player["avoids_stream"]] == [ada.name]
    assert not any(player["avoids_stream"] for player in public)
