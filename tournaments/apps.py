from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from decks.services import after_import
        from players.models import Player
        from tournaments import history
        from tournaments.models import Tournament
        from tournaments.services.decks import judge_open_events
        from tournaments.services.names import show_new_name

        post_save.connect(show_new_name, sender=Player)
        for signal in (post_save, post_delete):
            signal.connect(history.row_changes, sender=Tournament)
        if judge_open_events not in after_import:
            after_import.append(judge_open_events)
