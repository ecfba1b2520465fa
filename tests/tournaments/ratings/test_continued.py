"""Ratings continued from the last unchanged day, compared bit by bit with a full computation."""

import random
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from matches.models import Game, Seat
from players.models import Player
from tests.factories.ratings import compute_ratings, make_evening, many_events
from tests.moments import after
from tests.queries import queries_of
from tournaments.models import Pairing, RatedEvent, Rating, RatingRun, Tournament
from tournaments.ratings import queries, rules, services
from tournaments.ratings.rules import RatedDay, RatedGame

pytestmark = pytest.mark.django_db
GAME = "onr"
FIRST_DAY = date(2026, 1, 1)


def stored_ratings() -> dict[tuple[int, date], tuple[Any, ...]]:
    return {
        (row.player_id, row.day): (
            row.value.hex(),
            row.deviation.hex(),
            row.volatility and row.volatility.hex(),
            row.games,
            row.events,
            row.is_current,
        )
        for row in Rating.objects.filter(game=GAME)
    }


def ratings_of_whole_history() -> dict[tuple[int, date], tuple[Any, ...]]:
    lines = list(rules.rate(queries.rated_games(GAME), queries.rating_method(GAME)))
    known = set(Player.objects.filter(erased_at=None).values_list("pk", flat=True))
    newest = {line.player: line.day for line in lines}
    return {
        (line.player, line.day): (
            line.strength.value.hex(),
            line.strength.deviation.hex(),
            line.strength.volatility and line.strength.volatility.hex(),
            line.games,
            line.events,
            line.day == newest[line.player],
        )
        for line in lines
        if line.player in known
    }


