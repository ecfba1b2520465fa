"""Stored sums by month and for the whole site, compared with the sum of single events."""

import random
from collections.abc import Callable
from datetime import date, timedelta
from statistics import mean, median
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from core.rate_limits import exclusive_work
from players.models import Player
from tests.factories.tournaments import fresh
from tests.queries import queries_asked
from tests.tournaments.pages import text_of
from tests.tournaments.statistics.evenings import evening
from tournaments.models import (
    EventTallies,
    MonthTallies,
    Registration,
    RegistrationState,
    SiteTallies,
    Tournament,
    Visibility,
)
from tournaments.statistics import rules, services, stored_counts
from tournaments.statistics.pages import statistics_of_scope
from tournaments.statistics.tallies import RoundLengthCount
from tournaments.tasks import count_statistics

SITE = reverse("tournaments:site_statistics")
# Days from the end of a year to the end of a month.
FIRST_DAY, DAYS = date(2025, 11, 20), 130
CHANGES: tuple[dict[str, object], ...] = (
    {"visibility": Visibility.PRIVATE},
    {"visibility": Visibility.PUBLIC},
    {"finished_at": None},
    {"starts_on": FIRST_DAY},
    {"starts_on": date(2026, 1, 31)},
    {"deck_rules": {"format_id": "standard"}},
    {"deck_rules": {}},
    {"game": "onr"},
)


@pytest.fixture
def large_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "ADDED_UP_LIVE", 0)


def make_site(chance: random.Random) -> None:
    """Create two played events and many events with players only."""
    played = [evening(seed, players=4, rounds=1) for seed in (1, 2)]
    Tournament.objects.filter(pk=played[0].pk).update(decks_revealed_at=timezone.now())
    names = [f"Player {number}" for number in range(12)]
    people = Player.objects.bulk_create(
        Player(name=name, name_key=name, sort_key=name) for name in names
    )
    for number in range(24):
        event = Tournament.objects.create(
            name=f"Event {number}",
            slug=f"event-{number}",
            game=chance.choice(("anr", "anr", "onr", "free_radicals")),
            starts_on=FIRST_DAY,
            finished_at=chance.choice((None, *[timezone.now()] * 5)),
            visibility=chance.choice((Visibility.UNLISTED, *[Visibility.PUBLIC] * 5)),
        )
        Registration.objects.bulk_create(
            Registration(
                tournament=event, player=player, number=place, state=RegistrationState.CHECKED_IN
            )
            for place, player in enumerate(chance.sample(people, chance.randrange(6)), start=1)
        )
    for event in Tournament.objects.all():
        rules = chance.choice(({}, {"format_id": "standard"}, {"format_id": "eternal"}))
        day = FIRST_DAY + timedelta(days=chance.randrange(DAYS))
        Tournament.objects.filter(pk=event.pk).update(deck_rules=rules, starts_on=day)


def change_some(chance: random.Random) -> None:
    """Change a few events and their versions, as services do, and delete one event."""
    for event in chance.sample(list(Tournament.objects.order_by("pk")), 5):
        change(event, **chance.choice(CHANGES))
    Tournament.objects.filter(name=f"Event {chance.randrange(24)}").delete()
    place = Registration.objects.order_by("pk").first()
    assert place is not None
    change(place.tournament)
    place.delete()


def change(event: Tournament, **fields: object) -> None:
    version = fresh(event).version + 1
    Tournament.objects.filter(pk=event.pk).update(version=version, **fields)


def count_all() -> None:
    services.count_finished_events()
    services.store_sums()


def differences(chance: random.Random) -> list[object]:
    """Return the filters whose stored sums differ from the sum of the events."""
    edges = (None, date(2025, 12, 1), date(2025, 12, 31), date(2026, 1, 15), date(2026, 2, 28))
    days = [FIRST_DAY + timedelta(days=chance.randrange(DAYS)) for _ in range(4)]
    periods = [(None, None), *[chance.choices((*edges, *days), k=2) for _ in range(10)]]
    periods.append((date.min, date.max))
    wrong: list[object] = []
    for since, until in periods:
        for game, format_id in (("anr", ""), ("anr", "standard"), ("onr", ""), ("onr", "eternal")):
            filters = (game, format_id, since, until)
            summed, single = (
                statistics_of_scope(stored_counts.scope_of_site(*filters, is_large=is_large))
                for is_large in (True, False)
            )
            if (summed.count, summed.charts) != (single.count, single.charts):
                wrong.append((filters, summed.count, single.count))
    return wrong


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_stored_sums_equal_those_of_single_events_after_any_change(seed: int):
    chance = random.Random(seed)
    make_site(chance)
    count_all()
    assert MonthTallies.objects.count() > 5
    assert differences(chance) == []

    for _ in range(3):
        change_some(chance)
        count_all()
        assert differences(chance) == []


def test_deleted_and_hidden_events_do_not_count():
    events = [evening(seed, players=4, rounds=1) for seed in (1, 2, 3)]
    Tournament.objects.filter(pk=events[2].pk).update(starts_on=date(2020, 1, 1))
    count_all()
    assert SiteTallies.objects.get(game="anr", format_id="").events == 3

    change(events[0], visibility=Visibility.PRIVATE)
    services.store_sums()
    assert SiteTallies.objects.get(game="anr", format_id="").events == 2

    change(events[1], finished_at=None)
    change(events[2], finished_at=None)
    services.store_sums()
    assert not SiteTallies.objects.exists()
    assert not MonthTallies.objects.exists()


