"""A published round lies ready before the phones ask for it."""

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from core import warming
from tests.factories.tournaments import (
    draft_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tournaments.models import Tournament
from tournaments.services import rounds

PART = {"X-Fragment": "1"}


def address(page: str, tournament: Tournament) -> str:
    return reverse(f"tournaments:{page}", args=[tournament.slug])


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was warmed, done at once instead of in a thread."""
    groups: list[str] = []

    def at_once(group: str) -> None:
        groups.append(group)
        warming.warm(caches["pages"].get(f"asked-for:{group}", []))

    monkeypatch.setattr(warming, "_start", at_once)
    return groups


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [PART, {}])
def test_the_page_of_a_published_round_is_there_before_it_is_asked_for(
    client: Client, warmed, django_capture_on_commit_callbacks, django_assert_num_queries, headers
):
    tournament = make_event()
    client.get(address("pairings", tournament), headers=headers)
    draft = draft_round(tournament)
    with django_capture_on_commit_callbacks(execute=True):
        rounds.publish(draft, owner_of(tournament))

    with django_assert_num_queries(1):
        answer = client.get(address("pairings", tournament), headers=headers)

    assert warmed == [tournament.slug]
    assert "<h1>Round 1</h1>" in answer.text


@pytest.mark.django_db
def test_new_standings_and_the_clock_are_warmed_as_well(
    client: Client, warmed, django_capture_on_commit_callbacks
):
    tournament = make_event()
    with django_capture_on_commit_callbacks(execute=True):
        play_round(tournament)

    # Published, started, and the standings.
    assert len(warmed) == 3


@pytest.mark.django_db
def test_pages_of_players_are_nobody_elses_to_warm(client: Client, phone_of):
    tournament = make_event()
    start_round(tournament)
    phone_of(player_number(tournament, 1)).get(address("pairings", tournament), headers=PART)

    assert caches["pages"].get(f"asked-for:{tournament.slug}") is None
