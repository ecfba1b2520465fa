"""Computation of ratings from events: the events and games that count, and the job."""

import json
import random
from datetime import date
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from core import jobs
from core.jobs import JobState
from matches.models import Seat
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from players.models import Player
from tests.factories.pods import make_pods, places
from tests.factories.ratings import compute_ratings
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
)
from tests.moments import after, before, in_jobs
from tournaments.files import services as files_services
from tournaments.files import whole_event
from tournaments.models import Job, JobKind, Pairing, Rating, RatingRun, Registration, Tournament
from tournaments.ratings import services
from tournaments.settings import services as settings_services

RATE = "tournaments.ratings.rules.rate"


def first_wins(pairing: Pairing) -> MatchResult:
    return MatchResult(
        (
            GameResult(1, 1, Role.CORP, GameEnd.FLATLINE, 0, 3),
            GameResult(2, 2, Role.RUNNER, GameEnd.AGENDA, 2, 7),
        )
    )


def make_finished_event(rounds: int = 1, *, play: Any = first_wins, **settings: Any) -> Tournament:
    event = make_event(settings.pop("players", 2), **settings)
    for _ in range(rounds):
        play_round(event, play=play)
    settings_services.finish_event(event, owner_of(event))
    return fresh(event)


def ratings_job() -> Job:
    return Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS).latest("pk")


def run_job() -> None:
    jobs.run_aside(Job, ratings_job().pk, services.run_rating_job)


def test_finished_event_is_rated_until_reopened():
    event = make_finished_event()

    run_job()

    best, worst = Rating.objects.order_by("-value")
    assert (best.games, best.events, best.day) == (2, 1, date(2026, 5, 2))
    assert best.value == pytest.approx(3000 - worst.value)
    assert best.value > 1600
    assert best.is_current
    assert RatingRun.objects.get(game="onr").events == 1

    settings_services.reopen_event(event, owner_of(event), "A slip was lost.")
    run_job()

    assert not Rating.objects.exists()


def test_running_unrated_and_hidden_events_do_not_count():
    play_round(make_event(2), play=first_wins)
    for settings in ({"rated": False}, {"visibility": "unlisted"}, {"visibility": "private"}):
        make_finished_event(**settings)

    assert not Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS).exists()
    assert compute_ratings() == {}


NO_SHOW = MatchResult(
    (
        GameResult(1, 1, Role.CORP, GameEnd.NO_SHOW),
        GameResult(2, 2, Role.RUNNER, GameEnd.NO_SHOW),
    )
)
DRAW = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))


@pytest.mark.parametrize("result", [NO_SHOW, DRAW])
def test_unplayed_matches_do_not_count(result: MatchResult):
    make_finished_event(play=lambda _: result, game="anr", scoring_rule="anr_double")

    assert compute_ratings("anr") == {}


def test_typed_totals_are_rated_like_equivalent_games():
    typed = MatchResult(totals=(4, 1))
    make_finished_event(play=lambda _: typed, game="anr", scoring_rule="anr_double")

    rated = compute_ratings("anr")

    assert {row.games for row in rated.values()} == {2}
    assert len({row.value for row in rated.values()}) == 2


def test_bye_does_not_count():
    make_finished_event(players=3)

    assert len(compute_ratings()) == 2


def test_pods_are_rated_by_places():
    event = make_pods(4)
    play_round(event, play=places)
    settings_services.finish_event(event, owner_of(event))

    rated = compute_ratings("free_radicals")

    assert len(rated) == 4
    assert {(row.games, row.volatility) for row in rated.values()} == {(1, None)}


def test_events_share_a_queued_job_and_follow_a_running_job():
    make_finished_event()
    make_finished_event(name="Second")
    assert Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS).count() == 1

    Job.objects.update(state=JobState.RUNNING)
    make_finished_event(name="Third")

    assert ratings_job().state == JobState.QUEUED
    assert Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS).count() == 2


def test_earlier_run_does_not_overwrite_a_later_run():
    make_finished_event()

    def run_overtaken() -> None:
        if RatingRun.objects.get().begun == 1:
            make_finished_event(name="Later", starts_on=date(2026, 6, 2))
            services.recompute_ratings("onr")

    with after(RATE, run_overtaken):
        services.recompute_ratings("onr")

    assert set(Rating.objects.values_list("day", flat=True)) == {date(2026, 5, 2), date(2026, 6, 2)}
    assert RatingRun.objects.get().written == 2


