"""Compute the ratings of every game from its first day; the job starts at a changed day."""

from typing import Any

from django.core.management.base import BaseCommand

from decks.games import GAMES
from tournaments.ratings import queries, services


class Command(BaseCommand):
    help = "Compute the ratings of all players again, from all events that count."

    def handle(self, *args: Any, **options: Any) -> None:
        for game in GAMES.values():
            services.recompute_ratings(game.id, whole=True)
            listed, run = queries.listed_ratings(game.id).count(), queries.latest_run(game.id)
            self.stdout.write(f"{game}: {run.events} events, {listed} players listed")
