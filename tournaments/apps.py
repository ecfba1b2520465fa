from django.apps import AppConfig
from django.db.models.signals import post_save


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from players.models import Player
        from tournaments.services.names import show_new_name

        post_save.connect(show_new_name, sender=Player)
