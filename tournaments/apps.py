from django.apps import AppConfig
from django.db.models.signals import post_save


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from decks.services import after_import
        from players.models import Player
        from tournaments.services.decks import judge_open_events
        from tournaments.services.names import show_new_name

        post_save.connect(show_new_name, sender=Player)
        if judge_open_events not in after_import:
            after_import.append(judge_open_events)
