"""Ratings for tests: given to a player, or computed from the events that are there."""

from datetime import date

from players.models import Player
from tournaments.models import Rating
from tournaments.ratings import services


def give_rating(
    player: Player, game: str = "onr", *, value: float = 1500.0, games: int = 10, day: int = 2
) -> Rating:
    """A rating that no event has brought, after a day in May."""
    figures = {"value": value, "deviation": 80.0, "games": games, "events": 1}
    Rating.objects.filter(player=player, game=game).update(is_current=False)
    return Rating.objects.create(
        player=player, game=game, day=date(2026, 5, day), is_current=True, **figures
    )


def compute_ratings(game: str = "onr") -> dict[str, Rating]:
    """All ratings of a game computed anew; the newest of each player, by name."""
    services.recompute_game(game)
    rows = Rating.objects.filter(game=game, is_current=True).select_related("player")
    return {row.player.name: row for row in rows}
