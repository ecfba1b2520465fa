"""Rows of long tables are rendered once, and anew when they say something else."""

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.factories.pods import make_pods
from tests.factories.tournaments import (
    enter_result,
    make_event,
    player_number,
    start_round,
    sweep,
    table,
)
from tournaments.models import Tournament
from tournaments.templatetags import kept_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    kept_rows._row.cache_clear()
    event = make_event(players=20)
    start_round(event)
    return event


def page(browser: Client, event: Tournament, query: str = "") -> str:
    address = reverse("tournaments:round", args=[event.slug, 1])
    return browser.get(address + query, headers={"X-Fragment": "1"}).text


def rendered() -> int:
    """How many rows have been rendered so far."""
    return kept_rows._row.cache_info().misses


def test_after_a_result_only_its_table_is_rendered_again(client: Client, event: Tournament):
    page(client, event, "?by=table")
    before = rendered()
    enter_result(table(event.stages.get().rounds.get(), 3), sweep(1))

    assert "20 : 0" in page(client, event, "?by=table")
    assert (before, rendered()) == (10, 11)


def test_players_share_all_rows_but_those_they_are_on(phone_of, event: Tournament):
    seen = [page(phone_of(player_number(event, number)), event) for number in (1, 2)]

    assert [text.count('class="is-me"') for text in seen] == [1, 1]
    # All twenty lines for one; for the other only the lines of these two tables are others.
    assert rendered() <= 20 + 4


def test_a_name_is_no_markup_in_a_kept_row(client: Client, event: Tournament):
    player = player_number(event, 1).player
    player.name = "<b>Ada</b>"
    player.save()
    caches["pages"].clear()

    assert "&lt;b&gt;Ada&lt;/b&gt;" in page(client, event)
    assert "<b>Ada" not in page(client, event)


def test_names_at_a_pod_are_a_list_as_it_is_written(client):
    event = make_pods(4)
    start_round(event)

    page = client.get(reverse("tournaments:pairings", args=[event.slug])).content.decode()

    assert page.count("</bdi>, <bdi>") == 8
    assert "</bdi> ," not in page
