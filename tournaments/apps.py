from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_save


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from decks.signals import cards_imported
        from players.models import Player
        from tournaments.registration.guests import renew_pages_after_rename

        post_save.connect(renew_pages_after_rename, sender=Player)
        cards_imported.connect(judge_open_events, dispatch_uid="tournaments.judge_open_events")


def judge_open_events(**kwargs: Any) -> None:
    """Receiver of cards_imported. Judging loads much, and most commands import no cards."""
    from tournaments.decklists import services as decklists_services

    decklists_services.request_judging_of_open_events()
