"""Cached rows of long tables."""

import re

from django.test import Client

from tests.factories.tournaments import (
    add_staff,
    enter_result,
    get_round,
    make_event,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import url
from tournaments.models import Tournament


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
    address = url(name, event, *([1] if name == "results" else []))
    return [client.get(address).text for _ in range(3)][-1]


def token_of_row(html: str, row: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html.partition(row)[2])
    assert found is not None
    return found[1]


def test_cached_row_has_the_token_of_its_reader(event: Tournament):
    address = url("drop", event, 1)
    one, other = desk_of(event), desk_of(event)
    tokens = [token_of_row(page(desk, event, "results"), 'id="table-1"') for desk in (one, other)]

    assert one.post(address, {"csrfmiddlewaretoken": tokens[1]}).status_code == 403
    assert one.post(address, {"csrfmiddlewaretoken": tokens[0]}).status_code == 302


def play(event: Tournament) -> None:
    enter_result(table(get_round(event, 1), 1), sweep(1))


def test_cached_row_is_replaced_when_its_content_changes(event: Tournament):
    desk = desk_of(event)
    row = r'<tbody id="table-1".*?</tbody>'
    (before,) = re.findall(row, page(desk, event, "results"), re.DOTALL)

    play(event)

    (after,) = re.findall(row, page(desk, event, "results"), re.DOTALL)
    assert ">20" not in before
    assert ">20" in after
