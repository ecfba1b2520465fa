"""The overlay of a stream shows feature tables, and nobody who avoids the stream."""

from typing import Any

import pytest
from django.test import Client

from tests.factories.tournaments import (
    enter_result,
    fresh,
    make_event,
    owner_of,
    play_round,
    start_round,
    sweep,
    table,
)
from tests.tournaments.views.pages import url
from tournaments.models import Round, Tournament
from tournaments.services import events, wishes


@pytest.fixture
def event() -> Tournament:
    return make_event(players=6, feature_tables="2")


def overlay(event: Tournament, client: Client | None = None, **asked: Any) -> str:
    there = url("stream", event)
    return (client or Client()).get(there, asked).content.decode()


def names(round_: Round, number: int) -> list[str]:
    return [seat.player.name for seat in table(round_, number).match.seats.all()]


def test_it_shows_the_feature_table_with_points_and_score(event: Tournament):
    play_round(event)
    round_ = start_round(event)
    enter_result(table(round_, 2), sweep(1, 3))

    page = overlay(event)

    assert all(name in page for name in names(round_, 2))
    assert not any(name in page for name in names(round_, 1))
    assert '<strong class="stream__score">20</strong>' in page
    assert "place" in page
    assert "data-clock" in page


def test_another_table_can_be_asked_for_and_nonsense_is_no_error(event: Tournament):
    round_ = start_round(event)

    assert all(name in overlay(event, table="1") for name in names(round_, 1))
    for nonsense in ("x", "99999", "-1", "77"):
        assert "Spring Run" in overlay(event, table=nonsense)


def test_who_avoids_the_stream_is_never_on_it(event: Tournament):
    round_ = start_round(event)
    shy = table(round_, 2).match.seats.first().player
    place = event.registrations.select_related("player", "tournament").get(player=shy)

    wishes.set_avoids_stream(place, owner_of(event), avoids=True)

    for asked in ("", "2"):
        assert not any(name in overlay(event, table=asked) for name in names(round_, 2))
    events.change_settings(fresh(event), owner_of(event), feature_tables="")
    assert shy.name not in overlay(event)


def test_a_kept_copy_of_the_page_is_old_once_somebody_does_not_want_to_be_on_it(
    event: Tournament,
):
    round_ = start_round(event)
    there = url("stream", event)
    etag = Client().get(there)["ETag"]
    player = table(round_, 2).match.seats.first().player
    place = event.registrations.select_related("player", "tournament").get(player=player)

    wishes.set_avoids_stream(place, owner_of(event), avoids=True)

    assert Client().get(there, headers={"If-None-Match": etag}).status_code == 200
