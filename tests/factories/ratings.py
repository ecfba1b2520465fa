"""Ratings for tests: assigned to a player, or computed from the events."""

import math
import random
from datetime import UTC, date, datetime, timedelta
from typing import Any

from matches.models import Game, Match, MatchState, Seat
from matches.scoring.results import GameEnd
from players.models import Player
from tournaments.models import (
    Pairing,
    Rating,
    Registration,
    Round,
    RoundState,
    Stage,
    Tournament,
)
from tournaments.ratings import services


def give_rating(
    player: Player, game: str = "onr", *, value: float = 1500.0, games: int = 10, day: int = 2
) -> Rating:
    """A rating without an event, after a day in May."""
    figures = {"value": value, "deviation": 80.0, "games": games, "events": 1}
    Rating.objects.filter(player=player, game=game).update(is_current=False)
    return Rating.objects.create(
        player=player, game=game, day=date(2026, 5, day), is_current=True, **figures
    )


def compute_ratings(game: str = "onr") -> dict[str, Rating]:
    """Update the ratings of a game; return the current rating of each player, by name."""
    services.recompute_ratings(game)
    rows = Rating.objects.filter(game=game, is_current=True).select_related("player")
    return {row.player.name: row for row in rows}


def many_events(players: int, events: int, *, seed: int = 1) -> None:
    """Finished events over three years, written in bulk; most players take part rarely.

    Stronger players win more. Each event has four rounds of two games, a few of them drawn.
    """
    chance = random.Random(seed)
    people = Player.objects.bulk_create(_player(number) for number in range(players))
    strengths = [chance.gauss(0, 1.2) for _ in people]
    frequencies = [chance.paretovariate(1.2) for _ in people]
    for number in range(events):
        day = date(2023, 5, 2) + timedelta(chance.randrange(1000))
        present = {
            *chance.choices(
                range(players), frequencies, k=min(players, chance.choice((16, 32, 48)))
            )
        }
        make_evening(
            number, day, [(people[index], strengths[index]) for index in sorted(present)], chance
        )


def _player(number: int) -> Player:
    player = Player()
    player.set_name(f"Player {number}")
    return player


def make_evening(
    number: int, day: date, field: list[tuple[Player, float]], chance: random.Random
) -> None:
    event = Tournament.objects.create(
        name=f"Evening {number}",
        slug=f"evening-{day:%y%m%d}-{number}",
        starts_on=day,
        finished_at=datetime(day.year, day.month, day.day, 22, tzinfo=UTC),
    )
    Registration.objects.bulk_create(
        Registration(tournament=event, player=player, number=number_, state="checked_in")
        for number_, (player, _) in enumerate(field, 1)
    )
    stage = Stage.objects.create(tournament=event, number=1)
    for round_number in range(1, 5):
        round_ = Round.objects.create(
            stage=stage, number=round_number, state=RoundState.CLOSED, seed=1
        )
        chance.shuffle(field)
        _tables(round_, list(zip(field[::2], field[1::2], strict=False)), chance)


def _tables(round_: Round, pairs: list[Any], chance: random.Random) -> None:
    settled = {"scoring_rule": "onr_runner_only", "state": MatchState.DECIDED}
    matches = Match.objects.bulk_create(Match(**settled) for _ in pairs)
    Pairing.objects.bulk_create(
        Pairing(round=round_, table_number=table, match=match)
        for table, match in enumerate(matches, 1)
    )
    seats = Seat.objects.bulk_create(
        Seat(match=match, position=position, player=player)
        for match, pair in zip(matches, pairs, strict=True)
        for position, (player, _) in enumerate(pair, 1)
    )
    Game.objects.bulk_create(
        Game(match=match, number=game, end=GameEnd.AGENDA, winner=_winner(seat_pair, pair, chance))
        for match, seat_pair, pair in zip(
            matches, zip(seats[::2], seats[1::2], strict=True), pairs, strict=True
        )
        for game in (1, 2)
    )


def _winner(seat_pair: tuple[Seat, Seat], pair: Any, chance: random.Random) -> Seat | None:
    if chance.random() < 0.04:
        return None
    (_, strength), (_, opponent_strength) = pair
    return (
        seat_pair[0]
        if chance.random() < 1 / (1 + math.exp(opponent_strength - strength))
        else seat_pair[1]
    )