def test_long_computation_is_done_by_a_single_worker():
    def look(_moment: str = "") -> None:
        clock.shift(50)
        waiting.extend(jobs.waiting_jobs(Job).filter(kind=JobKind.RECOMPUTE_RATINGS))

    waiting: list[Job] = []
    make_finished_event()
    begun = before("tournaments.ratings.queries.versions_of_events_since", look)
    with in_jobs(look), begun, after(RATE, look), time_machine.travel(timezone.now()) as clock:
        run_job()

    assert ratings_job().state == JobState.DONE
    assert waiting == []


def test_days_before_a_change_keep_their_rows():
    make_finished_event()
    compute_ratings()
    before = list(Rating.objects.values_list("pk", flat=True))
    again = make_finished_event(name="Later", starts_on=date(2026, 6, 2))
    _same_people(again, Tournament.objects.earliest("pk"))

    rated = compute_ratings()

    assert set(before) < set(Rating.objects.values_list("pk", flat=True))
    assert {row.day for row in rated.values()} == {date(2026, 6, 2)}
    assert Rating.objects.filter(is_current=True).count() == 2

    settings_services.reopen_event(again, owner_of(again), "Not yet.")
    compute_ratings()

    assert sorted(Rating.objects.values_list("pk", flat=True)) == sorted(before)
    assert Rating.objects.filter(is_current=True).count() == 2


def _same_people(event: Tournament | None, earlier: Tournament) -> None:
    """Merge players with the same name at both events."""
    by_name = {entry.player.name: entry.player for entry in earlier.registrations.all()}
    for entry in event.registrations.select_related("player"):  # type: ignore[misc]
        player = by_name[entry.player.name]
        Seat.objects.filter(player=entry.player).update(player=player)
        Registration.objects.filter(pk=entry.pk).update(player=player)


def test_erased_player_has_no_rating_and_opponents_keep_their_ratings():
    event = make_finished_event()
    before = compute_ratings()
    erased = player_number(event, 1).player
    Rating.objects.filter(player=erased).delete()
    Player.objects.filter(pk=erased.pk).update(erased_at="2026-06-01T00:00Z")

    after = compute_ratings()

    opponent_name = player_number(event, 2).player.name
    assert after.keys() == {opponent_name}
    assert after[opponent_name].value == before[opponent_name].value


@pytest.mark.parametrize(("events", "orders"), [(4, 1), pytest.param(6, 3, marks=pytest.mark.slow)])
def test_order_of_imports_does_not_change_a_bit(events: int, orders: int):
    documents = [_document(number) for number in range(events)]
    Tournament.objects.update(visibility="private")

    first = _imported(documents)
    for seed in range(orders):
        random.Random(seed).shuffle(documents)
        assert _imported(documents) == first

    assert len({name for name, *_ in first}) == 6
    assert len({day for _, day, *_ in first}) == events - 1


def _document(number: int) -> bytes:
    """An event of six with random results; the first two are on the same day."""
    chance = random.Random(number)

    def play(pairing: Pairing) -> MatchResult:
        games = (
            GameResult(game, game, chance.choice(list(Role)), GameEnd.NOT_RECORDED)
            for game in (1, 2)
        )
        return MatchResult(tuple(games))

    event = make_finished_event(
        1 + number % 2,
        players=6,
        play=play,
        game="anr",
        scoring_rule="anr_double",
        name=f"Evening {number}",
        starts_on=date(2026, 5, 1 + max(number, 1)),
    )
    return json.dumps(whole_event.event_document(event)).encode()


def _imported(documents: list[bytes]) -> set[tuple[object, ...]]:
    """Ratings after these imports, by name; the imported events are private afterwards."""
    first, *other_documents = [
        files_services.import_file(document, trusted=True).tournament for document in documents
    ]
    assert first is not None
    for event in other_documents:
        _same_people(event, first)
    compute_ratings("anr")
    rows = Rating.objects.filter(game="anr", player__in=first.registrations.values("player"))
    ratings: set[tuple[object, ...]] = {
        (
            row.player.name,
            row.day,
            row.value.hex(),
            row.deviation.hex(),
            row.volatility.hex(),
            row.games,
            row.events,
            row.is_current,
        )
        for row in rows.select_related("player")
    }
    Tournament.objects.update(visibility="private")
    return ratings
