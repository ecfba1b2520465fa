"""What others see of a player beyond one event: the player says, and every page heeds it."""

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


def test_a_guest_says_what_others_see_on_a_page_with_words_for_each_choice(ada: Player):
    phone = claim(Client(), ada)
    page = phone.get(ADDRESS).content.decode()
    for words in ("Name across events", "Hide my history", "Keep me off streams"):
        assert words in page

    sent = {"shown_name": " A.  L. ", "hides_history": "on"}
    assert phone.post(ADDRESS, sent).status_code == 302

    ada.refresh_from_db()
    assert (ada.shown_name, ada.public_name) == ("A. L.", "A. L.")
    assert (ada.hides_history, ada.hides_from_streams) == (True, False)


def test_a_name_that_cannot_be_shown_is_refused_and_nothing_is_kept(ada: Player):
    answer = claim(Client(), ada).post(ADDRESS, {"shown_name": "Ada\u202e", "hides_history": "on"})

    ada.refresh_from_db()
    assert answer.status_code == 422
    assert (ada.shown_name, ada.hides_history) == ("", False)


def test_without_a_shown_name_it_is_the_name(ada: Player):
    assert ada.public_name == ada.name


def test_an_account_without_a_player_is_told_so_and_strangers_log_in(event: Tournament):
    assert "has no player yet" in logged_in(make_user()).get(ADDRESS).content.decode()
    assert Client().get(ADDRESS)["Location"].startswith("/account/login/")


def test_who_stays_off_streams_is_at_no_feature_table_and_named_on_no_overlay(
    event: Tournament, ada: Player
):
    play_round(event)
    hide(ada, hides_from_streams=True)
    round_ = start_round(event)
    own = next(one for one in tables_of(round_) if one.match.seats.filter(player=ada).exists())

    rows = overlay(event, "standings/")["rows"]

    assert own.table_number != 1
    assert overlay(event, f"table/{own.table_number}/")["is_shown"] is False
    assert ada.name not in {row["name"] for row in rows}
    assert len([row for row in rows if row["number"] is None]) == 1


def test_a_change_reaches_overlays_that_were_kept(
    event: Tournament, ada: Player, django_capture_on_commit_callbacks
):
    play_round(event)
    assert ada.name in Client().get(f"/events/{event.slug}/overlay/standings/").content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        hide(ada, hides_from_streams=True)

    assert ada.name not in Client().get(f"/events/{event.slug}/overlay/standings/").content.decode()


def test_the_hall_still_says_where_they_sit(event: Tournament, ada: Player):
    hide(ada, shown_name="Ghost", hides_history=True, hides_from_streams=True)
    start_round(event)

    assert ada.name in Client().get(f"/events/{event.slug}/projector/").content.decode()
    assert "Ghost" not in Client().get(f"/events/{event.slug}/pairings/").content.decode()


def test_a_file_of_the_event_keeps_them_off_streams_on_another_site(event: Tournament, ada: Player):
    hide(ada, hides_from_streams=True)

    found = whole_event.event_document(fresh(event), private=True)["event"]["players"]
    public = whole_event.event_document(fresh(event))["event"]["players"]

    assert [one["name"] for one in found if one["avoids_stream"]] == [ada.name]
    assert not any(one["avoids_stream"] for one in public)
