"""Cached rows of long tables."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from players import services as players
from tests.factories.tournaments import (
    add_staff,
    make_event,
    owner_of,
    player_number,
    start_round,
)
from tests.tournaments.pages import url
from tournaments.models import Tournament
from tournaments.registration import services as registration_services


def make_scene() -> Tournament:
    event = make_event(players=4)
    start_round(event)
    return event


def desk_of(event: Tournament) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(add_staff(event, "organiser"))
    return client


def page(client: Client, event: Tournament, name: str) -> str:
    """Return the page with all rows from the cache."""
    return [client.get(url(name, event)).text for _ in range(3)][-1]


def token_of_row(html: str, row: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html.partition(row)[2])
    assert found is not None
    return found[1]


def test_cached_row_has_the_token_of_its_reader(event: Tournament):
    address = url("drop", event, 1)
    one, other = desk_of(event), desk_of(event)
    tokens = [token_of_row(page(desk, event, "roster"), 'id="player-1"') for desk in (one, other)]

    assert one.post(address, {"csrfmiddlewaretoken": tokens[1]}).status_code == 403
    assert one.post(address, {"csrfmiddlewaretoken": tokens[0]}).status_code == 302


def stay_off_streams(event: Tournament) -> None:
    player = player_number(event, 1).player
    players.set_privacy(player, "", hides_history=False, hides_from_streams=True)


def drop(event: Tournament) -> None:
    registration_services.drop_player(player_number(event, 1), owner_of(event))


@pytest.mark.parametrize(
    ("name", "said", "change"),
    [
        ("roster", "is-muted", drop),
        ("roster", "stays off streams", stay_off_streams),
    ],
)
def test_cached_row_is_replaced_when_its_content_changes(
    event: Tournament, name: str, said: str, change: Callable[[Tournament], object]
):
    desk = desk_of(event)
    row = r'<tr id="player-1".*?</tr>'
    (before,) = re.findall(row, page(desk, event, name), re.DOTALL)

    change(event)

    (after,) = re.findall(row, page(desk, event, name), re.DOTALL)
    assert said not in before
    assert said in after