def test_only_months_with_a_changed_event_are_added_up_again():
    events = [evening(seed, players=4, rounds=1) for seed in (1, 2)]
    Tournament.objects.filter(pk=events[1].pk).update(starts_on=date(2020, 1, 1))
    services.count_finished_events()
    assert services.store_sums() == 2
    assert services.store_sums() == 0

    change(events[1])
    services.count_finished_events()

    assert services.store_sums() == 1
    assert services.store_sums() == 0


def test_month_is_added_up_again_after_a_recount_with_the_same_time(time_machine: Any):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    event = evening(1, players=4, rounds=1)
    count_all()
    place = event.registrations.first()
    assert place is not None
    change(event)
    place.delete()
    services.count_finished_events()

    assert services.store_sums() == 1

    total = SiteTallies.objects.get(game="anr", format_id="")
    assert total.versions == EventTallies.objects.get().version == fresh(event).version
    assert total.figures == stored_counts.figures_of_site(stored_counts.SiteKey("anr", ""))


def test_timer_skips_the_statistics_while_a_run_is_in_progress():
    evening(1, players=4, rounds=1)
    with exclusive_work("count of statistics"):
        count_statistics()
    assert not EventTallies.objects.exists()
    assert not MonthTallies.objects.exists()

    count_statistics()

    assert EventTallies.objects.count() == MonthTallies.objects.count() == 1


def test_next_run_sums_the_site_after_a_run_that_ended_early(
    monkeypatch: pytest.MonkeyPatch,
):
    evening(1, players=4, rounds=1)
    services.count_finished_events()
    with monkeypatch.context() as broken:
        broken.setattr(stored_counts, "figures_of_site", ended_early)
        with pytest.raises(ConnectionError):
            services.store_sums()
    assert MonthTallies.objects.count() == 1

    assert services.store_sums() == 0

    assert SiteTallies.objects.get(game="anr", format_id="").events == 1


def ended_early(key: stored_counts.SiteKey) -> None:
    raise ConnectionError(key)


def test_most_played_game_does_not_depend_on_the_size_of_the_site(
    monkeypatch: pytest.MonkeyPatch,
):
    assert stored_counts.site_events() == stored_counts.SiteEvents(is_large=False, usual_game="onr")
    evening(1, players=2, rounds=0)
    count_all()

    with queries_asked() as queries:
        assert stored_counts.site_events() == stored_counts.SiteEvents(
            is_large=False, usual_game="anr"
        )
    assert len(queries) == 1
    monkeypatch.setattr(stored_counts, "ADDED_UP_LIVE", 0)
    assert stored_counts.site_events() == stored_counts.SiteEvents(is_large=True, usual_game="anr")


@pytest.mark.usefixtures("large_site")
def test_page_of_a_large_site_reads_no_event_and_has_the_date_of_its_figures():
    for seed in (1, 2):
        evening(seed, players=4, rounds=1)
    count_all()
    caches["pages"].clear()

    with queries_asked() as queries:
        page = Client().get(SITE)

    assert page.context["statistics"].count.events == 2
    assert page.context["form"].data["game"] == "anr"
    assert len(queries) <= 6
    assert not [sql for sql in queries if "tallies_id" in sql or "eventtallies" in sql]
    assert "These figures are from" in text_of(page)
    api = Client().get("/api/v1/statistics/", {"starts_on_after": "2000-01-01"}).json()
    assert (api["events"], api["entries"]) == (2, 8)


@pytest.mark.usefixtures("large_site")
def test_large_site_without_sums_has_events_that_are_still_being_counted():
    evening(1, players=4, rounds=1)

    assert "1 event is still being counted" in text_of(Client().get(SITE, {"game": "anr"}))

    services.store_sums()
    assert "1 event is still being counted" in text_of(Client().get(SITE, {"game": "anr"}))
    count_all()
    assert "still being counted" not in text_of(Client().get(SITE, {"game": "anr"}))


@given(
    st.lists(st.builds(RoundLengthCount, st.integers(1, 4), st.integers(5, 40), st.integers(1, 5)))
)
def test_equal_lengths_of_rounds_are_one_row(times: list[RoundLengthCount]):
    single = [
        RoundLengthCount(length.number, length.minutes)
        for length in times
        for _ in range(length.rounds)
    ]
    charts: tuple[Callable[[list[RoundLengthCount]], object], ...]
    charts = (rules.round_lengths_chart, rules.round_lengths_histogram)
    assert [chart(times) for chart in charts] == [chart(single) for chart in charts]
    if single:
        minutes = [length.minutes for length in single]
        shown = rules.round_lengths_chart(times)
        assert f"Half of all rounds took {median(minutes):g} or less" in str(shown.about)
        of_first = [length.minutes for length in single if length.number == min(single).number]
        assert float(shown.lines[0].average or 0) == pytest.approx(mean(of_first))