class Season:
    """Events of nine players that are added, corrected, moved and deleted at random."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.players = list(
            Player.objects.bulk_create(
                Player(name=f"P{number}", name_key=f"p{number}", sort_key=f"p{number}")
                for number in range(9)
            )
        )
        self.number = 0

    def change(self) -> str:
        """Make a random change and return its name."""
        changes: list[Callable[[], None]] = [
            *[self.add] * 4,
            *(self.correct, self.reopen, self.finish, self.delete, self.unrate, self.move),
            *(self.add_second_day, self.merge, self.erase),
        ]
        change = self.chance.choice(changes)
        change()
        return change.__name__

    def add(self) -> None:
        self.number += 1
        day = FIRST_DAY + timedelta(self.chance.randrange(60))
        field = [(player, 0.0) for player in self.chance.sample(self.players, 6)]
        make_evening(self.number, day, field, self.chance)

    def correct(self) -> None:
        event = self._event()
        tables = Pairing.objects.filter(round__stage__tournament=event)
        if games := list(Game.objects.filter(match__in=tables.values("match")).order_by("pk")):
            game = self.chance.choice(games)
            seats = game.match.seats.order_by("position")
            game.winner = self.chance.choice([None, *seats])
            game.save()
            self._new_version([event])

    def reopen(self) -> None:
        event = self._event()
        Tournament.objects.filter(pk=event.pk).update(finished_at=None)
        self._new_version([event])

    def finish(self) -> None:
        for event in Tournament.objects.filter(finished_at=None)[:1]:
            Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())
            self._new_version([event])

    def delete(self) -> None:
        event = self._event()
        if event.pk:
            event.delete()

    def unrate(self) -> None:
        event = self._event()
        Tournament.objects.filter(pk=event.pk).update(rated=not event.rated)

    def move(self) -> None:
        day = FIRST_DAY + timedelta(self.chance.randrange(60))
        Tournament.objects.filter(pk=self._event().pk).update(
            starts_on=day, ends_on=None, day_two_on=None
        )

    def add_second_day(self) -> None:
        field = self.chance.choice(["ends_on", "day_two_on"])
        Tournament.objects.filter(pk=self._event().pk).update(
            **{field: F("starts_on") if field == "ends_on" else FIRST_DAY + timedelta(70)}
        )

    def merge(self) -> None:
        """Give the seats of one player to another player, as a merge of two records does."""
        target, merged = self.chance.sample(self.players, 2)
        events = Tournament.objects.filter(registrations__player=merged)
        if events.filter(registrations__player=target).exists():
            return
        changed = list(events)
        Seat.objects.filter(player=merged).update(player=target)
        for event in changed:
            event.registrations.filter(player=merged).update(player=target)
        self._new_version(changed)

    def erase(self) -> None:
        if len(self.players) == 6:
            return
        player = self.players.pop(self.chance.randrange(len(self.players)))
        Rating.objects.filter(player=player).delete()
        Player.objects.filter(pk=player.pk).update(erased_at=timezone.now())

    def _event(self) -> Tournament:
        events = list(Tournament.objects.order_by("pk"))
        return self.chance.choice(events) if events else Tournament(pk=0)

    def _new_version(self, events: Iterable[Tournament]) -> None:
        keys = [event.pk for event in events]
        Tournament.objects.filter(pk__in=keys).update(version=F("version") + 1)


@pytest.mark.parametrize("seed", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_ratings_equal_a_whole_computation_after_every_change(seed: int):
    season = Season(seed)
    for _ in range(4):
        season.add()
    changes = []
    for _ in range(25):
        changes.append(season.change())
        if season.chance.random() < 0.7:
            services.recompute_ratings(GAME)
            assert stored_ratings() == ratings_of_whole_history(), changes
            counted = {game.event for game in queries.rated_games(GAME)}
            assert RatingRun.objects.get(game=GAME).events == len(counted)

    services.recompute_ratings(GAME)
    continued = stored_ratings()
    services.recompute_ratings(GAME, whole=True)
    assert stored_ratings() == continued == ratings_of_whole_history()


@pytest.fixture
def computations(
    monkeypatch: pytest.MonkeyPatch,
) -> list[tuple[list[RatedGame], dict[int, RatedDay]]]:
    """The games of each computation and the lines that it continues from."""
    calls: list[tuple[list[RatedGame], dict[int, RatedDay]]] = []
    rate = rules.rate

    def watch(games: Any, method: rules.RatingMethod, before: Any = None) -> Any:
        calls.append((list(games), dict(before or {})))
        return rate(calls[-1][0], method, before)

    monkeypatch.setattr(rules, "rate", watch)
    return calls


def evening_at_the_end(number: int = 999) -> Tournament:
    players = list(Player.objects.order_by("pk")[:6])
    day = date(2026, 6, 1) + timedelta(number)
    make_evening(number, day, [(player, 0.0) for player in players], random.Random(number))
    return Tournament.objects.latest("pk")


def test_new_event_reads_its_own_games_and_players_only(computations):
    many_events(20, 15)
    compute_ratings()
    event = evening_at_the_end()

    compute_ratings()

    games, before = computations[-1]
    assert {game.event for game in games} == {event.pk}
    assert before.keys() <= {player for game in games for player in game.players}
    assert len(games) < len(computations[0][0]) / 10
    assert stored_ratings() == ratings_of_whole_history()


def test_longer_history_needs_no_more_queries():
    many_events(20, 3)
    compute_ratings()
    unchanged = queries_of(services.recompute_ratings, GAME)
    evening_at_the_end(998)
    new_event = queries_of(services.recompute_ratings, GAME)
    many_events(20, 12, seed=2)
    compute_ratings()

    assert queries_of(services.recompute_ratings, GAME) == unchanged
    evening_at_the_end()
    assert queries_of(services.recompute_ratings, GAME) == new_event


def test_unchanged_events_read_no_game(computations):
    many_events(20, 3)
    compute_ratings()
    before = stored_ratings()

    compute_ratings()

    assert len(computations) == 1
    assert stored_ratings() == before


def test_other_constants_compute_every_day(computations, monkeypatch):
    many_events(20, 3)
    compute_ratings()
    monkeypatch.setattr(rules.TWO, "tau", 0.9, raising=False)
    monkeypatch.setattr(rules.TWO, "constants", (*rules.TWO.constants[:-2], 0.9, 0.06))

    compute_ratings()

    (all_games, _), (games, before) = computations
    assert (len(games), before) == (len(all_games), {})
    assert stored_ratings() == ratings_of_whole_history()


def test_run_restarts_if_an_earlier_run_has_stored_ratings_since(monkeypatch):
    many_events(20, 3)
    compute_ratings()
    first_event = Tournament.objects.earliest("starts_on")
    evening_at_the_end()
    earlier = services._begin(GAME)
    overtaken: list[int] = []

    def overtake() -> None:
        if overtaken or RatingRun.objects.get(game=GAME).written >= earlier.begun:
            return
        overtaken.append(earlier.begun)
        # The earlier run starts late and reads a correction that the later run has missed.
        Tournament.objects.filter(pk=first_event.pk).update(rated=False)
        with monkeypatch.context() as patched:
            patched.setattr(services, "_begin", lambda _: earlier)
            services.recompute_ratings(GAME)

    with after("tournaments.ratings.rules.rate", overtake):
        services.recompute_ratings(GAME)

    assert overtaken
    assert RatedEvent.objects.filter(game=GAME).count() == 3
    assert stored_ratings() == ratings_of_whole_history()
