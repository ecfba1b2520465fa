from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        from players import receivers  # noqa: F401 - connects itself
