"""Stored counts of events: their sum, their date, and pages without them."""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories.pods import make_pods, places
from tests.factories.tournaments import play_round
from tests.queries import queries_asked
from tests.tournaments.pages import text_of
from tests.tournaments.statistics.evenings import evening, finish
from tournaments.models import EventTallies, Tournament
from tournaments.statistics import queries, services, stored_counts
from tournaments.statistics.pages import Statistics, statistics_of

SITE = reverse("tournaments:site_statistics")


@pytest.fixture
def three_evenings() -> list[Tournament]:
    """Return three finished events; the first has a cut and public decks."""
    events = [evening(1, players=8, rounds=2, cut=4)]
    events += [evening(seed, players=4, rounds=1) for seed in (2, 3)]
    Tournament.objects.filter(pk=events[0].pk).update(decks_revealed_at=timezone.now())
    share_a_player(events)
    return events


def share_a_player(events: list[Tournament]) -> None:
    """Register the first player of the first event for the second event."""
    regular = events[0].registrations.get(number=1).player
    events[1].registrations.filter(number=1).update(player=regular)


def figures(game: str = "anr") -> Statistics:
    caches["pages"].clear()
    return statistics_of(queries.finished_public_events(), game)


def bump_version(event: Tournament) -> None:
    Tournament.objects.filter(pk=event.pk).update(version=F("version") + 1)


@pytest.mark.usefixtures("three_evenings")
def test_sum_of_stored_counts_equals_a_count_of_the_database():
    live = figures()

    assert services.count_finished_events() == 3

    added = figures()
    assert added.count == live.count
    assert added.count.players < added.count.entries
    assert added.charts == live.charts
    assert {"corp_cards", "identities_match_ups", "cut"} <= {chart.id for chart in added.charts}


def test_sum_of_stored_counts_of_pods_equals_a_count_of_the_database():
    for _ in range(2):
        event = make_pods(players=5)
        play_round(event, play=places)
        finish(event)
    game = event.game
    live = figures(game)

    services.count_finished_events()

    added = figures(game)
    assert (added.count, added.charts) == (live.count, live.charts)


@pytest.mark.usefixtures("three_evenings")
def test_page_of_counted_events_reads_no_games():
    services.count_finished_events()

    with queries_asked() as queries:
        figures()

    assert not [sql for sql in queries if "matches_game" in sql or "decks_deckslot" in sql]
    assert not [sql for sql in queries if "tournaments_registration" in sql]


def test_changed_event_is_counted_in_the_request_and_then_stored(three_evenings: list[Tournament]):
    services.count_finished_events()
    event = three_evenings[2]
    event.registrations.filter(number=1).update(dropped_by="absent")
    before = EventTallies.objects.get(tournament=event).version

    bump_version(event)

    assert figures().count.entries == 8 + 4 + 3
    assert services.count_finished_events() == 1
    assert EventTallies.objects.get(tournament=event).version == before + 1
    assert services.count_finished_events() == 0
    assert figures().count.entries == 8 + 4 + 3


def test_reopened_event_does_not_count(three_evenings: list[Tournament]):
    services.count_finished_events()

    Tournament.objects.filter(pk=three_evenings[0].pk).update(finished_at=None)

    assert (figures().count.events, figures().count.entries) == (2, 8)


def test_counts_are_outdated_once_a_stage_shows_its_decks(three_evenings: list[Tournament]):
    tomorrow = timezone.now() + timedelta(days=1)
    three_evenings[1].stages.update(decks_shown_at=tomorrow)
    services.count_finished_events()
    assert not stored_counts.events_to_count().exists()

    with time_machine.travel(tomorrow + timedelta(minutes=1), tick=False):
        assert list(stored_counts.events_to_count()) == [three_evenings[1]]


def test_last_figures_are_shown_with_their_date_while_many_events_are_outdated(
    three_evenings: list[Tournament], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(queries, "COUNTED_LIVE", 1)
    assert (figures().count.events, figures().late_events) == (1, 2)
    assert "2 events are still being counted" in text_of(Client().get(SITE, {"game": "anr"}))

    services.count_finished_events()
    assert (figures().count.events, figures().late_events) == (3, 0)

    for event in three_evenings:
        bump_version(event)
    late = figures()
    assert (late.count.events, late.late_events) == (3, 2)
    assert late.counted_at is not None
    assert "These figures are from" in text_of(Client().get(SITE, {"game": "anr"}))
    assert Client().get("/api/v1/statistics/", {"game": "anr"}).json()["late_events"] == 2


def test_timer_counts_the_latest_events_first_in_bounded_steps(three_evenings: list[Tournament]):
    assert services.count_finished_events(at_most=2) == 2
    counted = set(EventTallies.objects.values_list("tournament", flat=True))
    assert counted == {event.pk for event in three_evenings[1:]}


@pytest.mark.usefixtures("three_evenings")
def test_command_counts_all_events_and_again_when_required(capsys: pytest.CaptureFixture[str]):
    call_command("count_statistics")
    assert "3 events counted" in capsys.readouterr().out
    call_command("count_statistics")
    assert "events counted" not in capsys.readouterr().out
    call_command("count_statistics", "--again")
    assert "3 events counted" in capsys.readouterr().out
